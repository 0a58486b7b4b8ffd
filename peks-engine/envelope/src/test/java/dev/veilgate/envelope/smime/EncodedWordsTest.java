package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and subjects that are not ASCII, as the world sees them. */
class EncodedWordsTest {
    private static final Pattern WORD = Pattern.compile("=\\?utf-8\\?B\\?([A-Za-z0-9+/=]*)\\?=(?:\\s+(?==\\?))?");

    private static String latin1(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static String mailboxes(String text) {
        return EncodedWords.ofMailboxes(latin1(text));
    }

    /** As programs show it: RFC 2047, section 6.2. Characters are never split over words. */
    private static String shown(String encoded) {
        Matcher words = WORD.matcher(encoded);
        return words.replaceAll(word -> Matcher.quoteReplacement(
                new String(Base64.getDecoder().decode(word.group(1)), StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
            Alice <a@x.example>                      | Alice <a@x.example>
            Älice <a@x.example>                      | Älice <a@x.example>
            Älice Örn Ada <a@x.example>              | Älice Örn Ada <a@x.example>
            Ada Älice Bob Örn <a@x.example>          | Ada Älice Bob Örn <a@x.example>
            "Müller, Adä" <a@x.example>              | Müller, Adä <a@x.example>
            "Mü \\"x\\" \\\\" <a@x.example>          | Mü "x" \\ <a@x.example>
            "Mü"<a@x.example>                        | Mü <a@x.example>
            "Mü" Öz <a@x.example>, "B, C" <b@x>      | Mü Öz <a@x.example>, "B, C" <b@x>
            a@x.example (Müller Ädä)                 | a@x.example (Müller Ädä)
            Grüppe: ä <a@x>, "ö" <b@x>;              | Grüppe: ä <a@x>, ö <b@x>;
            王明 <a@x.example>                       | 王明 <a@x.example>
            =?utf-8?B?w6Q=?= ö <a@x.example>         | ä ö <a@x.example>
            """)
    void aNameIsShownAsItWasWritten(String written, String shown) {
        String encoded = mailboxes(written);
        assertThat(encoded).matches("[\\x20-\\x7e]*");
        assertThat(shown(encoded)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Ünïcödé", "one Ä two Ö Ü three", "Ä, Ö: <Ü>", "價格 100 €", "😀 😀"})
    void aSubjectIsShownAsItWasWritten(String subject) {
        String encoded = EncodedWords.ofText(latin1(subject));
        assertThat(encoded).matches("[\\x20-\\x7e]*");
        assertThat(shown(encoded)).isEqualTo(subject);
    }

    @Test
    void anAddressThatIsNotAsciiIsNoName() {
        assertThat(mailboxes("<ädä@x.example>")).isEqualTo("<?d?@x.example>");
        assertThat(mailboxes("Ä ada@büro.example")).endsWith(" ada@b?ro.example");
    }

    @Test
    void wordsAreOfALengthThatEveryProgramTakes() {
        String name = "長い名前".repeat(60);
        String encoded = mailboxes(name + " <a@x.example>");
        for (String word : encoded.split(" ")) {
            assertThat(word).hasSizeLessThanOrEqualTo(75);
        }
        assertThat(shown(encoded)).isEqualTo(name + " <a@x.example>");
    }

    @Test
    void wordsInIso2022JpAreInUtf8Outside() {
        byte[] bytes = "山田".getBytes(Charset.forName("ISO-2022-JP"));
        String base64 = "=?ISO-2022-JP?B?" + Base64.getEncoder().encodeToString(bytes) + "?=";
        StringBuilder quoted = new StringBuilder();
        for (byte each : bytes) {
            quoted.append(String.format(Locale.ROOT, "=%02X", each));
        }
        for (String word : new String[] {base64, "=?iso-2022-jp?q?" + quoted + "?="}) {
            assertThat(shown(mailboxes(word + " <a@x.example>"))).isEqualTo("山田 <a@x.example>");
            assertThat(shown(mailboxes(word + " " + word + " <a@x.example>"))).isEqualTo("山田山田 <a@x.example>");
            assertThat(shown(EncodedWords.ofText(word))).isEqualTo("山田");
        }
        String damaged = "=?ISO-2022-JP?B?GyRC/w==?= <a@x.example>";
        assertThat(mailboxes(damaged)).isEqualTo(damaged);
    }

    @Test
    void bytesThatAreNotUtf8AndPlainAsciiStayAsTheyAre() {
        assertThat(EncodedWords.ofMailboxes("J\u00f6rg <a@x>")).isEqualTo("J\u00f6rg <a@x>");
        assertThat(EncodedWords.ofText("=?utf-8?Q?x?=  y\t")).isEqualTo("=?utf-8?Q?x?=  y\t");
    }

    @Test
    void quotesThatDoNotEndStayAndCostLittle() {
        assertThat(mailboxes("\"never ä closed <a@x>")).isEqualTo(latin1("\"never ä closed <a@x>"));
        String hostile = "ä " + "\\\"".repeat(400_000) + "\"".repeat(400_001);
        long start = System.nanoTime();
        mailboxes(hostile);
        mailboxes("ä " + "\"\\\"".repeat(300_000));
        assertThat(System.nanoTime() - start).isLessThan(5_000_000_000L);
    }

    /** No bracket and no sign of an address appears that was not there, and encoding again changes nothing. */
    @Test
    void anyTextKeepsItsBracketsAndAddresses() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String[] pieces = {
            "ä",
            "ö ",
            "\"",
            "\\",
            "(",
            ")",
            "<",
            ">",
            "a@x",
            ",",
            " ",
            "\t",
            "=?utf-8?B?w6Q=?=",
            "=?iso-2022-jp?B?GyRCOzMbKEI=?=",
            "x",
            ";",
            ":",
            "@"
        };
        int changed = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = random.nextInt(12); j >= 0; j--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            String encoded = mailboxes(text.toString());
            if (encoded.equals(latin1(text.toString()))) {
                continue;
            }
            changed++;
            assertThat(encoded).as("seed %s, %s", seed, text).matches("[\\x20-\\x7e\\t]*");
            assertThat(EncodedWords.ofMailboxes(encoded))
                    .as("seed %s, %s", seed, text)
                    .isEqualTo(encoded);
            String outside = encoded.replaceAll("\"(?:[^\"\\\\]|\\\\.)*\"", "");
            String before = text.toString().replaceAll("\"(?:[^\"\\\\]|\\\\.)*\"", "");
            assertThat(outside.replaceAll("[^<>@]", ""))
                    .as("seed %s, %s", seed, text)
                    .isEqualTo(before.replaceAll("[^<>@]", ""));
        }
        assertThat(changed).isGreaterThan(5_000);
    }
}
