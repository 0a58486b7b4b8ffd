package dev.veilgate.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.veilgate.authority.RecipientRequest;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.RecipientKey;
import dev.veilgate.envelope.smime.UncheckedSigner;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.tenant.Tenant;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Delivered forms of sealed mails whose outer header somebody altered on their way. */
class DeliveredFormTest {
    private static final TestTenant TENANT = TestTenant.of("acme-with-senders");
    private static final String ADA = "ada@acme.example";
    private static final String MAIL = "From: Ada <ada@acme.example>\r\nTo: Ada <ada@example.org>, bob@acme.example\r\n"
            + "Cc: carol@acme.example\r\nReply-To: office@acme.example\r\nDate: Sun, 29 Nov 2026 09:00:00 +0000\r\n"
            + "Message-ID: <1@acme.example>\r\nSubject: the owls\r\n\r\nare not what they seem\r\n";

    @TempDir
    static Path folder;

    private static TestMail mails;
    private static MailSigner authority;
    private static Tenant tenant;
    /** Signed as ada. */
    private static String genuine;

    private static String delivered;

    @BeforeAll
    static void seal() throws Exception {
        authority = TENANT.signAsSenders("acme.example");
        mails = new TestMail(folder, TENANT);
        tenant = TENANT.tenant();
        genuine = text(mails.sealBoundBy(authority.ofSender(ADA), MAIL, "owls"));
        delivered = deliver(genuine);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String deliver(String mail) {
        return text(DeliveredForms.delivered(tenant, bytes(mail)));
    }

    private static String shown(String mail, String name) throws Exception {
        List<MailHeader.Field> all =
                MailHeader.read(new ByteArrayInputStream(bytes(mail))).header().all(name);
        assertThat(all).as(name).hasSizeLessThan(2);
        return all.isEmpty() ? "" : all.getFirst().value();
    }

    @Test
    void aGenuineMailHasTheHeaderThatItsEdgeLeftOutside() throws Exception {
        assertThat(shown(delivered, "from")).isEqualTo("Ada <ada@acme.example>");
        assertThat(shown(delivered, "to")).isEqualTo("Ada <ada@example.org>, bob@acme.example");
        assertThat(shown(delivered, "cc")).isEqualTo("carol@acme.example");
        assertThat(shown(delivered, "reply-to")).isEqualTo("office@acme.example");
        assertThat(shown(delivered, "date")).isEqualTo("Sun, 29 Nov 2026 09:00:00 +0000");
        assertThat(shown(delivered, "message-id")).isEqualTo("<1@acme.example>");
        assertThat(shown(delivered, "subject")).isEqualTo("[...]");
        assertThat(mails.open(bytes(delivered))).contains("\r\nSubject: the owls\r\n");
    }

    /** By software of their own, which does not look at what the key is for. */
    @Test
    void theKeyThatAUserWasEnrolledWithBindsNoHeader() throws Exception {
        SecureRandom random = new SecureRandom();
        char[] passphrase = "correct horse battery".toCharArray();
        RecipientKey key = RecipientKey.generate(RecipientKey.Kind.P256, random);
        X509Certificate certificate =
                TENANT.keys().issueRecipient(RecipientRequest.of(ADA, key.publicKey(), random), random, Instant.now());
        byte[] file =
                key.toPkcs12(List.of(certificate, TENANT.keys().mailAuthority().orElseThrow()), ADA, passphrase);
        MailSigner enrolled = UncheckedSigner.of(file, passphrase);
        String forged = deliver(text(mails.sealAs(enrolled, MAIL, "owls")));
        assertThat(shown(forged, "from")).as("bare, without the name").isEqualTo(ADA);
        assertThat(shown(forged, "reply-to")).isEmpty();
        assertThat(shown(deliver(text(mails.sealAs(authority.ofSender(ADA), MAIL, "owls"))), "from"))
                .isEqualTo("Ada <ada@acme.example>");
    }

    /** Each puts something into the header that was not signed, or takes something out of it. */
    static List<String> alterations() {
        List<String> all = new ArrayList<>(List.of(
                "s/From: .*/From: \"bob@acme.example\" <ada@acme.example>/",
                "s/From: .*/From: =?utf-8?B?Ym9iQGFjbWUuZXhhbXBsZQ==?= <ada@acme.example>/",
                "s/From: .*/From: <bob@acme.example> <ada@acme.example>/",
                "s/From: .*/From: ada@acme.example, bob@acme.example/",
                "s/From: .*/From: Bob <bob@acme.example>/",
                "s/From: .*/From : Bob <bob@acme.example>/",
                "s/From: .*/FROM:\r\n Bob <bob@acme.example>/",
                "s/From: .*/X: y/",
                "s/Subject: .*/Subject: transfer the money/",
                "s/Subject: .*/Subject: =?utf-8?q?transfer?=/",
                "s/Subject: .*/X: y/",
                "s/To: .*/To: dave@elsewhere.example/",
                "s/Date: .*/Date: Mon, 1 Jan 2001 00:00:00 +0000/",
                "s/Message-ID: .*/Message-ID: <other@elsewhere.example>/",
                "s/Reply-To: .*/Reply-To: mallory@elsewhere.example/",
                "s/MIME-Version: .*/MIME-Version: 9/"));
        for (String field : List.of(
                "From: bob@acme.example",
                "Sender: bob@acme.example",
                "Subject: other",
                "Reply-To: mallory@elsewhere.example",
                "To: dave@elsewhere.example",
                "Bcc: dave@elsewhere.example",
                "Resent-From: bob@acme.example",
                "Resent-Sender: bob@acme.example",
                "Disposition-Notification-To: mallory@elsewhere.example",
                "List-Unsubscribe: <https://elsewhere.example>",
                "X-Face: bob",
                "Face: bob",
                "Organization: bob",
                "Comments: by bob",
                "Keywords: bob",
                "Received: by x\r\nno field\r\nSubject: other",
                "Received: by x\r\n \r\nSubject: other",
                "Received: by x\r\nFr\u00f6m: bob",
                "Content-Type: text/html",
                "Content-Transfer-Encoding: 8bit",
                "Content-Disposition: inline",
                "Content-Description: bob",
                "Autocrypt: addr=bob@acme.example",
                "DKIM-Signature: v=1")) {
            all.add("first " + field);
            all.add("last " + field);
        }
        return all;
    }

    static String altered(String mail, String how) {
        int end = mail.indexOf("\r\n\r\n") + 2;
        if (how.startsWith("s/")) {
            String name = how.substring(2, how.indexOf(": .*/"));
            String to = how.substring(how.indexOf(": .*/") + 5, how.length() - 1);
            int at = ("\r\n" + mail).indexOf("\r\n" + name + ": ");
            int lineEnd = mail.indexOf("\r\n", at);
            while (mail.charAt(lineEnd + 2) == ' ') {
                lineEnd = mail.indexOf("\r\n", lineEnd + 2);
            }
            return mail.substring(0, at) + to + mail.substring(lineEnd);
        }
        String field = how.substring(how.indexOf(' ') + 1) + "\r\n";
        return how.startsWith("first") ? field + mail : mail.substring(0, end) + field + mail.substring(end);
    }

    /** But for the trace of its way. */
    private static String withoutReceived(String mail) {
        return mail.replaceAll("(?m)^Received: .*\r\n", "");
    }

    @ParameterizedTest
    @MethodSource("alterations")
    void whatWasAlteredOutsideIsNotDelivered(String how) throws Exception {
        String mail = altered(genuine, how);
        assertThat(mail).isNotEqualTo(genuine);
        if (how.startsWith("first Content-Type")) { // hides the parts from programs as from us
            assertThat(SealedMail.read(bytes(mail))).isEmpty();
        } else {
            assertThat(withoutReceived(deliver(mail))).isEqualTo(delivered);
        }
    }

    /** Fields that programs show or act on, with what somebody would write there. */
    private static final Map<String, String> FORGED = Map.ofEntries(
            Map.entry("From", "Bob <bob@acme.example>"),
            Map.entry("Sender", "Bob <bob@acme.example>"),
            Map.entry("Subject", "transfer the money"),
            Map.entry("To", "dave@elsewhere.example"),
            Map.entry("Cc", "dave@elsewhere.example"),
            Map.entry("Reply-To", "mallory@elsewhere.example"),
            Map.entry("Date", "Mon, 1 Jan 2001 00:00:00 +0000"),
            Map.entry("Message-ID", "<other@elsewhere.example>"),
            Map.entry("In-Reply-To", "<other@elsewhere.example>"),
            Map.entry("References", "<other@elsewhere.example>"),
            Map.entry("Auto-Submitted", "auto-replied"),
            Map.entry("Disposition-Notification-To", "mallory@elsewhere.example"));

    /** Ways to write a field so that some programs read it: name, value, and what is between. */
    private static final List<String> SPELLINGS =
            List.of("%s: %s", "%s:%s", "%s : %s", "%s:\r\n %s", "%s:\t%s", "%s: \r\n\t%s\r\n ");

    private static List<String> spelled(String name, String value) {
        List<String> all = new ArrayList<>();
        for (String spelling : SPELLINGS) {
            all.add(spelling.formatted(name, value));
            all.add(spelling.formatted(name.toUpperCase(Locale.ROOT), value));
        }
        return all;
    }

    /** Each of a dozen fields in a dozen spellings: before the others, among, behind, and in place of its own. */
    @Test
    void noForgedFieldIsDeliveredHoweverItIsWrittenAndWherever() throws Exception {
        int count = 0;
        for (Map.Entry<String, String> forged : FORGED.entrySet()) {
            for (String field : spelled(forged.getKey(), forged.getValue())) {
                String own = "(?mi)^" + forged.getKey() + ": .*\r\n(?:[ \t].*\r\n)*";
                String replaced = genuine.replaceFirst(own, Matcher.quoteReplacement(field + "\r\n"));
                String among = genuine.replaceFirst("(?m)^Date: ", Matcher.quoteReplacement(field + "\r\nDate: "));
                for (String mail : List.of(
                        replaced, among, altered(genuine, "first " + field), altered(genuine, "last " + field))) {
                    assertThat(withoutReceived(deliver(mail))).as(field).isEqualTo(delivered);
                    count++;
                }
            }
        }
        assertThat(count).isEqualTo(12 * 12 * 4);
    }

    /** Fields in another order, and every part written anew, as relays and filters do it. */
    @Test
    void aMailThatARelayWroteAnewIsTheSame() throws Exception {
        int end = genuine.indexOf("\r\n\r\n") + 2;
        List<String> fields = new ArrayList<>(List.of(genuine.substring(0, end).split("(?<=\r\n)(?![ \t])")));
        for (int i = 0; i < 20; i++) {
            Collections.shuffle(fields, new Random(i));
            assertThat(withoutReceived(deliver(String.join("", fields) + genuine.substring(end))))
                    .isEqualTo(delivered);
        }
        Matcher boundary = Pattern.compile("boundary=\"?([^\"\r\n;]+)").matcher(genuine);
        assertThat(boundary.find()).isTrue();
        assertThat(deliver(genuine.replace(boundary.group(1), "another-boundary")))
                .isEqualTo(delivered);
        String shortLines = genuine.replaceAll("(?m)^([A-Za-z0-9+/=]{38})([A-Za-z0-9+/=]{38})\r\n", "$1\r\n$2\r\n");
        assertThat(shortLines).hasSizeGreaterThan(genuine.length() + 20);
        assertThat(deliver(shortLines)).as("base64 in other lines").isEqualTo(delivered);
        assertThat(deliver(genuine + "\r\n-- \r\nscanned by a filter\r\n"))
                .as("a footer")
                .isEqualTo(delivered);
    }

    static List<String> harmless() {
        return List.of(
                "first Received: from a by b; now",
                "first X-Spam-Status: No",
                "last X-Spam-Status: No",
                "s/Subject: .*/Subject: [EXTERNAL] [...]/",
                "s/To: .*/To: Ada <ada@example.org>,\r\n\tbob@acme.example/",
                "s/From: .*/From: Ada <ada@ACME.example>/",
                "s/From: .*/From: \"Ada\" <ada@acme.example>/",
                "s/Message-ID: .*/Message-Id: <1@acme.example>/",
                "first DKIM-Signature: v=1; a=rsa-sha256",
                "last List-Id: <all.acme.example>",
                "s/Date: .*/X-Moved: 1\r\nDate: Sun, 29 Nov 2026 09:00:00 +0000/");
    }

    @ParameterizedTest
    @MethodSource("harmless")
    void whatRelaysDoMakesNoGenuineMailBare(String how) {
        assertThat(withoutReceived(deliver(altered(genuine, how)))).isEqualTo(delivered);
    }

    @Test
    void whatWasAlteredIsCounted() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        DeliveredForm form = DeliveredForms.strict(meters);
        DeliveredForms.delivered(form, tenant, bytes(genuine));
        DeliveredForms.delivered(form, tenant, bytes(altered(genuine, "s/Subject: .*/Subject: other/")));
        assertThat(meters.counter("veilgate.mail.headers", "outcome", "bound").count())
                .isEqualTo(1);
        assertThat(meters.counter("veilgate.mail.headers", "outcome", "restored")
                        .count())
                .isEqualTo(1);
    }

    /** An envelope with any header beside the content of another mail, bound by somebody who may not. */
    @Test
    void nobodyElsesSignatureBindsAName() throws Exception {
        String claimed = MAIL.replace("From: Ada <", "From: Bob Smith <");
        for (MailSigner other : List.of(
                authority.ofSender("bob@acme.example"),
                TestTenant.of("acme").keys().mailSigner().orElseThrow().ofTenant())) {
            String mail = deliver(text(mails.sealBoundBy(other, claimed, "owls")));
            assertThat(shown(mail, "from")).isEqualTo(ADA);
            assertThat(shown(mail, "reply-to")).isEmpty();
        }
    }

    @Test
    void whoSpeaksForNobodyBindsNoNameWhereTheTenantHasSenders() throws Exception {
        String mail = deliver(text(mails.sealBoundBy(authority.ofTenant(), MAIL, "owls")));
        assertThat(shown(mail, "from")).isEqualTo(ADA);
        assertThat(shown(mail, "to")).isEqualTo("Ada <ada@example.org>, bob@acme.example");
    }

    @Test
    void namesThatTheProxyRefusesAreNotDelivered() throws Exception {
        for (String from : List.of(
                "\"bob@acme.example\" <ada@acme.example>",
                "Bob <bob@acme.example>, Ada <ada@acme.example>",
                "=?utf-8?B?Ym9iQGFjbWUuZXhhbXBsZQ==?= <ada@acme.example>")) {
            String mail = MAIL.replace("Ada <ada@acme.example>\r\nTo", from + "\r\nTo");
            String shown = shown(deliver(text(mails.sealBoundBy(authority.ofSender(ADA), mail, "owls"))), "from");
            assertThat(shown).isIn(ADA, "someone@elsewhere.example");
        }
    }

    @Test
    void mailThatNobodyBoundHasAddressesAndNothingElse() throws Exception {
        String mail = deliver("Received: from a by b; now\r\n" + text(mails.sealUnbound(MAIL, "owls")));
        String header = mail.substring(0, mail.indexOf("Content-Type"));
        assertThat(header)
                .isEqualTo("Received: from a by b; now\r\nFrom: ada@acme.example\r\n"
                        + "To: ada@example.org,\r\n bob@acme.example\r\nCc: carol@acme.example\r\n"
                        + "Date: Sun, 29 Nov 2026 09:00:00 +0000\r\nMessage-ID: <1@acme.example>\r\n"
                        + "Subject: [...]\r\nMIME-Version: 1.0\r\n");
        assertThat(mails.open(bytes(mail))).contains("\r\nSubject: the owls\r\n");
    }

    @Test
    void addressesThatProgramsDecodeToATextAreNotDelivered() throws Exception {
        String mail = "To: =?utf-8?Q?please_pay?=@x.example, dave@acme.example\r\nFrom: =?utf-8?Q?Bob?=@x.example\r\n"
                + "Cc: =?utf-8?Q?Board?=@x.example\r\nX: y\r\n";
        String unbound = text(mails.sealUnbound(MAIL, "owls")).replaceFirst("(?s)^.*?(?=MIME-Version)", mail);
        String delivered = deliver(unbound);
        assertThat(delivered).doesNotContain("=?").contains("To: dave@acme.example\r\n");
        assertThat(shown(delivered, "from")).isEqualTo("someone@elsewhere.example");
        assertThat(shown(delivered, "cc")).isEmpty();
    }

    @Test
    void tracesOfAnySizeLeaveAHeaderThatCanBeRead() throws Exception {
        String received = "Received: " + "x ".repeat(400) + "\r\n";
        int room = (1 << 20) - genuine.indexOf("\r\n\r\n") - 4;
        String mail = received.repeat(room / received.length()) + genuine;
        String out = deliver(mail);
        assertThat(out.indexOf("\r\n\r\n")).isLessThan(1 << 18);
        assertThat(withoutReceived(out)).isEqualTo(delivered);
        assertThat(withoutReceived(deliver("Received: a\0b\r\nReceived: \u00e4\r\nReceived: " + "x".repeat(980) + "\r\n"
                        + (" " + "y".repeat(980) + "\r\n").repeat(3) + genuine)))
                .isEqualTo(delivered);
    }

    @Test
    void mailOfEdgesBeforeKeepsItsHeaderForATime() throws Exception {
        byte[] unbound = mails.sealUnbound(MAIL, "owls");
        Database updated = database(true);
        DeliveredForm during = at(updated, OuterHeaderSettings.DEFAULTS, Duration.ofDays(29));
        assertThat(during.unboundUntil().orElseThrow())
                .isCloseTo(Instant.now().plus(Duration.ofDays(30)), within(1, ChronoUnit.HOURS));
        assertThat(text(DeliveredForms.delivered(during, tenant, unbound))).contains("From: Ada <");
        DeliveredForm after = at(updated, OuterHeaderSettings.DEFAULTS, Duration.ofDays(31));
        assertThat(after.unboundUntil()).isEmpty();
        assertThat(shown(text(DeliveredForms.delivered(after, tenant, unbound)), "from"))
                .isEqualTo(ADA);
        OuterHeaderSettings off = new OuterHeaderSettings(Duration.ZERO, Set.of());
        assertThat(at(updated, off, Duration.ofSeconds(1)).unboundUntil()).isEmpty();
    }

    /** A new gateway, also one that comes to a database which others have used with this version. */
    @Test
    void aNewDatabaseKeepsNoHeaderThatNobodyBound() throws Exception {
        Database fresh = database(false);
        noteMail(fresh.source());
        assertThat(at(fresh, OuterHeaderSettings.DEFAULTS, Duration.ZERO).unboundUntil())
                .isEmpty();
    }

    private static DeliveredForm at(Database database, OuterHeaderSettings settings, Duration later) {
        Clock clock = Clock.offset(Clock.systemUTC(), later);
        return DeliveredForm.of(database, settings, clock, new SimpleMeterRegistry());
    }

    /** As the version before left it, and then updated. */
    private static Database database(boolean hadMail) throws Exception {
        DataSource source =
                JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "", "");
        FluentConfiguration flyway = Flyway.configure().dataSource(source).locations("classpath:db/migration");
        flyway.target("8").load().migrate();
        if (hadMail) {
            noteMail(source);
        }
        flyway.target("latest").load().migrate();
        return new Database(source);
    }

    private static void noteMail(DataSource source) {
        JdbcClient.create(source)
                .sql("INSERT INTO mail_seen (tenant, envelope, recipient, seen)"
                        + " VALUES ('acme', ?, 'ada@example.org', NOW())")
                .param(UUID.randomUUID())
                .update();
    }

    @Test
    void fieldsOfTheWayAreKeptIfASettingNamesThem() {
        OuterHeaderSettings settings = new OuterHeaderSettings(Duration.ZERO, Set.of("Authentication-Results"));
        DeliveredForm form = new DeliveredForm(settings, Instant.EPOCH, Clock.systemUTC(), new SimpleMeterRegistry());
        String mail = "Authentication-Results: mx; spf=pass\r\n" + genuine;
        assertThat(text(DeliveredForms.delivered(form, tenant, bytes(mail))))
                .isEqualTo("Authentication-Results: mx; spf=pass\r\n" + delivered);
    }

    @ParameterizedTest
    @ValueSource(strings = {"From", "subject", "Content-Type", "Resent-From", "a b", "", "Reply-To"})
    void noSettingKeepsWhatIsShown(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OuterHeaderSettings(Duration.ZERO, Set.of(name)))
                .withMessageContaining("veilgate.ingest.outer-header.keep");
    }

    @Test
    void plainMailShowsNoNameThatHoldsAnAddressWhateverItsBodyIs() throws Exception {
        DeliveredForm form = DeliveredForms.strict();
        String signed = "X: 1\r\nFrom: \"bob@acme.example\" <ada@acme.example>\r\nSubject: hello\r\n"
                + "Content-Type: multipart/signed; boundary=b\r\n\r\n--b\r\n";
        assertThat(text(form.ofPlain(bytes(signed), "")))
                .isEqualTo("X: 1\r\nFrom: ada@acme.example\r\nSubject: hello\r\n"
                        + "Content-Type: multipart/signed; boundary=b\r\n\r\n--b\r\n");
        String harmless = signed.replace("\"bob@acme.example\"", "Bob");
        assertThat(text(form.ofPlain(bytes(harmless), ""))).isEqualTo(harmless);
        for (String type : List.of(
                "text/plain",
                "application/octet-stream; name=smime.p7m",
                "application/octet-stream\r\nContent-Disposition: attachment; filename=\"smime.p7m\"",
                "application/pkcs7-mime, x",
                "multipart/signed; boundary*0=b",
                "text/plain\r\nContent-Type: application/pkcs7-mime",
                "text/plain\r\nno field\r\nX: y")) {
            String mail = signed.replace("multipart/signed; boundary=b", type);
            assertThat(shown(text(form.ofPlain(bytes(mail), "")), "from"))
                    .as(type)
                    .isEqualTo(ADA);
        }
    }

    private static String report(String header, String parts) {
        return header + "MIME-Version: 1.0\r\n"
                + "Content-Type: multipart/report; report-type=delivery-status; boundary=r\r\n\r\n" + parts
                + "--r--\r\n";
    }

    /** Parts of reports in which programs find an old text that somebody signed in the clear. */
    private static List<String> partsOfReports() {
        String signed = "-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\nsigned long ago\r\n"
                + "-----BEGIN PGP SIGNATURE-----\r\n\r\niIoEARYI\r\n-----END PGP SIGNATURE-----\r\n";
        String base64 = Base64.getMimeEncoder().encodeToString(bytes(signed)) + "\r\n";
        String text = "--r\r\nContent-Type: text/plain; charset=utf-8\r\n";
        String status = "--r\r\nContent-Type: message/delivery-status\r\n";
        String encoded = "Content-Transfer-Encoding: base64\r\n\r\n";
        return List.of(
                text + "\r\n" + signed + status + "\r\nReporting-MTA: dns; x.example\r\n",
                text + encoded + base64 + status,
                text.replace("utf-8", "utf-16le") + encoded + base64 + status,
                text + "Content-Transfer-Encoding: quoted-printable\r\n\r\n" + signed.replace("-", "=2D") + status,
                text + status + "\r\n" + signed,
                text + status + "--r\r\nContent-Type: text/rfc822-headers\r\n\r\n" + signed,
                text + "\r\n" + signed + status + "Content-Disposition: inline; filename=details.txt\r\n\r\nx\r\n",
                text + status + "--r\r\nContent-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\n" + signed);
    }

    @Test
    void aReportHasAnAddressAndNoSubjectWhateverTextIsInIt() throws Exception {
        DeliveredForm form = DeliveredForms.strict();
        String to = "To: \"Ada\" <ada@example.org>\r\nDate: Sun, 29 Nov 2026 09:00:00 +0100 (CET)\r\n"
                + "Message-ID: <1@x.example>\r\n";
        String bare = "Received: from a by b; now\r\nFrom: %s\r\nTo: ada@example.org\r\n"
                + "Date: Sun, 29 Nov 2026 09:00:00 +0100\r\nMessage-ID: <1@x.example>\r\nSubject: [...]\r\n"
                + "Auto-Submitted: auto-replied\r\n";
        for (String from : List.of(
                "\"bob@third.example\" <ada@partner.example>",
                "Ada <ada@partner.example>",
                "=?utf-8?B?Ym9iQGFjeA?= =?utf-8?Q?me.example?= <ada@partner.example>")) {
            String came = "Received: from a by b; now\r\nFrom: " + from
                    + "\r\nSender: Bob <bob@third.example>\r\nReply-To: Bob <bob@third.example>\r\n"
                    + "Subject: Transfer the money\r\nComments: by bob\r\nOrganization: bob\r\n"
                    + to + "Auto-Submitted: auto-replied\r\n";
            for (String parts : partsOfReports()) {
                assertThat(text(form.ofReport(bytes(report(came, parts)), "")))
                        .as(from)
                        .isEqualTo(report(bare.formatted("ada@partner.example"), parts));
            }
        }
        String unreadable =
                report("From: Bob <bob@third).example>\r\n", partsOfReports().getFirst());
        assertThat(shown(text(form.ofReport(bytes(unreadable), "")), "from")).isEqualTo("unreadable@veilgate.invalid");
    }

    /** Programs leave some of them out before a colon, and read another field than a gateway. */
    @Test
    void plainMailWithControlCharactersInItsHeaderIsRefused() throws Exception {
        DeliveredForm form = DeliveredForms.strict();
        for (String name : List.of("From", "Sender", "Subject", "Content-Type")) {
            for (int c = 0; c < 0x20; c++) {
                String field = name + (char) c + ": x@elsewhere.example\r\n";
                String mail = "X: 1\r\n" + field + "From: ada@acme.example\r\n\r\ntext\r\n";
                if ("\t\r\n\u001b".indexOf(c) < 0) {
                    assertThatThrownBy(() -> form.ofPlain(bytes(mail), ""))
                            .as("%s behind %s", c, name)
                            .isInstanceOf(RefusedException.class)
                            .hasMessageContaining("control characters");
                }
            }
        }
        String japanese = "From: ada@acme.example\r\nSubject: x \u001b$B$\"\u001b$@!!\u001b(B\r\n\r\ntext\r\n";
        assertThat(text(form.ofPlain(bytes(japanese), ""))).isEqualTo(japanese);
        for (String escape :
                List.of("\u001b", "\u001b(I", "\u001b$)C", "\u001b$B!!", "\u001b$B!\u001b(B", "\u001b(B\u00e9")) {
            String mail = "From: ada@acme.example\r\nX: " + escape + "\r\n\r\ntext\r\n";
            assertThatThrownBy(() -> form.ofPlain(bytes(mail), "")).as(escape).isInstanceOf(RefusedException.class);
        }
    }
}
