package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class HeaderProtectionTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

    @Test
    void secretFieldsAreInsideOnly() throws Exception {
        var result =
                protect("From: a@x\r\nTo: b@x\r\nSubject: owls\r\nX-Mailer: quill\r\nDate: d\r\nMessage-ID: <1@x>\r\n"
                        + "Content-Type: text/html; charset=utf-8\r\n");
        assertThat(result.outer())
                .isEqualTo("From: a@x\r\nTo: b@x\r\nDate: d\r\nMessage-ID: <1@x>\r\nSubject: [...]\r\n");
        assertThat(result.messageId()).isEqualTo("<1@x>");
        assertThat(text(result))
                .isEqualTo(
                        "HP-Outer: From: a@x\r\nHP-Outer: To: b@x\r\nHP-Outer: Date: d\r\nHP-Outer: Message-ID: <1@x>\r\n"
                                + "HP-Outer: Subject: [...]\r\nFrom: a@x\r\nTo: b@x\r\nSubject: owls\r\nX-Mailer: quill\r\n"
                                + "Date: d\r\nMessage-ID: <1@x>\r\nContent-Type: text/html;\r\n hp=\"cipher\"; charset=utf-8\r\n\r\n");
    }

    @Test
    void blindCopiesAreNowhereHoweverTheyAreWritten() throws Exception {
        for (String bcc : new String[] {
            "Bcc: eve@x\r\n",
            "BCC : eve@x\r\n",
            "bcc:\r\n eve@x,\r\n\tmallory@x\r\n",
            "Resent-Bcc: eve@x\r\n",
            "not a field\r\nBcc: eve@x\r\n",
            "Bcc: b@x\r\nstray eve@x line\r\n",
            "Bcc: eve@x\r\nBcc: eve@x\r\n"
        }) {
            var result = protect("From: a@x\r\n" + bcc + "Subject: s\r\n");
            assertThat(text(result) + result.outer())
                    .as(bcc)
                    .doesNotContain("eve")
                    .doesNotContain("mallory");
        }
    }

    @Test
    void fieldsOfOthersThatSpeakOfOutsideAreRemoved() throws Exception {
        var result = protect("HP-Outer: Subject: lie\r\nFrom: a@x\r\n");
        assertThat(text(result)).doesNotContain("lie");
    }

    @Test
    void whatIsMissingIsAdded() throws Exception {
        var result = HeaderProtection.protect(header("To: b@x\r\n"), "ada@example.org", NOW);
        assertThat(result.outer())
                .contains("From: <ada@example.org>\r\n", "Date: Sat, 21 Nov 2026 10:00:00 +0000\r\n")
                .containsPattern("Message-ID: <[0-9a-f-]{36}@example\\.org>\r\n");
        assertThat(text(result)).contains("MIME-Version: 1.0\r\nContent-Type: text/plain; hp=\"cipher\"\r\n");
        assertThatThrownBy(() -> HeaderProtection.protect(header("To: b@x\r\n"), "", NOW))
                .isInstanceOf(MalformedMailException.class);
    }

    @Test
    void outsideIsAsciiInLinesThatEveryServerTakes() throws Exception {
        String many = "someone@example.org, ".repeat(200) + "last@example.org";
        var result = protect(
                "From: J\u00f6rg\u0000 <a@x>\r\nTo: " + many + "\r\nReferences: <" + "r".repeat(2000) + ">\r\n");
        assertThat(result.outer())
                .matches("[\\x20-\\x7e\\r\\n\\t]*")
                .contains("From: J?rg? <a@x>")
                .doesNotContain("rrr");
        assertThat(result.outer().lines().mapToInt(String::length).max().orElseThrow())
                .isLessThan(200);
        assertThat(result.outer().replace("\r\n", "")).contains("To: " + many);
    }

    @Test
    void restoringGivesWhatWasWritten() throws Exception {
        for (String header : new String[] {
            "From: a@x\r\nSubject: s\r\n",
            "From: a@x\r\nContent-Type: text/plain\r\nSubject: s\r\n",
            "From: a@x\r\nContent-Type: text/plain;\r\n charset=x;\r\n",
            "From: a@x\r\ncontent-type: multipart/mixed; boundary=\"hp=1\"  \r\nSubject: s\r\n",
            "From: a@x\r\nContent-Type: text/plain; name=\"a; hp=b\\\"; hp=c\"\r\n",
            "From: a@x\r\nContent-Type: text/plain (a; hp=b (c) \\)); charset=x\r\n",
            "From: a@x\r\nContent-Type: text/plain (never closed; charset=x\r\n",
            "From: a@x\r\nContent-Type: text/plain; name=\"never closed\r\n",
            "From: a@x\r\nContent-Type: text/plain\r\nstray line\r\n",
            "From: a@x\r\nContent-Type: text/plain\r\nContent-Type: text/html\r\n",
            "From: a@x\r\nContent-Type:\r\n",
            "From: a@x\r\nnot a field\r\nSubject: s\r\n",
            ""
        }) {
            byte[] inner = HeaderProtection.protect(header(header), "a@x", NOW).inner();
            var read = MailHeader.read(new ByteArrayInputStream(inner)).header();
            assertThat(new String(HeaderProtection.restore(read), StandardCharsets.ISO_8859_1))
                    .isEqualTo(header + "\r\n");
        }
    }

    /** A parameter of the message's author says how that was protected, if it was; only ours speaks of what we do. */
    @Test
    void protectionThatTheAuthorClaimsIsReplaced() throws Exception {
        for (String claim : new String[] {
            "text/plain; hp=\"clear\"",
            "text/plain; HP=clear",
            "text/plain; hp-legacy-display=\"clear\"",
            "text/plain;\r\n hp = \"clear\"",
            "text/plain; (why) hp (not)=clear",
            "text/plain; hp*=us-ascii''clear",
            "text/plain; hp*0=\"cle\"; hp*1=\"ar\"",
            "text/plain; hp=\"cipher\"; hp=\"clear\"",
            "text/plain;hp=clear;",
            "text/plain; name=\"never closed; hp=clear",
            "text/plain; name=never(closed; hp=clear",
        }) {
            String inner = text(protect("From: a@x\r\nContent-Type: " + claim + "\r\n"));
            assertThat(inner)
                    .as(claim)
                    .contains("Content-Type: text/plain;\r\n hp=\"cipher\"")
                    .doesNotContain("clear", "cle\"")
                    .containsOnlyOnce("cipher");
        }
        assertThat(text(protect("From: a@x\r\nContent-Type: text/plain; hp=\"clear\"; charset=x\r\n")))
                .endsWith("\r\nContent-Type: text/plain;\r\n hp=\"cipher\"; charset=x\r\n\r\n");
    }

    @Test
    void whatOnlyLooksLikeProtectionStays() throws Exception {
        assertThat(text(protect("From: a@x\r\nContent-Type: text/plain; name=\"a; hp=b\"; hpx=1\r\n")))
                .endsWith("Content-Type: text/plain;\r\n hp=\"cipher\"; name=\"a; hp=b\"; hpx=1\r\n\r\n");
        assertThat(text(protect("From: a@x\r\nContent-Type: text/plain (a; x=b\r\n")))
                .endsWith("Content-Type: text/plain ;\r\n hp=\"cipher\"(a; x=b\r\n\r\n");
        assertThat(text(protect("From: a@x\r\nContent-Type: text/plain; a=1\r\nContent-Type: text/html; hp=clear\r\n")))
                .endsWith("Content-Type: text/plain;\r\n hp=\"cipher\"; a=1\r\n"
                        + "Content-Type: text/html;\r\n hp=\"cipher\"\r\n\r\n");
    }

    @Test
    void aFromWithABlankBeforeItsColonIsNoLineOfAMailBox() throws Exception {
        MailHeader header = MailHeader.read(in("From : ada@example.org\r\nFrom: boss@example.org\r\n\r\nbody"))
                .header();
        assertThat(header.all("from")).hasSize(2);
    }

    @Test
    void headersEndWhereTheBodyBegins() throws Exception {
        var split = MailHeader.read(in("just a text\r\nsecond: line\r\n"));
        assertThat(split.header().fields()).isEmpty();
        assertThat(new String(split.start(), StandardCharsets.US_ASCII)).isEqualTo("just a text\r\n");
        var boxed = MailHeader.read(in("From ada Sat Nov 21 10:00:00 2026\r\nSubject: s\r\n\r\nbody"));
        assertThat(boxed.header().fields()).hasSize(1);
        assertThatThrownBy(() -> MailHeader.read(in("X: " + "y".repeat(MailHeader.MAX_BYTES) + "\r\n\r\n")))
                .isInstanceOf(MalformedMailException.class);
    }

    /** Names, a Reply-To and a Subject would be shown beside the mark of a signature that does not cover them. */
    @Test
    void aBareHeaderHasAddressesAloneOutside() throws Exception {
        String written = "Reply-To: \"Ada Lovelace\" <eve@evil.example>\r\n"
                + "From: \"Bob Smith, Director of Finance\" <Ada@partner.example>\r\n"
                + "Sender: =?utf-8?Q?B=C3=B6b?= <eve@evil.example>\r\n"
                + "To: \"Board\" <all@acme.example>, carol@acme.example (the boss), all@acme.example\r\n"
                + "CC: Audit: dave@acme.example;\r\nDisposition-Notification-To: eve@evil.example\r\n"
                + "Date: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@x>\r\nIn-Reply-To: <2@x>\r\n"
                + "References: <2@x>\r\nAuto-Submitted: no\r\nSubject: pay\r\nOrganization: Bob\r\n";
        HeaderProtection.Protected bare =
                HeaderProtection.of(header(written), "eve@evil.example", NOW).protectBare(LegacyDisplay.NONE);
        assertThat(bare.outer())
                .isEqualTo("From: ada@partner.example\r\nSender: eve@evil.example\r\n"
                        + "To: all@acme.example,\r\n carol@acme.example\r\nCc: dave@acme.example\r\n"
                        + "Date: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@x>\r\nIn-Reply-To: <2@x>\r\n"
                        + "References: <2@x>\r\nAuto-Submitted: no\r\nSubject: [...]\r\n");
        assertThat(text(bare)).contains("\r\n" + written).contains("HP-Outer: Sender: eve@evil.example\r\n");
        assertThat(bare.messageId()).isEqualTo("<1@x>");
    }

    @Test
    void aBareFromThatIsNotOneAddressIsTheEnvelopesSender() throws Exception {
        for (String from : new String[] {"From: a@x.example, b@x.example\r\n", "From: Bob\r\n", ""}) {
            for (String[] each :
                    new String[][] {{"eve@evil.example", "eve@evil.example"}, {"eve", OuterHeader.NOBODY}}) {
                assertThat(HeaderProtection.of(header(from + "To: b@x\r\n"), each[0], NOW)
                                .protectBare(LegacyDisplay.NONE)
                                .outer())
                        .as(from)
                        .containsOnlyOnce("From: ")
                        .contains("From: " + each[1] + "\r\n");
            }
        }
    }

    /** Time that grows with the square of a field's length would let a login stop an edge. */
    @Test
    void aBareHeaderOfHostileFieldsTakesNoLongTime() throws Exception {
        long start = System.nanoTime();
        for (String part : new String[] {"\"x <(,", "a@b.example,", "a@", "=?utf-8?Q?a?= ", "<a@b.example> ", "("}) {
            String many = part.repeat(100_000 / part.length());
            HeaderProtection.of(header("From: " + many + "\r\nTo: " + many + "\r\nCc: " + many + "\r\n"), "a@x", NOW)
                    .protectBare(LegacyDisplay.NONE);
        }
        assertThat(System.nanoTime() - start).isLessThan(10_000_000_000L);
    }

    private static HeaderProtection.Protected protect(String header) throws Exception {
        return HeaderProtection.protect(header(header), "sender@example.org", NOW);
    }

    private static MailHeader header(String text) throws IOException, MalformedMailException {
        return MailHeader.read(in(text + "\r\nbody\r\n")).header();
    }

    private static ByteArrayInputStream in(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String text(HeaderProtection.Protected result) {
        return new String(result.inner(), StandardCharsets.ISO_8859_1);
    }
}
