package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.smime.HeaderProtection;
import dev.veilgate.envelope.smime.LegacyDisplay;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.WrittenMail;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;

/** Whatever was sealed: without the line of ours, the console shows all that it shows with it. */
class WrittenMailLawsTest {
    private static final int MAILS = Integer.getInteger("veilgate.laws.mails", 3_000);
    private static final String SUBJECT = "it's \"due\" now";
    private static final String LINE = "Subject: " + SUBJECT;
    private static final List<String> HTML = List.of(
            "<html>",
            "<head>",
            "</head>",
            "<body>",
            "<body class='a'>",
            "<title>",
            "</title>",
            "<style>",
            "</style>",
            "<!--",
            "-->",
            "--!>",
            "<!DOCTYPE html>",
            "<![CDATA[",
            "<p>",
            "<p title='",
            "<html lang=\"",
            "<a href=",
            "</p>",
            "<div>",
            "<br>",
            "<table>",
            "<frameset>",
            "<frame>",
            "<select>",
            "<svg>",
            "<textarea>",
            "<script>",
            "<noscript>",
            "<template>",
            "<xmp>",
            "<pre>",
            "'",
            "\"",
            ">",
            "<",
            " ",
            "&#32;",
            "&nbsp;",
            "\r\n",
            "one",
            "two",
            "three");
    private static final List<String> ENCODINGS =
            List.of("7bit", "8bit", "quoted-printable", "base64", "binary", "Base64", "x-uuencode");
    private static final List<String> FIELDS = List.of(
            "Content-Type: text/html; charset=utf-8",
            "Content-Type: text/html",
            "Content-Type: text/plain; charset=utf-16",
            "Content-Type: text/plain; charset=utf-8; charset=utf-16",
            "Content-Type: text/html; x=\"; charset=utf-16\"",
            "Content-Type: text/html (",
            "Content-Transfer-Encoding: base64",
            "Content-Transfer-Encoding: 7bit",
            "Content-Disposition: attachment",
            "Content-Type : text/plain",
            "no field",
            "X: y\nContent-Transfer-Encoding: base64",
            " ",
            "X: y");

    private final Random random = new Random(20261128);

    @Test
    void nothingButTheLineIsGone() throws Exception {
        int changed = 0;
        for (int i = 0; i < MAILS; i++) {
            String mail = "From: a@x\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@x>\r\nSubject: "
                    + SUBJECT + "\r\n" + entity(random.nextInt(3));
            byte[] sealed = sealed(mail);
            byte[] written = WrittenMail.of(sealed, MailHeader.Field::value);
            if (written != sealed) {
                changed += text(sealed).contains("Veilgate-Legacy-Display") ? 1 : 0;
                assertThat(text(written)).isEqualTo(mail);
                assertThat(shown(sealed)).as(mail).isEqualTo(shown(written));
            }
        }
        assertThat(changed).isGreaterThan(MAILS / 20);
    }

    private String shown(byte[] mail) throws Exception {
        MailView view = MailView.of(mail);
        String html = view.html() == null ? "" : Jsoup.parse(view.html()).text();
        return (view.text() + "|" + html)
                        .replace(LINE, "")
                        .replaceAll("\\s+", " ")
                        .replaceAll(" ?\\| ?", "|")
                        .strip()
                + view.attachments().stream().map(MailView.Attachment::type).toList();
    }

    private String entity(int depth) {
        if (depth == 0) {
            return leaf();
        }
        String boundary = List.of("b", "bb", "\"b b\"").get(random.nextInt(3));
        String delimiter = "--" + boundary.replace("\"", "");
        StringBuilder parts = new StringBuilder("Content-Type: multipart/"
                + List.of("mixed", "alternative", "alternative", "related", "signed")
                        .get(random.nextInt(5)) + "; boundary=" + boundary
                + (random.nextInt(8) == 0 ? "; boundary=bb" : "") + "\r\n\r\n");
        for (int i = random.nextInt(3); i >= 0; i--) {
            parts.append(delimiter)
                    .append(List.of("\r\n", "\r\n", "\r\n", "\r\n", " \r\n", "x\r\n", "\n")
                            .get(random.nextInt(7)))
                    .append(entity(random.nextInt(depth)))
                    .append("\r\n");
        }
        return parts.append(delimiter).append("--\r\n").toString();
    }

    private String leaf() {
        StringBuilder fields = new StringBuilder();
        if (random.nextInt(4) > 0) {
            fields.append("Content-Type: text/").append(random.nextBoolean() ? "html" : "plain");
            fields.append(random.nextBoolean() ? "; charset=utf-8\r\n" : "\r\n");
        }
        String encoding = ENCODINGS.get(random.nextInt(ENCODINGS.size()));
        fields.append("Content-Transfer-Encoding: ").append(encoding).append("\r\n");
        if (random.nextInt(4) == 0) {
            fields.insert(
                    random.nextBoolean() ? 0 : fields.length(), FIELDS.get(random.nextInt(FIELDS.size())) + "\r\n");
        }
        StringBuilder text = new StringBuilder(random.nextInt(4) == 0 ? "<html><head></head><body>" : "");
        for (int i = random.nextInt(8); i >= 0; i--) {
            text.append(HTML.get(random.nextInt(HTML.size())));
        }
        return fields + "\r\n"
                + switch (encoding) {
                    case "quoted-printable" -> quoted(text.toString());
                    case "base64", "Base64" ->
                        Base64.getMimeEncoder().encodeToString(bytes(text.toString()))
                                + (random.nextInt(4) == 0 ? "\r\none" : "");
                    default -> text.toString();
                };
    }

    private String quoted(String text) {
        StringBuilder quoted = new StringBuilder();
        for (char c : text.toCharArray()) {
            boolean isEncoded = c == '=' || c > ' ' && random.nextInt(12) == 0;
            quoted.append(isEncoded ? String.format(random.nextInt(40) == 0 ? "=%02x" : "=%02X", (int) c) : c);
            quoted.append(random.nextInt(40) == 0 ? "=\r\n" : "");
        }
        return quoted.toString();
    }

    private static byte[] sealed(String mail) throws Exception {
        ByteArrayInputStream in = new ByteArrayInputStream(bytes(mail));
        MailHeader header = MailHeader.read(in).header();
        byte[] body = in.readAllBytes();
        LegacyDisplay display = LegacyDisplay.of(header, SUBJECT, new ByteArrayInputStream(body));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(HeaderProtection.of(header, "", Instant.EPOCH)
                .protect(false, display)
                .inner());
        display.into(new ByteArrayInputStream(body)).transferTo(out);
        return out.toByteArray();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
