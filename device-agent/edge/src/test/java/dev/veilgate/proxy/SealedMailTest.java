package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.smime.CmsOpener;
import dev.veilgate.envelope.smime.HeaderProtection;
import dev.veilgate.envelope.smime.LegacyDisplay;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MailKey;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.OuterHeader;
import dev.veilgate.envelope.smime.WrittenMail;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.extract.mail.MailSummary;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.lattice.ntru.NtruPeks;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a sealed mail shows, holds and is found by. */
class SealedMailTest {
    private static final String MAIL = MailProxyTest.MAIL;

    @TempDir
    static Path labFolder;

    private static MailLab lab;

    @TempDir
    Path folder;

    private CaptureServer relay;
    private MailProxy proxy;

    @BeforeEach
    void start() throws Exception {
        if (lab == null || !lab.folder.equals(labFolder)) {
            lab = new MailLab(labFolder);
        }
        relay = new CaptureServer();
        proxy = lab.proxy(lab.settings(folder.resolve("spool"), 1 << 20, false), relay.port());
    }

    @AfterEach
    void stop() throws Exception {
        proxy.close();
        relay.close();
    }

    @Test
    void sealsForEverybodyAndKeepsBccApart() throws Exception {
        assertThat(send(MAIL, "rsa@example.org", "ec@example.org", "hidden@example.org"))
                .startsWith("250 2.6.0");
        List<CaptureServer.Mail> mails = relay.await(2);
        var visible = mails.stream()
                .filter(m -> m.recipients().size() == 2)
                .findFirst()
                .orElseThrow();
        var hidden = mails.stream()
                .filter(m -> m.recipients().size() == 1)
                .findFirst()
                .orElseThrow();
        assertThat(visible.recipients()).containsExactly("rsa@example.org", "ec@example.org");
        assertThat(hidden.recipients()).containsExactly("hidden@example.org");

        byte[] expected = MAIL.replaceAll("Bcc:.*\r\n .*\r\n", "").getBytes(StandardCharsets.UTF_8);
        for (String address : visible.recipients()) {
            assertThat(restored(lab.openssl(visible.bytes(), address))).isEqualTo(expected);
        }
        byte[] opened = lab.openssl(hidden.bytes(), "hidden@example.org");
        assertThat(restored(opened)).isEqualTo(expected);
        assertThat(WrittenMail.of(opened, SealedMailTest::subject))
                .isNotSameAs(opened)
                .endsWith(expected);

        // Nobody learns of the hidden one: not by header, not by the names in the CMS, not by the scopes of the index.
        byte[] cms = SealedParts.of(visible.bytes()).cms();
        var name = lab.identity("hidden@example.org").certificate();
        assertThat(contains(cms, name.getSerialNumber().toByteArray())).isFalse();
        assertThat(contains(cms, name.getIssuerX500Principal().getEncoded())).isFalse();
        assertThat(contains(
                        SealedParts.of(hidden.bytes()).cms(),
                        name.getIssuerX500Principal().getEncoded()))
                .isTrue();
        assertThat(SealedParts.of(visible.bytes()).header())
                .doesNotContain("hidden")
                .doesNotContain("another");
        assertThat(new String(SealedParts.of(visible.bytes()).index(), StandardCharsets.ISO_8859_1))
                .doesNotContain("hidden");
        assertThat(new String(lab.openssl(visible.bytes(), "rsa@example.org"), StandardCharsets.UTF_8))
                .doesNotContain("hidden")
                .doesNotContain("another");
    }

    @Test
    void outsideIsOnlyWhatMailNeeds() throws Exception {
        send(MAIL, "rsa@example.org", "ec@example.org");
        var mail = relay.await(1).getFirst();
        var header = MailHeader.read(new ByteArrayInputStream(mail.bytes())).header();
        assertThat(header.fields().stream().map(MailHeader.Field::name))
                .containsExactlyInAnyOrder(
                        "from", "to", "date", "message-id", "in-reply-to", "subject", "mime-version", "content-type");
        assertThat(header.first("subject").orElseThrow().value()).isEqualTo("[...]");
        assertThat(header.first("message-id").orElseThrow().value()).isEqualTo("<one@example.org>");
        assertThat(SealedParts.of(mail.bytes()).header()) // the rest is base64, in which any short word may occur
                .doesNotContain("owl")
                .doesNotContain("quill")
                .doesNotContain("secret");
        assertThat(mail.text().lines().mapToInt(String::length).max().orElseThrow())
                .isLessThanOrEqualTo(98);
        String inner = new String(lab.openssl(mail.bytes(), "ec@example.org"), StandardCharsets.UTF_8);
        assertThat(inner)
                .contains("HP-Outer: Subject: [...]\r\n")
                .contains("HP-Outer: Message-ID: <one@example.org>\r\n")
                .contains("Content-Type: text/plain;\r\n hp=\"cipher\"; hp-legacy-display=\"1\";\r\n charset=utf-8\r\n")
                .containsPattern("\r\n\r\nFrom: .*\r\nTo: .*\r\nSubject: ");
    }

    @Test
    void indexIsBoundToTheMailAndHasBlocksForEachMailbox() throws Exception {
        send(MAIL, "rsa@example.org", "ec@example.org");
        var parts = SealedParts.of(relay.await(1).getFirst().bytes());
        Envelope index = Envelope.decode(parts.index());
        assertThat(index.tenant()).isEqualTo(MailLab.TENANT);
        assertThat(index.recordCount()).isEqualTo(1);
        assertThat(index.index().stream().map(IndexBlock::scope).distinct())
                .containsExactlyInAnyOrder("mailbox-rsa@example.org", "mailbox-ec@example.org");
        byte[] digest = java.security.MessageDigest.getInstance("SHA-256").digest(parts.cms());
        assertThat(contains(parts.index(), digest)).isTrue();
    }

    @Test
    void theHeaderOutsideIsBoundToEachCopy() throws Exception {
        send(MAIL, "rsa@example.org", "ec@example.org", "hidden@example.org");
        for (CaptureServer.Mail mail : relay.await(2)) {
            SealedParts parts = SealedParts.of(mail.bytes());
            OuterHeader bound = OuterHeader.bound(Envelope.decode(parts.index()), lab.mailSigners)
                    .orElseThrow();
            assertThat(parts.header()).startsWith(bound.text() + "MIME-Version: 1.0\r\n");
        }
    }

    @Test
    void aTrapdoorFindsItByItsTrueSubjectAndTheTenantOpensIt() throws Exception {
        send(MAIL, "rsa@example.org", "ec@example.org");
        var parts = SealedParts.of(relay.await(1).getFirst().bytes());
        Envelope index = Envelope.decode(parts.index());
        try (var store = FileTrapdoorStore.open(folder.resolve("trapdoors"))) {
            assertThat(found(index, store, "mailbox-ec@example.org", "subject", "owls"))
                    .isTrue();
            assertThat(found(index, store, "mailbox-ec@example.org", "word", "overheated"))
                    .isTrue();
            assertThat(found(index, store, "mailbox-rsa@example.org", "word", "overheated"))
                    .isTrue();
            assertThat(found(index, store, "mailbox-ec@example.org", "word", "ravens"))
                    .isFalse();
            assertThat(found(index, store, "mailbox-hidden@example.org", "word", "overheated"))
                    .isFalse();
        }
        byte[] key = new EnvelopeOpener(List.of(lab.wrapKey)).detachedKey(index);
        byte[] digest = index.detachedDigest().orElseThrow();
        var opened = new ByteArrayOutputStream();
        CmsOpener.open(new ByteArrayInputStream(parts.cms()), MailKey.of(key), digest, opened);
        assertThat(opened.toString(StandardCharsets.UTF_8)).contains("overheated owl");
    }

    /** As Outlook does without clear text signing, and {@code openssl cms -sign -nodetach}. */
    @Test
    void whatItsAuthorSignedOpaquelyIsSealedAsItIsAndFoundAsBefore() throws Exception {
        MailSigner author = MailLab.senders("example.org", lab.clock.instant()).ofSender("ada@example.org");
        String mail = opaque(author).replace("the true subject", "overheated owls");
        send(mail, "rsa@example.org", "ec@example.org");
        byte[] sealed = relay.await(1).getFirst().bytes();
        var parts = SealedParts.of(sealed);
        assertThat(lab.signedBy(sealed, "ec@example.org")).isEqualTo("CN=ada@example.org");
        byte[] entity = lab.openssl(sealed, "ec@example.org");
        assertThat(text(entity))
                .contains("HP-Outer: Subject: [...]\r\n", "\r\nSubject: overheated owls\r\n")
                .endsWith(mail.substring(mail.indexOf("\r\n\r\n")));
        assertThat(text(WrittenMail.of(entity, SealedMailTest::subject))).endsWith(mail);

        Envelope index = Envelope.decode(parts.index());
        byte[] key = new EnvelopeOpener(List.of(lab.wrapKey)).detachedKey(index);
        byte[] digest = index.detachedDigest().orElseThrow();
        var opened = new ByteArrayOutputStream();
        CmsOpener.open(new ByteArrayInputStream(parts.cms()), MailKey.of(key), digest, opened);
        assertThat(opened.toByteArray()).isEqualTo(entity);
        try (var store = FileTrapdoorStore.open(folder.resolve("trapdoors"))) {
            assertThat(found(index, store, "mailbox-ec@example.org", "subject", "owls"))
                    .isTrue();
        }
        assertThat(index.mailCertificate().orElseThrow()).isNotEqualTo(author.encodedLeaf());
        assertThat(OuterHeader.bound(index, lab.mailSigners).orElseThrow().text())
                .as("by a certificate of the tenant's, not by the author's")
                .startsWith("Message-ID:")
                .contains("From: ada@example.org\r\n", "Subject: [...]\r\n");
    }

    /**
     * A console drops a mail as a lie that does not contain what it was found by; so an author who can have words
     * indexed that nobody finds in the mail keeps it from those who search for them.
     */
    @Test
    void anOpaqueMailIsFoundByWhatItsReadersAreGivenAndByNothingElse() throws Exception {
        MailSigner author = MailLab.senders("example.org", lab.clock.instant()).ofSender("ada@example.org");
        String usual = "Content-Type: application/pkcs7-mime; smime-type=signed-data; name=\"smime.p7m\"\r\n";
        String zebra = "Content-Type: application/pkcs7-mime; smime-type=certs-only; name=\"Zebra.p7m\"\r\n";
        String contract = "Content-Disposition: attachment; filename=\"Contract Zebra.p7m\"\r\n";
        List<String> hostile = List.of(
                zebra + contract,
                usual + contract.replace("p7m", "p7c"),
                usual.replace("smime.p7m", "Lion\r\n Zebra.p7z"),
                usual + "Content-Disposition: attachment; filename*0=contract; filename*1=\"zebra.p7c\"\r\n",
                usual.replace("signed", "zebra")
                        + "Content-Disposition: attachment; filename=a; filename*=''zebra.p7c\r\n",
                usual + "Bcc: x\r\nzebra quill\r\n",
                usual + "HP-Outer: x\r\nzebra quill\r\n",
                usual + "Veilgate-Legacy-Display: 1\r\nzebra quill\r\nTo: zebra@example.org\r\n");
        try (var store = FileTrapdoorStore.open(folder.resolve("trapdoors"));
                var extractor = new MailExtractor(ExtractorProfile.defaults())) {
            int count = 0;
            for (String fields : hostile) {
                String mail = opaque(author).replace(usual, fields);
                assertThat(send(mail, "ec@example.org")).startsWith("250 ");
                byte[] sealed = relay.await(++count).getLast().bytes();
                byte[] given = WrittenMail.of(lab.openssl(sealed, "ec@example.org"), SealedMailTest::subject);
                Envelope index = Envelope.decode(SealedParts.of(sealed).index());
                List<Keyword> opened = extractor.extract(given).keywords();
                Set<Keyword> all = new LinkedHashSet<>(opened);
                all.addAll(
                        extractor.extract(mail.getBytes(StandardCharsets.UTF_8)).keywords());
                for (Keyword keyword : all) {
                    assertThat(found(index, store, "mailbox-ec@example.org", keyword))
                            .as("%s of %s", keyword, fields)
                            .isEqualTo(opened.contains(keyword));
                }
            }
        }
    }

    private static String opaque(MailSigner author) throws Exception {
        return MailContents.opaque(author, author, lab.clock.instant())
                .get("signed by its sender")
                .mail()
                .replace("rsa2048@example.org", "rsa@example.org, ec@example.org")
                .replace("\n", "\r\n");
    }

    private static boolean found(Envelope index, FileTrapdoorStore store, String scope, String field, String value)
            throws Exception {
        return found(index, store, scope, Keyword.text(field, value));
    }

    private static boolean found(Envelope index, FileTrapdoorStore store, String scope, Keyword keyword)
            throws Exception {
        var trapdoor = NtruPeks.withDefaults()
                .trapdoor(
                        MailLab.indexKeys().secretKey(),
                        new KeywordDomain(MailLab.TENANT, scope, "2026-11"),
                        keyword,
                        store);
        var request = SearchRequest.allOf(MailLab.TENANT, List.of(List.of(trapdoor)));
        return !PreparedSearch.of(request, IndexSchemes.load())
                .match(index, IndexAdmission.trust(index, IndexSchemes.load()))
                .isEmpty();
    }

    private String send(String mail, String... recipients) throws Exception {
        try (var smtp = new RawSmtp(proxy.port())) {
            return smtp.send("ada@example.org", List.of(recipients), mail.getBytes(StandardCharsets.UTF_8));
        }
    }

    static byte[] restored(byte[] payload) throws Exception {
        var in = new ByteArrayInputStream(payload);
        MailHeader.Split split = MailHeader.read(in);
        var out = new ByteArrayOutputStream();
        out.writeBytes(HeaderProtection.restore(split.header()));
        LegacyDisplay.takenOut(split.header(), new SequenceInputStream(new ByteArrayInputStream(split.start()), in))
                .transferTo(out);
        byte[] written = WrittenMail.of(payload, SealedMailTest::subject);
        if (written != payload) { // what may be read in two ways, it leaves as it is
            assertThat(text(written)).endsWith(text(out.toByteArray()));
        }
        return out.toByteArray();
    }

    private static String subject(MailHeader.Field field) {
        return MailSummary.text((field.raw() + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    static boolean contains(byte[] haystack, byte[] needle) {
        return new String(haystack, StandardCharsets.ISO_8859_1)
                .contains(new String(needle, StandardCharsets.ISO_8859_1));
    }
}
