package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LegacyDisplayTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final String MARK = " hp-legacy-display=\"1\"";

    @Test
    void textHasTheSubjectInItsFirstLine() throws Exception {
        String shown = shown("Content-Type: text/plain; charset=utf-8\r\n", "the owls\r\n", "Q3: \u00dcbernahme");
        assertThat(shown)
                .contains("Content-Type: text/plain;\r\n hp=\"cipher\";" + MARK + "; charset=utf-8\r\n")
                .endsWith("\r\n\r\nSubject: Q3: ?bernahme\r\n\r\nthe owls\r\n"); // 7bit
        assertThat(shown("", "the owls\r\n", "Q3")).contains("Content-Type: text/plain; hp=\"cipher\";" + MARK);
    }

    @Test
    void theCharacterSetIsThatOfTheText() throws Exception {
        String eightBit = "Content-Transfer-Encoding: 8bit\r\nContent-Type: text/plain; charset=";
        assertThat(shown(eightBit + "utf-8\r\n", "\r\n", "\u00dc \u6f22"))
                .contains("Subject: \u00c3\u009c \u00e6\u00bc\u00a2\r\n");
        assertThat(shown(eightBit + "ISO-8859-1\r\n", "\r\n", "\u00dc \u6f22")).contains("Subject: \u00dc ?\r\n");
        assertThat(shown(eightBit + "unheard-of\r\n", "\r\n", "Q3")).doesNotContain("Subject: Q3", "legacy");
        assertThat(shown(eightBit + "utf-16\r\n", "\r\n", "Q3")).doesNotContain("Subject: Q3", "legacy");
    }

    @Test
    void quotedPrintableAndBase64StayWhatTheyAre() throws Exception {
        String quoted = "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n";
        assertThat(shown(quoted, "=C3=BC\r\n", "a=\u00fc")).endsWith("\r\n\r\nSubject: a=3D=C3=BC\r\n\r\n=C3=BC\r\n");
        assertThat(shown(quoted, "t\r\n", "\u00fc".repeat(200))
                        .lines()
                        .mapToInt(String::length)
                        .max()
                        .orElse(0))
                .isLessThan(999);
        String base64 = "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n";
        for (String subject : List.of("a", "ab", "abc", "\u00fc")) {
            String body = Base64.getMimeEncoder().encodeToString("the owls".getBytes(StandardCharsets.UTF_8));
            String shown = shown(base64, body + "\r\n", subject);
            String read = new String(
                    Base64.getMimeDecoder().decode(shown.substring(shown.indexOf("\r\n\r\n"))), StandardCharsets.UTF_8);
            assertThat(read).matches("Subject: " + subject + " *\r\n\r\nthe owls");
        }
    }

    @Test
    void htmlHasItWhereItsBodyBegins() throws Exception {
        String shown = shown(
                "Content-Type: text/html\r\n",
                "<html><head><title>t</title></head>\r\n<BODY\r\n style=\"x\"><p>owls</p></BODY></html>\r\n",
                "a<b & c>d");
        assertThat(shown)
                .contains("\r\n<BODY\r\n style=\"x\"><div class=\"header-protection-legacy-display\"><pre>Subject: "
                        + "a&lt;b &amp; c&gt;d</pre></div>\r\n<p>owls</p>");
        assertThat(shown("Content-Type: text/html\r\n", "<p>owls</p>\r\n", "Q3"))
                .endsWith("\r\n\r\n<div class=\"header-protection-legacy-display\"><pre>Subject: Q3</pre></div>"
                        + "\r\n<p>owls</p>\r\n");
    }

    @Test
    void ofAlternativesAllHaveItAndOfOtherPartsTheFirst() throws Exception {
        String shown = shown(
                "Content-Type: multipart/mixed; boundary=out\r\n",
                "preamble\r\n--out\r\nContent-Type: multipart/alternative; boundary=\"in ner\"\r\n\r\n"
                        + "--in ner\r\n\r\nplain\r\n--in ner\r\nContent-Type: text/html\r\n\r\n<p>h\r\n--in ner--\r\n"
                        + "--out\r\nContent-Type: text/plain\r\n\r\nattached\r\n--out--\r\n",
                "Q3");
        assertThat(shown)
                .contains("--in ner\r\nContent-Type: text/plain;" + MARK + "\r\n\r\nSubject: Q3\r\n\r\nplain\r\n")
                .contains("--in ner\r\nContent-Type: text/html;" + MARK + "\r\n\r\n<div class")
                .contains("--out\r\nContent-Type: text/plain\r\n\r\nattached\r\n")
                .contains("Veilgate-Legacy-Display: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: multipart/signed; boundary=x\r\n\r\n--x\r\n\r\ntext\r\n--x--\r\n",
                "Content-Type: application/pkcs7-mime\r\n\r\ntext\r\n",
                "Content-Type: text/plain\r\nContent-Disposition: attachment\r\n\r\ntext\r\n",
                "Content-Type: text/plain\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\ntext\r\n",
                "Content-Type: multipart/mixed\r\n\r\n--x\r\n\r\ntext\r\n--x--\r\n",
                "Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nno\r\n\r\ntext\r\n--x--\r\n",
                "Content-Type: multipart/mixed; boundary=x\r\n\r\n--x--\r\n\r\n--x\r\n\r\ntext\r\n",
                "Content-Type: text/calendar\r\n\r\ntext\r\n",
            })
    void whatIsSignedOrNotUnderstoodHasNone(String mail) throws Exception {
        int end = mail.indexOf("\r\n\r\n");
        assertThat(shown(mail.substring(0, end + 2), mail.substring(end + 4), "Q3"))
                .doesNotContain("Subject: Q3")
                .doesNotContain("egacy");
    }

    @Test
    void aLineThatALongOneIsCutInIsNoDelimiter() throws Exception {
        String body = "--x\r\n\r\n" + "y".repeat((8 << 10) - 1) + "\r\n" + "z".repeat(8 << 10) + "--x--\r\n--x--\r\n";
        assertThat(shown("Content-Type: multipart/alternative; boundary=x\r\n", body, "Q3"))
                .contains("\r\n\r\nSubject: Q3\r\n\r\nyyy");
    }

    @Test
    void aForgedPlaceTakesNothingOut() throws Exception {
        for (String places : List.of("1+2 0+1", "x", "9999999999999999+1", "1+999999", "")) {
            MailHeader header = header("Veilgate-Legacy-Display: " + places + "\r\n");
            assertThat(LegacyDisplay.takenOut(header, in("owls")).readAllBytes())
                    .isEqualTo("owls".getBytes());
        }
    }

    /** The inside of a sealed mail; taking the lines out gives the body again. */
    private static String shown(String fields, String body, String subject) throws Exception {
        MailHeader header = header("From: a@x\r\n" + fields);
        LegacyDisplay display = LegacyDisplay.of(header, subject, in(body));
        HeaderProtection.Protected both =
                HeaderProtection.of(header, "a@x", NOW).protect(false, display);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(both.inner());
        display.into(in(body)).transferTo(out);
        MailHeader.Split inside = MailHeader.read(new ByteArrayInputStream(both.inner()));
        byte[] shown = display.into(in(body)).readAllBytes();
        byte[] again = LegacyDisplay.takenOut(inside.header(), new ByteArrayInputStream(shown))
                .readAllBytes();
        assertThat(new String(again, StandardCharsets.ISO_8859_1)).isEqualTo(body);
        assertThat(new String(HeaderProtection.restore(inside.header()), StandardCharsets.ISO_8859_1))
                .isEqualTo("From: a@x\r\n" + fields + "\r\n");
        return out.toString(StandardCharsets.ISO_8859_1);
    }

    private static MailHeader header(String text) throws Exception {
        return MailHeader.read(in(text + "\r\n")).header();
    }

    private static ByteArrayInputStream in(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
