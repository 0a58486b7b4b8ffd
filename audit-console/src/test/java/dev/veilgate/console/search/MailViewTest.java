package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.console.search.MailView.NamedValue;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Mails as they are shown. */
class MailViewTest {
    private static byte[] mail(String text) {
        return text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
    }

    private static final byte[] MIXED = mail("""
            From: =?utf-8?q?Chiara_B=C3=A4r?= <chiara@plant.example>
            Subject: =?utf-8?b?w5xiZXJoaXR6dA==?=
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=outer

            --outer
            Content-Type: multipart/alternative; boundary=inner

            --inner
            Content-Type: text/plain; charset=iso-8859-1
            Content-Transfer-Encoding: quoted-printable

            K=FChlung ist aus.
            --inner
            Content-Type: text/html; charset=utf-8

            <p>Kühlung ist <b>aus</b>.</p><script>alert(1)</script>
            --inner--
            --outer
            Content-Type: application/pdf
            Content-Disposition: attachment; filename="../../report.pdf"
            Content-Transfer-Encoding: base64

            JVBERi0xLjQ=
            --outer
            Content-Type: text/html
            Content-Disposition: attachment; filename="page.html"

            <script>alert(2)</script>
            --outer
            Content-Type: message/rfc822

            Subject: inner mail

            hello
            --outer--
            """);

    @Test
    void whatOnePartLeavesOpenHidesNothingOfTheNext() throws Exception {
        for (String open : new String[] {"<!--", "<p title='", "<textarea>", "<style>", "<frameset>"}) {
            MailView view = MailView.of(mail("""
                    Content-Type: multipart/alternative; boundary=b

                    --b
                    Content-Type: text/html

                    <script>1</script>%s
                    --b
                    Content-Type: text/html

                    <script>2</script><p>shown</p>
                    --b--
                    """.formatted(open)));
            assertThat(view.html()).as(open).contains("<p>shown</p>");
            assertThat(view.removed()).as(open).contains("2 scripts");
        }
    }

    @Test
    void showsTextHtmlAndAttachments() throws Exception {
        MailView view = MailView.of(MIXED);
        assertThat(view.headers()).contains(new NamedValue("Subject", "Überhitzt"));
        assertThat(view.headers().getFirst().value()).isEqualTo("Chiara Bär <chiara@plant.example>");
        assertThat(view.text().strip()).isEqualTo("Kühlung ist aus.");
        assertThat(view.html()).contains("<b>aus</b>").doesNotContain("script");
        assertThat(view.removed()).containsExactly("1 script");
        assertThat(view.attachments().stream().map(MailView.Attachment::name))
                .containsExactly("../../report.pdf", "page.html", "part-3");
    }

    @Test
    void attachmentsAreWholeAndByNumber() throws Exception {
        assertThat(Objects.requireNonNull(MailView.attachment(MIXED, 0)).bytes())
                .isEqualTo("%PDF-1.4".getBytes(StandardCharsets.US_ASCII));
        assertThat(new String(
                        Objects.requireNonNull(MailView.attachment(MIXED, 1)).bytes(), StandardCharsets.US_ASCII))
                .contains("alert(2)");
        assertThat(new String(
                        Objects.requireNonNull(MailView.attachment(MIXED, 2)).bytes(), StandardCharsets.US_ASCII))
                .contains("Subject: inner mail")
                .contains("hello");
        assertThat(MailView.attachment(MIXED, 3)).isNull();
        assertThat(MailView.attachment(MIXED, -1)).isNull();
    }

    @Test
    void brokenMailIsShownAsWellAsItCanBe() throws Exception {
        for (String broken : new String[] {
            "",
            "no header at all",
            "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nunended",
            "Content-Type: text/plain; charset=no-such\n\ntext",
            "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n!!!!",
            "Content-Type: multipart/mixed\n\nno boundary",
        }) {
            MailView view = MailView.of(mail(broken));
            assertThat(view.toString()).isEqualTo("MailView[hidden]");
        }
        assertThat(MailView.of(mail("Content-Type: text/plain; charset=no-such\n\ntext"))
                        .text())
                .contains("text");
    }

    @Test
    void nestingEnds() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            text.append("Content-Type: multipart/mixed; boundary=b")
                    .append(i)
                    .append("\n\n--b")
                    .append(i)
                    .append('\n');
        }
        MailView view = MailView.of(mail(text + "Content-Type: text/plain\n\ndeep"));
        assertThat(view.text()).doesNotContain("deep");
        assertThat(view.truncated()).isTrue();
        assertThat(view.removed()).singleElement().asString().contains("nested deeper than 20");
    }

    private static String parts(int count, String type, String body) {
        return "Content-Type: multipart/mixed; boundary=x\n\n"
                + ("--x\nContent-Type: " + type + "\n\n" + body + "\n").repeat(count) + "--x--\n";
    }

    @Test
    void allTextsTogetherAreCut() throws Exception {
        String body = ("word ".repeat(20) + "\n").repeat(1000);
        for (String type : new String[] {"text/plain", "text/html", "text/plain; charset=no-such"}) {
            MailView view = MailView.of(mail(parts(40, type, body)));
            int shown = view.text().length()
                    + (view.html() == null ? 0 : view.html().length());
            assertThat(shown).as(type).isBetween(MailView.MAX_TEXT / 2, MailView.MAX_TEXT + 40 * 10);
            assertThat(view.truncated()).as(type).isTrue();
        }
        MailView view = MailView.of(mail(parts(3, "text/plain", "short")));
        assertThat(view.truncated()).isFalse();
        assertThat(view.removed()).isNull();
    }

    @Test
    void partsThatAreLeftOutAreCounted() throws Exception {
        MailView view = MailView.of(mail(parts(502, "application/pdf", "x")));
        assertThat(view.attachments()).hasSize(499);
        assertThat(view.attachments().getFirst().bytes()).isEqualTo(1);
        assertThat(view.truncated()).isTrue();
        assertThat(view.removed()).containsExactly("3 parts beyond the first 500 or nested deeper than 20");
    }

    private static MailView withFields(String fields) throws Exception {
        return MailView.of(mail("Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nhello\n"
                + "--b\n" + fields + "\n\ninside\n--b--\n"));
    }

    private static MailView.Attachment attachment(String fields) throws Exception {
        return withFields(fields).attachments().getFirst();
    }

    @Test
    void apostrophesInPiecesOfAnAttachmentsNameCutNothingOff() throws Exception {
        String fields = "Content-Disposition: attachment; filename*0=\"1 a 'b' c\"; filename*1=.eml";
        assertThat(attachment(fields).name()).isEqualTo("1 a 'b' c.eml");
        assertThat(attachment(fields).alsoNamed()).isNull();
        byte[] single = mail(fields + "\n\ninside");
        assertThat(Objects.requireNonNull(MailView.attachment(single, 0)).name())
                .isEqualTo("1 a 'b' c.eml");
    }

    @Test
    void nameThatIsOnlyInPiecesMakesATextAnAttachment() throws Exception {
        for (String fields : new String[] {
            "Content-Type: text/plain\nContent-Disposition: inline; filename*1=b.txt; filename*0=a",
            "Content-Type: text/plain\nContent-Disposition: inline; filename*0*=utf-8''a; filename*1=b.txt",
            "Content-Type: text/plain\nContent-Disposition: inline; filename*=utf-8''%61b.txt",
            "Content-Type: text/plain\nContent-Disposition: inline;\n\tfilename*7=\"ab\n .txt\"".replace("\n .", "."),
        }) {
            MailView view = withFields(fields);
            assertThat(view.attachments()).as(fields).singleElement().satisfies(one -> {
                assertThat(one.name()).isEqualTo("ab.txt");
                assertThat(one.type()).isEqualTo("text/plain");
            });
            assertThat(view.text()).as(fields).doesNotContain("inside");
        }
        assertThat(withFields("Content-Type: text/plain; name=body.txt\nContent-Disposition: inline")
                        .text())
                .as("a name of the type alone makes none")
                .contains("inside");
    }

    @Test
    void showsAllNamesThatProgramsMayTakeForTheName() throws Exception {
        MailView.Attachment one = attachment("Content-Type: application/pdf; name=\"other.exe\"\n"
                + "Content-Disposition: attachment (aside); filename=first.pdf; filename=second.pdf;"
                + " filename*=utf-8''third%2Epdf");
        assertThat(one.name()).isEqualTo("third.pdf");
        assertThat(one.alsoNamed()).containsExactlyInAnyOrder("other.exe", "first.pdf", "second.pdf", "(aside)");
        assertThat(attachment("Content-Type: application/pdf; name=a.pdf\nContent-Disposition: attachment")
                        .name())
                .isEqualTo("a.pdf");
    }

    @Test
    void showsNamesThatOtherProgramsReadAndNamesOfOddParameters() throws Exception {
        MailView.Attachment one = attachment("Content-Type: application/pdf; 'name'=other.exe\n"
                + "Content-Disposition: attachment; filename*=utf-16''a%00.%00e%00x%00e%00; file_name=b.exe");
        assertThat(one.alsoNamed()).containsExactlyInAnyOrder("a.exe", "'name'=other.exe", "file_name=b.exe");
        MailView.Attachment two =
                attachment("Content-Disposition: attachment; filename=\"=?utf-8?B?Y29ud=HJhY3QuZXhl?=\"");
        assertThat(two.name()).isEqualTo("contract.exe");
        assertThat(two.alsoNamed()).containsExactly("=?utf-8?B?Y29ud=HJhY3QuZXhl?=");
    }

    @Test
    void namesWithoutEndAreShownInPart() throws Exception {
        MailView view = withFields("Content-Disposition: attachment; filename=\"" + "a".repeat(1 << 20) + ".exe\";"
                + " x;\"y\"; z (c)".repeat(10_000));
        assertThat(view.truncated()).isTrue();
        assertThat(view.attachments().getFirst().name()).hasSize(4096);
        assertThat(view.attachments().getFirst().alsoNamed()).hasSizeLessThanOrEqualTo(20);
    }
}
