package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mails made to cost much more than their length: what a thread spends on them is bounded, whatever else the machine does. */
class HostileMailTest {
    /** Most seconds of processor time: a fraction of one, on a slow machine. */
    private static final long MAX_SECONDS = 5;

    /** Of fields as long as a field may be, 1.9 MB of them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "=?", "=?a?q?", "=?x-none?q?a?= ", "=?utf-8?q?a", "=?utf-8?q?a?= ", "=?utf-8?b??= ", "=?=",
                        "=?utf-8*en?Q?=41?=\t", "<", "(", "\"", "\\", "@",
                "a@", "<@", "a<", ",", ";", ":;", "[", "a ", " ", "=", "\u00e4", "(\\", "\"\\"
            })
    void fieldsOfOneThingAgainAndAgain(String piece) throws Exception {
        String value = piece.repeat(240_000 / piece.length());
        var mail = new StringBuilder();
        for (String field :
                List.of("From", "To", "Cc", "Subject", "List-Id", "Message-ID", "In-Reply-To", "Content-Type")) {
            mail.append(field).append(": ").append(value).append("\r\n");
        }
        mail.append("Content-Disposition: attachment; filename=\"")
                .append(value)
                .append("\"\r\n\r\nowls\r\n");
        assertThat(seconds(mail.toString())).isLessThan(MAX_SECONDS);
    }

    /** 135,000 charsets that there are not, each by another name. */
    @Test
    void charsetsThatDoNotExist() throws Exception {
        var mail = new StringBuilder();
        for (int field = 0; field < 8; field++) {
            mail.append("Subject: ");
            for (int i = 0; i < 16_000; i++) {
                mail.append("=?x").append(field).append('-').append(i).append("?q?a?= ");
            }
            mail.append("\r\n");
        }
        assertThat(seconds(mail + "\r\nowls\r\n")).isLessThan(5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"<b>", "<b><i>x", "<table>", "<a href=x>", "<p><b>", "<!", "&", "<svg><b>", "</p>", "<select><b>"
            })
    void htmlOfOneThingAgainAndAgain(String piece) throws Exception {
        String mail = "Content-Type: multipart/mixed; boundary=b\r\n\r\n"
                + ("--b\r\nContent-Type: text/html\r\n\r\n" + piece.repeat(260_000 / piece.length()) + "\r\n")
                        .repeat(10)
                + "--b--\r\n";
        assertThat(seconds(mail)).isLessThan(MAX_SECONDS);
    }

    /** Each a body or a part of one that is read in more than one way, or looked through for something else. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "begin 644 x\r\n",
                "begin 644 x\r\n#\r\n",
                "begin-base64 644 x\r\na\r\n",
                "--b--\r\n",
                "--b x\r\n",
                "--c--\r\n--b\r\n\r\n",
                "--b\r\n\r\n--b--\r\n",
                "\r--",
                "--\r",
                "--b\r\r",
                "+AAA",
                "+",
                "<bold>",
                "<<",
                "<",
                " \r\n x",
                "X;QUOTED-PRINTABLE:=\r\n",
                "Content-Type: x; boundary=b\r\n",
                "a=",
                "="
            })
    void bodiesOfOneThingAgainAndAgain(String piece) throws Exception {
        for (String type : List.of(
                "multipart/mixed; boundary=b",
                "text/enriched",
                "text/calendar",
                "text/plain; charset=utf-7",
                "text html; charset=utf-16; charset=cp037",
                "text/plain\r\nContent-Transfer-Encoding: 7bit\r\nContent-Transfer-Encoding: base64\r\n"
                        + "Content-Transfer-Encoding: uuencode")) {
            String mail = "Content-Type: " + type + "\r\n\r\n--b\r\n\r\n" + piece.repeat(1_000_000 / piece.length());
            assertThat(seconds(mail)).as(type).isLessThan(MAX_SECONDS);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a*0=b;",
                "a*1=b ",
                "boundary=\"",
                "x=\"\\",
                "(",
                "=",
                ";",
                "a ",
                "a*=%41",
                "charset=",
                "boundary=a ",
                "\r",
                "\rX: y",
                "\r\r"
            })
    void typesOfOneThingAgainAndAgain(String piece) throws Exception {
        String value = piece.repeat(240_000 / piece.length());
        String header =
                ("Content-Type: text/html; " + value + "\r\nContent-Transfer-Encoding: " + value + "\r\n").repeat(4);
        assertThat(seconds("Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + header + "\r\nowls\r\n"))
                .isLessThan(MAX_SECONDS);
    }

    @Test
    void whatWasFoundBeforeTheTimeWasOverStands() throws Exception {
        MailLimits base = MailLimits.DEFAULT;
        var limits = new MailLimits(
                base.maxMessageBytes(),
                base.maxHeaderBytes(),
                base.maxHeaderFields(),
                base.maxParts(),
                base.maxDepth(),
                1 << 30,
                200,
                base.attachments());
        var text = new StringBuilder("Subject: owls\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n");
        for (int part = 0; part < 900; part++) {
            text.append("--b\r\n\r\n");
            for (int i = 0; i < 6_000; i++) {
                text.append((char) ('a' + part % 26)).append(i * 31 + part).append(' ');
            }
            text.append("\r\n");
        }
        byte[] mail = text.append("--b--\r\n").toString().getBytes(StandardCharsets.US_ASCII);
        try (var extractor = new MailExtractor(ExtractorProfile.defaults(), limits)) {
            MailKeywords found = extractor.extract(mail);
            assertThat(found.refusals()).contains(new Refusal("", Refusal.Reason.TIME_LIMIT));
            assertThat(found.isCutShort()).isTrue();
            assertThat(found.isCutShortByAttachments())
                    .as("more time for attachments would not help")
                    .isFalse();
            assertThat(Mails.values(found, "subject")).containsExactly("owls");
            assertThat(found.bytes()).isLessThan(mail.length);
            // and the next mail has its own time
            assertThat(extractor
                            .extract("Subject: x\r\n\r\nowls\r\n".getBytes(StandardCharsets.US_ASCII))
                            .refusals())
                    .isEmpty();
        }
    }

    /** Where all charsets exist, the same as the library that decodes says. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "=?utf-8?q?a_=C3=A4?= b",
                "a =?utf-8?b?w6Q=?= =?utf-8?b?w7Y=?=  =?utf-8?q?x?= b",
                "=?utf-8?b?w?= =?utf-8?b?6Q=?=",
                "=?utf-8?q?=C3?= =?utf-8?q?=A4?=",
                "=?iso-8859-1?Q?=E4?==?utf-8?Q?=C3=A4?=",
                "x=?utf-8?q?a b?=y",
                "=?utf-8?q?a?= =?x-none?q?b?= =?utf-8?q?c?=",
                "=?utf-8?q?open",
                "=?utf-8?q?=41?= ?= =?"
            })
    void decodesAsTheLibraryDoes(String text) {
        assertThat(EncodedText.encodedWords(text))
                .isEqualTo(DecoderUtil.decodeEncodedWords(
                        text, DecodeMonitor.SILENT, java.nio.charset.Charset.forName("windows-1252")));
    }

    @Test
    void decodesAlsoBehindWhatOnlyBeginsLikeAWordAndWithLanguages() {
        assertThat(EncodedText.encodedWords("=?=?utf-8?q?a?= =?x =?utf-8*en?Q?=C3=A4?= =?utf-8?z?b?="))
                .isEqualTo("=?a =?x \u00e4 =?utf-8?z?b?=");
    }

    private static long seconds(String mail) throws Exception {
        try (var extractor = new MailExtractor(ExtractorProfile.defaults())) {
            long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            extractor.extract(mail.getBytes(StandardCharsets.ISO_8859_1));
            long after = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            System.out.println((after - before) / 1_000_000 + " ms for "
                    + mail.substring(0, 40).replace("\r\n", "|"));
            return (after - before) / 1_000_000_000L;
        }
    }
}
