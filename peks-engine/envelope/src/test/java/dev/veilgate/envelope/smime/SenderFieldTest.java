package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.testing.ProcessorTime;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields From in which all programs read one address, and those in which some read or show another one. */
class SenderFieldTest {
    private static final String ADA = "ada@example.org";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ada@example.org",
                "<ada@example.org>",
                "ADA@Example.org",
                "Ada <ada@example.org>",
                "Ada<ada@example.org>",
                "Ada Q. O'Brien-King & Co. <ada@example.org>",
                "Ada\r\n\tLovelace\r\n <ada@example.org>",
                "\"Lovelace, Ada\" <ada@example.org>",
                "\"Ada (Acme: Sales; [1])\" <ada@example.org>",
                "\"Ada \\\"Countess\\\" \\\\ Lovelace\" <ada@example.org>",
                "Ada (Acme) <ada@example.org>",
                "ada@example.org (Cron Daemon)",
                "=?utf-8?Q?Ad=C3=A4_L?= <ada@example.org>",
                "=?UTF-8?B?QWTDpA==?=\r\n =?utf-8?B?QWTDpA==?= <ada@example.org>",
                "\"=?utf-8?Q?Ad=C3=A4?=\" <ada@example.org>",
                "=?utf-8*de?Q?Ad=C3=A4?= <ada@example.org>",
                "=?ISO-8859-1?Q?Ad=E4?= Lovelace <ada@example.org>",
                "=?windows-1252?Q?L=2C_Ad=E4_=28Acme=29?= <ada@example.org>",
                "=?koi8-r?B?4Q==?= <ada@example.org>",
                "=?gb2312?B?zfXQocP3?= <ada@example.org>",
                "=?euc-kr?B?sei5zry6?= <ada@example.org>",
                "=?utf-8?Q?=F0=9F=91=A9=E2=80=8D=F0=9F=92=BB?= <ada@example.org>", // with a joiner
                "Adä Müller <ada@example.org>",
                "\"Müller, Adä\" <ada@example.org>",
                "Who? <ada@example.org>",
                "ada@example.org <ada@example.org>",
                "\"ada@example.org\" <ada@example.org>",
                "ADA@example.org <ada@EXAMPLE.org>",
                "=?ISO-2022-JP?B?GyRCOzNFRBsoQg==?= <ada@example.org>",
                "=?iso-2022-jp?B?GyRCOzNFRBsoQg==?= =?iso-2022-jp?Q?=1B=24B=3B3ED=1B=28B?= <ada@example.org>",
            })
    void namesAsProgramsWriteThemStandBesideTheAddress(String field) throws Exception {
        assertThat(address(field)).contains(ADA);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ada",
                "Ada <ada>",
                "ada@example.org, boss@example.org",
                "boss@example.org <ada@example.org>",
                "ada@example.org boss <ada@example.org>",
                "boss ada@example.org <ada@example.org>",
                "ada@example.org, <ada@example.org>",
                "\"ada@example.org <ada@example.org>",
                "ada@example.org\" <ada@example.org>",
                "\"ada@example.org\" <boss@example.org> <ada@example.org>",
                "\"boss ada@example.org\" <ada@example.org>",
                "ada@example.org (boss) <ada@example.org>",
                "=?utf-8?Q?ada=40example.org?= <ada@example.org>",
                "ada@example.org@example.org <ada@example.org>",
                "=?iso-2022-jp?B?GyRC?= <ada@example.org>",
                "\"=?iso-2022-jp?B?DkJPQkBBQ01FLkVYQU1QTEUP?=\" <ada@example.org>", // shifts of JIS X 0201 katakana
                "=?iso-2022-jp?B?DkJPQkBBQ01FLkVYQU1QTEUP?= <ada@example.org>",
                "=?iso-2022-jp?Q?Bob_=0EBOB?= <ada@example.org>",
                "=?iso-2022-jp?Q?=1B(I12?= <ada@example.org>",
                "\"=?iso-2022-jp?B?GyRCOzNFRBsoQg==?=\" <ada@example.org>",
                "=?iso-2022-jp?Q?boss=40example.org?= <ada@example.org>",
                "=?iso-2022-jp?Q?=3Cboss=3E?= <ada@example.org>",
                "\"boss@example.org\" <ada@example.org>",
                "ada@example.org (boss@example.org)",
                "boss\uff20example.org <ada@example.org>",
                "boss\ufe6bexample.org <ada@example.org>",
                "=?utf-8?Q?boss=40example.org?= <ada@example.org>",
                "=?utf-8?B?Ym9zc++8oGV4YW1wbGUub3Jn?= <ada@example.org>",
                "=?utf-7?Q?boss+AEA-example.org?= <ada@example.org>",
                "=?utf-16be?B?AEA=?= <ada@example.org>",
                "=?gb2312?B?Ym9zc6PAZXhhbXBsZS5vcmc=?= <ada@example.org>",
                "=?big5?Q?boss=FE=40example.org?= <ada@example.org>", // one character, or two for who does not know it
                "=?iso-2022-jp?B?Ym9zcxskQiF3GyhCZXhhbXBsZS5vcmc=?= <ada@example.org>",
                "=?utf-8?Q?boss=40example.org ?= <ada@example.org>",
                "=?utf-8?Q?boss=4?= =?utf-8?Q?0example.org?= <ada@example.org>",
                "=?utf-8?Q?=C3?= =?utf-8?Q?=A4?= <ada@example.org>",
                "=?utf-8?Q?boss?=40example.org?= <ada@example.org>",
                "=?utf-8?Q?=3D=3Futf-8=3FQ=3Fboss=3D40example.org=3F=3D?= <ada@example.org>",
                "=?utf-8?Q?=3D?= =?utf-8?Q?=3Futf-8=3FQ=3Fboss=3D40example.org=3F=3D?= <ada@example.org>",
                "\"=\\?utf-8?Q?boss=40example.org?=\" <ada@example.org>",
                "=??Q?boss=40example.org?= <ada@example.org>",
                "=?x-unknown?Q?boss=40example.org?= <ada@example.org>",
                "=?iso-8859-12?Q?x?= <ada@example.org>",
                "=?u=x?Q?boss=40example.org?= <ada@example.org>",
                "x=?utf-8?Q?Ada?= <ada@example.org>",
                "=?utf-8?B?QWTDp?= <ada@example.org>",
                "=?utf-8?Q?a=5C?=<ada@example.org>", // decoded and read again, it hides the bracket
                "=?utf-8?Q?=3Cboss=3E?= <ada@example.org>",
                "=?utf-8?Q?ada?=@example.org",
                "=?utf-8?q?ada?= @example.org",
                "boss\\@example.org <ada@example.org>",
                "\"a\\\" <boss@example.org>, \\\"\" <ada@example.org>",
                "\"boss <ada@example.org>",
                "(boss <ada@example.org>",
                "boss (\"x) <ada@example.org> (\")",
                "boss ([x) <ada@example.org> (])",
                "Ada (a (b)) <ada@example.org>",
                "[boss] <ada@example.org>",
                "[boss <ada@example.org>",
                "boss ada@example.org",
                "boss, ada@example.org",
                "boss; ada@example.org",
                "boss: ada@example.org;",
                "boss:; ada@example.org",
                "<boss> <ada@example.org>",
                "<boss <ada@example.org>>",
                "<@boss.example:ada@example.org>",
                "<ada@example.org> boss",
                "<ada@example.org> (boss)",
                "<ada@example.org(boss)>",
                "ada(boss)@example.org",
                "ada @example.org",
                "< ada@example.org>",
                "\"ada\"@example.org",
                "ada@example.org.",
                "ada@[192.0.2.1]",
                "ada@b\u00fccher.example",
                "\u212Aim@example.org", // whose small letter is k
                "ada\0@example.org",
                "boss\0 <ada@example.org>",
                "\u202egro.elpmaxe <ada@example.org>",
                "=?utf-8?B?4oCuZ3JvLmVscG1heGU=?= <ada@example.org>",
                "boss\u2028 <ada@example.org>",
                "Ada Lovelace \u2039ada\u24d0acme.example\u203a <ada@example.org>",
                "=?utf-8?B?4oC5YWRh4pOQYWNtZS5leGFtcGxl4oC6?= <ada@example.org>",
                "\"Boss \u3008boss\" <ada@example.org>",
                "boss a\u20ddacme.example <ada@example.org>",
                "=?utf-8?Q?boss=00?= <ada@example.org>",
                "=?utf-8?Q?boss=0D=0AFrom:?= <ada@example.org>",
                "boss\r\n<ada@example.org>",
                "boss\r\n \r\n <ada@example.org>",
                "ada@example.org\r\nFrom: boss@example.org",
                "ada@example.org\r\nFROM : boss@example.org",
            })
    void whateverProgramsMayReadOtherwiseHasNone(String field) throws Exception {
        assertThat(address(field)).isEmpty();
    }

    /** Signs of addresses to the eye, most of which have no compatible form (NFKC) that is one, and blank letters. */
    @Test
    void aCharacterThatPeopleTakeForASignOfAddressesOrABlankHasNone() throws Exception {
        String taken =
                "\u24d0 \u24b6 \ud83c\udd50 \u2039 \u203a \u3008 \u3009 \u27e8 \u27e9 \u2329 \u232a \ufe3f \ufe40"
                        + " \ufe64 \ufe65 \ufe6b \uff1c \uff1e \uff20 \u276e \u276f \u1438 \u1433 \ud834\ude36"
                        + " \u3164 \u115f \u1160 \uffa0 \u2800";
        for (String each : taken.split(" ")) {
            String encoded = Base64.getEncoder().encodeToString(("Ada" + each).getBytes(StandardCharsets.UTF_8));
            assertThat(address("Ada" + each + " <ada@example.org>")).as(each).isEmpty();
            assertThat(address("\"Ada " + each + "\" <ada@example.org>"))
                    .as(each)
                    .isEmpty();
            assertThat(address("ada@example.org (Ada" + each + ")")).as(each).isEmpty();
            assertThat(address("=?utf-8?B?" + encoded + "?= <ada@example.org>"))
                    .as("%s encoded", each)
                    .isEmpty();
        }
        for (String name :
                List.of("\u00abAda\u00bb", "Ada \u24d1", "\u201eAda\u201c", "1\ufe0f\u20e3", "\uac00\u1100")) {
            assertThat(address(name + " <ada@example.org>")).as(name).contains(ADA);
        }
    }

    /** Bytes that are not ASCII are question marks outside, which make an encoded word of what is none inside. */
    @Test
    void theFieldOutsideHasToHaveTheAddressToo() throws Exception {
        byte[] bytes =
                "From: =+utf-8?Q?boss=40example.org?= <ada@example.org>\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        bytes["From: =".length()] = (byte) 0xff;
        MailHeader header = MailHeader.read(new ByteArrayInputStream(bytes)).header();
        assertThat(HeaderProtection.protect(header, ADA, Instant.EPOCH).outer())
                .contains("From: =?utf-8?Q?boss=40example.org?= <ada@example.org>");
        assertThat(SenderField.address(header, "from")).isEmpty();
        assertThat(address("\"=\u00e9Q?boss=40example.org?=\" <ada@example.org>"))
                .as("an encoded word that is no word of it")
                .contains(ADA);
    }

    /** Outside, the envelope's sender stands instead of a word that is too long for a line. */
    @Test
    void aNameThatPushesTheAddressAwayHasNone() throws Exception {
        assertThat(address("a".repeat(SenderField.MAX_NAME) + " <ada@example.org>"))
                .contains(ADA);
        assertThat(address("a".repeat(SenderField.MAX_NAME + 1) + " <ada@example.org>"))
                .isEmpty();
        assertThat(address("a".repeat(901) + " <ada@example.org>")).isEmpty();
        assertThat(address("=?utf-8?Q?boss" + "_".repeat(120) + "?= <ada@example.org>"))
                .isEmpty();
    }

    @Test
    void aHostileFieldCostsLittle() throws Exception {
        String[] hostile = {"\"", "(", "=?utf-8?Q?a?= ", "a ", "\\\"", "=?", "a@", " \t", "<"};
        for (String each : hostile) {
            ProcessorTime.bounded(Duration.ofSeconds(5), () -> {
                assertThat(address(each.repeat(900_000 / each.length()))).isEmpty();
                assertThat(address(each.repeat(880 / each.length()))).isEmpty();
                return each;
            });
        }
    }

    private static Optional<String> address(String field) throws Exception {
        byte[] bytes = ("From: " + field + "\r\n\r\n").getBytes(StandardCharsets.UTF_8);
        return SenderField.address(
                MailHeader.read(new ByteArrayInputStream(bytes)).header(), "from");
    }
}
