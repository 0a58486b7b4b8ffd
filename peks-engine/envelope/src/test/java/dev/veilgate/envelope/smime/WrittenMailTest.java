package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenMailTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final String START =
            "From: a@x\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@x>\r\nSubject: Q3\r\n";
    private static final String TEXT = "Content-Type: text/plain; charset=utf-8\r\n";
    private static final String HTML = "Content-Type: text/html; charset=utf-8\r\n";
    private static final String BASE64 = "Content-Transfer-Encoding: base64\r\n";
    private static final String QUOTED = "Content-Transfer-Encoding: quoted-printable\r\n";
    private static final String ALTERNATIVE = "Content-Type: multipart/alternative; boundary=\"b b\"\r\n";

    static Stream<String> mails() {
        return Stream.of(
                        "\r\nthe owls\r\n",
                        "\r\n",
                        TEXT + "\r\nthe owls\r\n",
                        TEXT + QUOTED + "\r\nthe=C3=BC=\r\n owls\r\n",
                        TEXT + BASE64 + "\r\n" + base64("the owls"),
                        HTML + "\r\n<p>owls</p>\r\n",
                        HTML + "\r\n<div dir=\"ltr\">\u00fc</div>\r\n",
                        HTML + QUOTED + "\r\n<html><head><style>p {color: red}</style></head><bo=\r\ndy style=3D\"x\">"
                                + "<p>owls</p></body></html>\r\n",
                        HTML + BASE64 + "\r\n" + base64("<p>owls</p>"),
                        HTML + BASE64 + "\r\n" + base64("<html><head><meta x=y></head><body>owls</body></html>"),
                        HTML + "\r\n<!DOCTYPE html>\r\n<html><head>\r\n<!--[if mso]><body><![endif]-->"
                                + "<title>t</title></head><body>owls</body></html>\r\n",
                        ALTERNATIVE + "\r\n--b b\r\n\r\nplain\r\n--b b\r\n" + HTML + "\r\n<p>html\r\n--b b--\r\n",
                        "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=out\r\n\r\npreamble\r\n--out\r\n"
                                + ALTERNATIVE + "\r\n--b b\r\n" + TEXT + BASE64 + "\r\n" + base64("plain")
                                + "\r\n--b b\r\n" + HTML + QUOTED + "\r\n<p>html\r\n--b b--\r\n--out\r\n"
                                + "Content-Type: application/pdf\r\n\r\nfile\r\n--out--\r\nepilogue\r\n",
                        "Content-Type: multipart/signed; boundary=x\r\n\r\n--x\r\n\r\ntext\r\n--x--\r\n")
                .map(START::concat);
    }

    @ParameterizedTest
    @MethodSource("mails")
    void whatWasSealedWithSenderAndRecipientsInTheTextComesOutAsItWasWritten(String mail) throws Exception {
        String named = mail.replace("From: a@x", "From: \"A, <b>\" <a@x>\r\nTo: b@x,\r\n c@x\r\nCc: d@x");
        for (String written : List.of(named, mail, named.replace("Subject: Q3\r\n", ""))) {
            String sealed = sealed(written, MailHeader.Field::value);
            boolean isSigned = mail.contains("multipart/signed");
            assertThat(sealed.contains("Veilgate-Legacy-Display")).isEqualTo(!isSigned);
            assertThat(written(sealed)).isEqualTo(written);
            if (!isSigned && !mail.contains(BASE64) && written.contains("To: b@x")) {
                String other = sealed.replaceFirst("(\r\n\r\n(?s:.*?))To: b@x", "$1To: z@x");
                assertThat(written(other))
                        .as("a line that is not of the header")
                        .isEqualTo(other);
            }
        }
    }

    private static String sealed(String mail, Function<MailHeader.Field, String> fields) throws Exception {
        ByteArrayInputStream body = new ByteArrayInputStream(bytes(mail));
        MailHeader header = MailHeader.read(body).header();
        byte[] rest = body.readAllBytes();
        HeaderProtection protection = HeaderProtection.of(header, "a@x", NOW);
        LegacyDisplay display = LegacyDisplay.of(protection.header(), fields, new ByteArrayInputStream(rest));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(protection.protect(false, display).inner());
        display.into(new ByteArrayInputStream(rest)).transferTo(out);
        return out.toString(StandardCharsets.ISO_8859_1);
    }

    /** Mail of before, whose names that are not ASCII are question marks outside. */
    @Test
    void whatWasSealedWithQuestionMarksOutsideComesOutAsItWasWritten() throws Exception {
        String written = START.replace("a@x", "Ad\u00c3\u00a4 <a@x>") + TEXT + "\r\nthe owls\r\n";
        byte[] bytes = written.getBytes(StandardCharsets.ISO_8859_1);
        MailHeader header = MailHeader.read(new ByteArrayInputStream(bytes)).header();
        for (HeaderProtection.Spelling spelling : HeaderProtection.Spelling.values()) {
            HeaderProtection.Protected both =
                    HeaderProtection.of(header, "", NOW).protect(false, LegacyDisplay.NONE, spelling);
            assertThat(both.outer().contains("From: Ad?? <a@x>"))
                    .isEqualTo(spelling == HeaderProtection.Spelling.FORMER);
            ByteArrayOutputStream sealed = new ByteArrayOutputStream();
            sealed.writeBytes(both.inner());
            sealed.writeBytes("the owls\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(WrittenMail.of(sealed.toByteArray(), field -> "")).isEqualTo(bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "From: \"Bob Smith, Director\" <ada@x.example>\r\nReply-To: Ada <eve@x.example>\r\n"
                        + "Sender: Eve <eve@x.example>\r\nTo: B <b@x.example>,\r\n C <c@x.example>\r\n"
                        + "Cc: d@x.example\r\n",
                "From: ada@x.example, bob@x.example\r\nTo: b@x.example\r\n",
                "From: ada@x.example\r\nFrom: bob@x.example\r\nTo: b@x.example\r\nTo: c@x.example\r\n",
                "From:\r\nFROM: Bob <bob@x.example>\r\nSender: a, b\r\n",
                "FROM: Bob\r\n <bob@x.example>\r\n",
                "From: nobody\r\nTo: undisclosed-recipients:;\r\nHP-Outer: From: bob@x.example\r\n",
                "From: =?utf-8?Q?B=C3=B6b?= <bob@x.example>\r\nDate: Sun\r\nMessage-ID: <1@x.example>\r\n",
                "From: =?iso-2022-jp?B?GyRCOzNFRBsoQg==?= <bob@x.example>\r\nTo: \u00c3\u00a4 <b@x.example>\r\n",
                "To: b@x.example\r\n",
                "From: Bob <bob@x.example>\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@x.example>\r\n"
                        + "References: <2@x.example>\r\n <3@x.example>\r\nMIME-Version: 1.0\r\n"
            })
    void whatWasSealedUnderBareAddressesComesOutAsItWasWritten(String fields) throws Exception {
        String rest = "Subject: Q3\r\n" + TEXT + "\r\n";
        for (String sender : List.of("eve@x.example", "no address", "\"=?utf-8?Q?Bob?=\"@x.example")) {
            MailHeader header = MailHeader.read(new ByteArrayInputStream(bytes(fields + rest)))
                    .header();
            HeaderProtection protection = HeaderProtection.of(header, sender, NOW);
            HeaderProtection.Protected both = protection.protectBare(LegacyDisplay.NONE);
            String inner = new String(both.inner(), StandardCharsets.ISO_8859_1);
            MailHeader outside = MailHeader.read(new ByteArrayInputStream(bytes(both.outer() + "\r\n")))
                    .header();
            String written = written(inner + "the owls\r\n");
            assertThat(written)
                    .as(sender)
                    .endsWith(fields.replaceFirst("HP-Outer: .*\r\n", "") + rest + "the owls\r\n")
                    .doesNotContain("HP-Outer");
            assertThat(inner)
                    .contains("HP-Outer: "
                            + String.join("HP-Outer: ", both.outer().split("(?<=\r\n)(?! )")));
            assertThat(outside.all("from")).hasSize(1);
            assertThat(SenderField.address(outside, "from")).isPresent();
            assertThat(OuterHeader.differing(
                            MailHeader.read(new ByteArrayInputStream(bytes(written)))
                                    .header(),
                            outside))
                    .isEmpty();
            String other = inner.replaceFirst("HP-Outer: From: .*\r\n", "HP-Outer: From: Eve <eve@x.example>\r\n");
            assertThat(written(other))
                    .as("a name outside that is not of the message")
                    .isEqualTo(other);
        }
    }

    @ParameterizedTest
    @MethodSource("mails")
    void whatWasSealedComesOutAsItWasWritten(String mail) throws Exception {
        for (String written :
                List.of(mail, mail.replace("Subject: Q3\r\n", ""), mail.replace(": Q3", ": \u00fc&<x>"))) {
            for (boolean isOutside : new boolean[] {false, true}) {
                for (boolean isInText : new boolean[] {false, true}) {
                    String sealed = sealed(written, isOutside, isInText);
                    assertThat(sealed).contains("HP-Outer", "hp=\"cipher\"");
                    assertThat(written(sealed)).isEqualTo(written);
                }
            }
        }
        assertThat(written(mail)).as("never sealed").isEqualTo(mail);
    }

    @Test
    void fieldsThatWereAddedStay() throws Exception {
        String sealed = sealed("To: b@x\r\nSubject: Q3\r\n\r\nthe owls\r\n", false, true);
        assertThat(written(sealed))
                .matches("From: <a@x>\r\nDate: Sat, 21 Nov 2026 10:00:00 \\+0000\r\nMessage-ID: <[^>]+>\r\n"
                        + "To: b@x\r\nSubject: Q3\r\n\r\nthe owls\r\n");
    }

    /** Sealed by the first version that left bare addresses outside; a later one must read it too. */
    @Test
    void whatIsSealedUnderBareAddressesTodayWillBeReadable() throws Exception {
        String written = "From: ada@x.example, Bob <bob@x.example>\r\nSender: Eve <Eve@x.example>\r\n"
                + "Reply-To: eve@x.example\r\nTo: B <b@x.example>, c@x.example\r\n"
                + "Date: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@x>\r\nSubject: Q3\r\n" + TEXT
                + "\r\nthe owls\r\n";
        String outer = "HP-Outer: From: dave@x.example\r\nHP-Outer: Sender: eve@x.example\r\n"
                + "HP-Outer: To: b@x.example,\r\n c@x.example\r\n"
                + "HP-Outer: Date: Sat, 21 Nov 2026 10:00:00 +0000\r\nHP-Outer: Message-ID: <1@x>\r\n"
                + "HP-Outer: Subject: [...]\r\n";
        String sealed = outer + written.replace("text/plain;", "text/plain;\r\n hp=\"cipher\";");
        assertThat(written(sealed)).isEqualTo(written);
        String lying = sealed.replace("HP-Outer: To: b@x.example", "HP-Outer: To: z@x.example");
        assertThat(written(lying)).isEqualTo(lying);
    }

    /** Sealed by the first version that named the places; a later one must read it too. */
    @Test
    void whatIsSealedTodayWillBeReadable() throws Exception {
        String outer = "HP-Outer: From: a@x\r\nHP-Outer: Date: Sat, 21 Nov 2026 10:00:00 +0000\r\n"
                + "HP-Outer: Message-ID: <1@x>\r\nHP-Outer: Subject: [...]\r\n";
        String sealed = "MIME-Version: 1.0\r\nContent-Type: text/plain; hp=\"cipher\"; hp-legacy-display=\"1\"\r\n"
                + "Veilgate-Legacy-Display: 0+15\r\n" + outer + START + "\r\nSubject: Q3\r\n\r\nthe owls\r\n";
        assertThat(written(sealed)).isEqualTo(START + "\r\nthe owls\r\n");
        String body = "--b\r\nContent-Type: text/plain; hp-legacy-display=\"1\"\r\n\r\nSubject: Q3\r\n\r\nplain\r\n"
                + "--b\r\nContent-Type: text/html; hp-legacy-display=\"1\"; charset=utf-8\r\n"
                + "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
                + "<html><body><div class=3D\"header-protection-legacy-display\"><pre>Subject: Q3</pre></div>\r\n"
                + "html</body></html>\r\n--b--\r\n";
        String places = places(body);
        String mixed = "Veilgate-Legacy-Display: " + places + "\r\n" + outer + START
                + "Content-Type: multipart/alternative;\r\n hp=\"cipher\"; boundary=b\r\n\r\n" + body;
        assertThat(written(mixed))
                .isEqualTo(START
                        + "Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n"
                        + "Content-Type: text/plain\r\n\r\n"
                        + "plain\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n"
                        + "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
                        + "<html><body>html</body></html>\r\n--b--\r\n");
    }

    private static String places(String body) {
        StringBuilder places = new StringBuilder();
        for (String piece : List.of(
                "; hp-legacy-display=\"1\"\r",
                "Subject: Q3\r\n\r\n",
                "; hp-legacy-display=\"1\";",
                "<div class=3D\"header-protection-legacy-display\"><pre>Subject: Q3</pre></div>\r\n")) {
            int length = piece.startsWith(";") ? piece.length() - 1 : piece.length();
            places.append(places.isEmpty() ? "" : " ")
                    .append(body.indexOf(piece))
                    .append('+')
                    .append(length);
        }
        return places.toString();
    }

    /** Replacements in a sealed mail: the line, the header, or the places say something else than sealing says. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Display: 0+15|Display: 0+16",
                "Display: 0+15|Display: 0+14",
                "Display: 0+15|Display: 15+5",
                "Display: 0+15|Display: 0+15 15+3",
                "Display: 0+15|Display: 0+15 0+15",
                "Display: 0+15|Display: 0+15 7+15",
                "Display: 0+15|Display: 0+15 900000000+1",
                "Display: 0+15|Display: 999999999999999+99999",
                "Display: 0+15|Display: 0+15\r\nVeilgate-Legacy-Display: 15+3",
                "Display: 0+15|Display: 0+15 ",
                "Display: 0+15|Display: +15",
                "Display: 0+15|Display:",
                "Veilgate-Legacy-Display: 0+15\r\n|",
                "\nSubject: Q3\r\n\r\nthe|\nSubject: Q4\r\n\r\nthe",
                "\nSubject: Q3\r\n\r\nthe|\nTo all: Q3\r\n\r\nthe",
                "\nSubject: Q3\r\n\r\nthe|\nsubject: Q3\r\n\r\nthe",
                "\nSubject: Q3\r\n\r\nthe|\nthe Subject: Q3\r\n\r\n",
                "<1@x>\r\nSubject: Q3|<1@x>\r\nSubject: Q4",
                "<1@x>\r\nSubject: Q3|<1@x>\r\nSubject: Q3\r\nSubject: Q4",
                "Veilgate-L|X-Secret: text\r\nVeilgate-L",
                "Veilgate-L|Subject: text\r\nVeilgate-L",
                "HP-Outer: Subject: [...]|HP-Outer: Subject: text",
                "HP-Outer: Subject: [...]|HP-Outer: Subject: [...]\r\nHP-Outer: X-Secret: text",
                "HP-Outer: Subject: [...]|HP-Outer: Subject: [...]\r\ntext",
                "HP-Outer: From: a@x|HP-Outer: From: b@x",
                "Subject: Q3\r\nContent|Subject: Q3\r\nHP-Outer: X: text\r\nContent",
                "Subject: Q3\r\nContent|Subject: Q3\r\nBcc: text\r\nContent",
                "hp=\"cipher\"|hp=\"cipher\"; hp=\"text\"",
                "hp=\"cipher\"|hp=\"clear\"",
                "; hp-legacy-display=\"1\"|",
            })
    void whatSealingWouldNotGiveStaysAsItIs(String change) throws Exception {
        String sealed = sealed(START + TEXT + "\r\nthe owls\r\n", false, true);
        String[] parts = change.split("\\|", -1);
        assertThat(sealed).contains(parts[0], "Veilgate-Legacy-Display: 0+15\r\n");
        String changed = sealed.replace(parts[0], parts[1]);
        assertThat(changed).isNotEqualTo(sealed);
        assertThat(written(changed)).isEqualTo(changed);
    }

    /** Text that a program shows only while the line is before it, and another one only when it is gone. */
    static Stream<String> twoReadings() {
        String parts = "\r\n--b b\r\n\r\nplain\r\n--b b\r\n" + HTML + "\r\n<p>html\r\n--b b--\r\n";
        return Stream.of(
                HTML + "\r\n<html lang='<body>text'>x\r\n",
                HTML + "\r\n<html lang=\"<body>text\">x\r\n",
                HTML + "\r\n<!--<body> text -->\r\n",
                HTML + "\r\n<!--><body> text -->\r\n",
                HTML + "\r\n<style><body></style>text\r\n",
                HTML + "\r\n<textarea><body>text</textarea>\r\n",
                HTML + "\r\n<svg><body>text</svg>\r\n",
                HTML + "\r\n<p style='display:none'><body>text\r\n",
                HTML + "\r\n<frameset></frameset>text\r\n",
                HTML + "\r\n&#32;<frameset></frameset>text\r\n",
                HTML + BASE64 + "\r\n" + base64("<frameset></frameset>text"),
                HTML + BASE64 + "\r\n" + base64("<html><head><title>text</title></head><body>x"),
                HTML + QUOTED + "\r\n<html lang=3D'<body>text'>x\r\n",
                HTML + QUOTED + "\r\n<=21--<body>text-->\r\n",
                HTML + QUOTED + "\r\n<html> \r\n<body>text\r\n",
                HTML.replace("utf-8", "iso-2022-jp") + "\r\n<html>\u001b$B<body>text\r\n",
                HTML.replace("utf-8", "shift_jis") + "\r\n<html lang=\"\u0081\"><body>text\r\n",
                TEXT + BASE64 + "\r\n" + base64("\u00fe\u00fftext"),
                TEXT + "\r\n\u00ff\u00fetext\r\n",
                TEXT.replace("utf-8", "x-windows-iso2022jp") + "\r\ntext\r\n",
                TEXT.replace("utf-8", "utf-8; charset=utf-16") + "\r\ntext\r\n",
                TEXT.replace("charset", "x=\"; charset=us-ascii\"; charset") + "\r\ntext\r\n",
                TEXT.replace("charset", "charset*=utf-16''; charset") + "\r\ntext\r\n",
                TEXT + TEXT + "\r\ntext\r\n",
                TEXT + "Content-Transfer-Encoding: 7bit\r\n" + BASE64 + "\r\ntext\r\n",
                TEXT + "X: y\r\nstray line\r\n" + "\r\ntext\r\n",
                TEXT + "X: y\n" + BASE64 + "\r\ntext\r\n",
                BASE64 + "\r\n" + base64("text"),
                "Content-Type: text/plain (; charset=utf-8\r\n\r\ntext\r\n",
                "Content-Type : text/plain\r\n\r\ntext\r\n",
                ALTERNATIVE + BASE64 + parts,
                ALTERNATIVE.replace("\r\n", "; boundary=x\r\n") + parts,
                ALTERNATIVE.replace("\"b b\"", "\"b b \"") + parts,
                ALTERNATIVE + parts.replace("plain", "plain\n--b b\nContent-Transfer-Encoding: base64\n\n"),
                ALTERNATIVE + parts.replace("plain", "plain\r\n--b bx\r\nContent-Transfer-Encoding: base64\r\n\r\n"),
                ALTERNATIVE + parts.replace("plain", "plain\r\n--b b \r\nContent-Type: text/css\r\n\r\n"),
                ALTERNATIVE + parts.replace("plain", "plain\r\n--b b\r\nno field\r\n\r\n"),
                ALTERNATIVE + parts.replace(HTML, HTML + BASE64 + QUOTED),
                ALTERNATIVE + parts.replace(HTML, HTML + " \r\n" + BASE64));
    }

    @ParameterizedTest
    @MethodSource("twoReadings")
    void whatCouldBeReadDifferentlyWithoutTheLineKeepsIt(String mail) throws Exception {
        String sealed = sealed(START + mail, false, true);
        assertThat(sealed).contains("Veilgate-Legacy-Display: ");
        assertThat(written(sealed)).isEqualTo(sealed);
    }

    @Test
    void aSubjectThatProgramsReadInSeveralWaysKeepsItsLine() throws Exception {
        byte[] sealed = bytes(sealed(START + "\r\nthe owls\r\n", false, true));
        assertThat(WrittenMail.of(sealed, field -> "")).isSameAs(sealed);
        assertThat(WrittenMail.of(sealed, field -> "Q4")).isSameAs(sealed);
    }

    @Test
    void hostileBodiesCostTheirLength() throws Exception {
        for (String pump :
                List.of("<", "<!--", "<p a='", "<style>", "<b>\r\n", "&", "\r\n", "--b b\r\n\r\n", "<body", "a=")) {
            String text = pump.repeat(200_000 / pump.length());
            for (String head : List.of(HTML, HTML + QUOTED, HTML + BASE64, ALTERNATIVE)) {
                String body = head.equals(ALTERNATIVE) ? "--b b\r\n" + HTML + "\r\n" + text : text;
                long before = System.nanoTime();
                written(sealed(START + head + "\r\n" + body, false, true));
                assertThat(System.nanoTime() - before).as(pump).isLessThan(5_000_000_000L);
            }
        }
    }

    private static String sealed(String mail, boolean isOutside, boolean isInText) throws Exception {
        ByteArrayInputStream body = new ByteArrayInputStream(bytes(mail));
        MailHeader header = MailHeader.read(body).header();
        byte[] rest = body.readAllBytes();
        var subject = header.first("subject");
        LegacyDisplay display = isInText && subject.isPresent()
                ? LegacyDisplay.of(header, subject.get().value(), new ByteArrayInputStream(rest))
                : LegacyDisplay.NONE;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(HeaderProtection.of(header, "a@x", NOW)
                .protect(isOutside, display)
                .inner());
        display.into(new ByteArrayInputStream(rest)).transferTo(out);
        return out.toString(StandardCharsets.ISO_8859_1);
    }

    private static String written(String opened) throws Exception {
        return new String(WrittenMail.of(bytes(opened), MailHeader.Field::value), StandardCharsets.ISO_8859_1);
    }

    private static String base64(String text) {
        return Base64.getMimeEncoder().encodeToString(bytes(text)) + "\r\n";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
