package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.Profiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** What a mail is found by. */
class MailExtractorTest {
    @Test
    void findsAddressesDomainsAndNames() throws Exception {
        MailKeywords mail = Mails.extract(Mails.sample("plain.eml"));
        assertThat(Mails.values(mail, "from"))
                .containsExactlyInAnyOrder("alice@example.org", "@example.org", "alice", "muster");
        assertThat(Mails.values(mail, "to"))
                .containsExactlyInAnyOrder(
                        "bob@example.com",
                        "@example.com",
                        "bob",
                        "undisclosed",
                        "carol@example.com",
                        "carol",
                        "dan@example.com",
                        "dan");
        assertThat(Mails.values(mail, "cc"))
                .containsExactlyInAnyOrder(
                        "zoe@b\u00fccher.example", "@b\u00fccher.example", "zoe", "zo\u00eb", "q\u00fcick");
    }

    @Test
    void findsOtherFields() throws Exception {
        MailKeywords mail = Mails.extract(Mails.sample("plain.eml"));
        assertThat(mail.subject()).isEqualTo("Pr\u00fcfung of pump 7 \u00fcberholt");
        assertThat(Mails.values(mail, "subject"))
                .containsExactlyInAnyOrder("pr\u00fcfung", "of", "pump", "7", "\u00fcberholt");
        assertThat(Mails.values(mail, "date")).containsExactlyInAnyOrder("2026-11-20", "2026-11");
        assertThat(Mails.values(mail, "list-id")).containsExactly("pumps.example.org");
        assertThat(Mails.values(mail, "message-id")).containsExactly("m1.2026@example.org");
        assertThat(Mails.values(mail, "in-reply-to")).containsExactly("m0.2026@example.com");
        assertThat(mail.refusals()).isEmpty();
        assertThat(mail.parts()).isEqualTo(1);
        assertThat(mail.bytes()).isEqualTo(Mails.sample("plain.eml").length);
    }

    @Test
    void findsWordsAsLogsDo() throws Exception {
        assertThat(Mails.words(Mails.extract(Mails.sample("plain.eml"))))
                .contains("number:3.14", "number:3", "number:14", "ip:10.0.0.1", "path:/var/log/pump.log", "word:pump")
                .contains(
                        "word:overheating",
                        "number:007",
                        "word:strasse",
                        "word:caf\u00e9",
                        "word:pr\u00fcfung",
                        "number:7")
                .contains("word:\u6771\u4eac\u90fd", "word:\u6771\u4eac", "word:\u4eac\u90fd")
                .doesNotContain("number:10");
    }

    @Test
    void findsStemsBesideWords() throws Exception {
        assertThat(Mails.words(Mails.extract(Mails.sample("plain.eml"))))
                .contains("word:running", "stem.en:run", "word:pumps", "stem.en:pump", "stem.en:measur")
                .doesNotContain("stem.en:the", "stem.en:007");
    }

    @Test
    void neverShowsBccOrTraces() throws Exception {
        for (String name : new String[] {"plain.eml", "attached-message.eml"}) {
            assertThat(Mails.words(Mails.extract(Mails.sample(name))))
                    .noneMatch(word -> word.contains("secret") || word.contains("veiled") || word.contains("hidden"))
                    .noneMatch(word -> word.contains("robot") || word.contains("192.0.2.77"));
        }
    }

    @Test
    void readsBothAlternatives() throws Exception {
        MailKeywords mail = Mails.extract(Mails.sample("alternative.eml"));
        assertThat(Mails.words(mail))
                .contains(
                        "word:onlyplain",
                        "word:onlyhtml",
                        "word:titular",
                        "word:one",
                        "word:two",
                        "word:\u00fcber",
                        "word:next")
                .contains("word:alternative", "word:text")
                .doesNotContain("word:stylish", "word:scripted", "word:linked", "word:preamble", "word:epilogue");
        assertThat(mail.refusals()).isEmpty();
        assertThat(mail.parts()).isEqualTo(2);
    }

    @Test
    void findsNamesAndTypesOfFiles() throws Exception {
        MailKeywords mail = Mails.extract(Mails.sample("names.eml"));
        assertThat(Mails.values(mail, "filename"))
                .containsExactlyInAnyOrder(
                        "rechnung f\u00fcr november.bin", "*.bin", "bild\u00fcb.png", "*.png", "trace.log", "*.log");
        assertThat(Mails.values(mail, "attachment-type"))
                .containsExactlyInAnyOrder("application/octet-stream", "image/png", "text/x-log");
        assertThat(Mails.words(mail)).contains("word:rechnung", "word:traced");
        assertThat(mail.refusals())
                .containsExactly(
                        new Refusal("1", Refusal.Reason.UNSUPPORTED_TYPE),
                        new Refusal("2", Refusal.Reason.UNSUPPORTED_TYPE));
    }

    @Test
    void attachedMessagesAreTextNotHeader() throws Exception {
        MailKeywords mail = Mails.extract(Mails.sample("attached-message.eml"));
        assertThat(mail.subject()).isEqualTo("outside");
        assertThat(Mails.words(mail))
                .contains("word:shell", "word:kernel", "word:matters", "attachment-type:message/rfc822");
        assertThat(Mails.values(mail, "from")).containsExactlyInAnyOrder("outer@example.org", "@example.org", "outer");
        assertThat(Mails.values(mail, "subject")).containsExactly("outside");
    }

    @Test
    void readsWhatIsBrokenAsFarAsItGoes() throws Exception {
        MailKeywords mail = Mails.extract(Mails.sample("broken.eml"));
        assertThat(Mails.words(mail)).contains("subject:readable", "word:survives", "word:words", "word:brok");
        assertThat(mail.refusals()).contains(new Refusal("1", Refusal.Reason.UNKNOWN_CHARSET));
    }

    @Test
    void multipartsWithoutABoundaryAreText() {
        for (String type : new String[] {"multipart/mixed; boundary=absent", "multipart/mixed"}) {
            MailKeywords mail = Mails.extract("Content-Type: " + type + "\n\nlonely body\n");
            assertThat(Mails.words(mail)).as(type).contains("word:lonely");
        }
    }

    @Test
    void falseOrMissingCharsetsAreReadTheSameWayEveryTime() {
        String head = "Content-Type: text/plain; charset=us-ascii\n\n";
        byte[] utf8 = (head + "gr\u00fc\u00dfe").getBytes(StandardCharsets.UTF_8);
        byte[] windows = (head + "gr\u00fc\u00dfe").getBytes(StandardCharsets.ISO_8859_1);
        assertThat(Mails.words(Mails.extract(utf8))).contains("word:gr\u00fcsse");
        assertThat(Mails.words(Mails.extract(windows))).contains("word:gr\u00fcsse");
    }

    @Test
    void prefixesWhereTheProfileSaysSo() {
        ExtractorProfile profile =
                ExtractorProfile.defaults().withWordPrefixes(new ExtractorProfile.WordPrefixes(3, 5));
        try (MailExtractor extractor = new MailExtractor(profile)) {
            MailKeywords mail = extractor.extract("Subject: x\n\noverheat of 42".getBytes(StandardCharsets.UTF_8));
            assertThat(Mails.values(mail, "prefix")).containsExactlyInAnyOrder("ove", "over", "overh");
        }
        assertThat(Mails.values(Mails.extract("Subject: x\n\noverheat"), "prefix"))
                .isEmpty();
    }

    @Test
    void tooManyKeywordsCostTheLastWords() {
        ExtractorProfile.Limits few = new ExtractorProfile.Limits(16, 256, 64, 64, 1 << 20);
        StringBuilder body = new StringBuilder("From: a@example.org\nSubject: kept\n\n");
        for (int i = 0; i < 100; i++) {
            body.append("word").append(i).append(' ');
        }
        try (MailExtractor extractor = new MailExtractor(Profiles.limitedTo(few))) {
            MailKeywords mail = extractor.extract(body.toString().getBytes(StandardCharsets.UTF_8));
            assertThat(mail.keywords()).hasSize(16);
            assertThat(Mails.words(mail))
                    .contains("from:a@example.org", "subject:kept", "word:kept", "word:word0", "word:word10");
            assertThat(Mails.reasons(mail)).containsExactly(Refusal.Reason.TOO_MANY_KEYWORDS);
        }
    }

    @Test
    void sameMailSameKeywordsInTheSameOrder() throws Exception {
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults())) {
            MailKeywords first = extractor.extract(Mails.sample("plain.eml"));
            extractor.extract(Mails.sample("alternative.eml"));
            assertThat(extractor.extract(Mails.sample("plain.eml"))).isEqualTo(first);
        }
    }

    @Test
    void emptyMailsHaveNoKeywords() {
        for (String mail : new String[] {"", "\n", "\r\n\r\n", "X-Field: of no interest"}) {
            assertThat(Mails.extract(mail).keywords()).isEmpty();
            assertThat(Mails.reasons(Mails.extract(mail))).containsExactly(Refusal.Reason.EMPTY);
        }
    }

    @Test
    void aFailingSourceIsTheCallersBusiness() {
        InputStream failing = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("disk");
            }
        };
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults())) {
            Assertions.assertThatThrownBy(() -> extractor.extract(failing))
                    .isInstanceOf(IOException.class)
                    .hasMessage("disk");
        }
    }

    @Test
    void doesNotShowItself() throws Exception {
        assertThat(Mails.extract(Mails.sample("plain.eml")).toString()).isEqualTo("MailKeywords[hidden]");
    }

    @Test
    void ofPartsWhoseBoundaryIsMissingItIsSaidThatTheyWereNotRead() {
        byte[] mail = ("From: a@x.example\r\nContent-Type: multipart/mixed\r\n\r\n--ab\r\n"
                        + "Content-Transfer-Encoding: base64\r\n\r\ndXJnZW50\r\n--ab--\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults())) {
            assertThat(extractor.extract(mail).refusals()).containsExactly(new Refusal("1", Refusal.Reason.DAMAGED));
        }
    }
}
