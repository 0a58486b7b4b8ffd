package dev.veilgate.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.tenant.Tenant;
import dev.veilgate.testing.Thunderbird;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.text.Normalizer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Mails whose outer header somebody altered on their way, as Thunderbird shows what the gateway delivers. Photographs
 * are kept in target/thunderbird.
 */
@Timeout(300)
class AlteredMailInThunderbirdTest {
    private static final TestTenant TENANT = TestTenant.of("acme-in-thunderbird");
    private static final String ADA = "ada@acme.example";
    private static final String GOOD = "Good signature";
    private static final String TEXT = "are not what they seem";

    @TempDir
    static Path folder;

    private static Thunderbird thunderbird;
    private static Tenant tenant;
    private static TestMail mails;
    private static MailSigner authority;
    private static Path pictures;
    private static String genuine;

    @BeforeAll
    static void start() throws Exception {
        authority = TENANT.signAsSenders("acme.example");
        mails = new TestMail(folder, TENANT);
        tenant = TENANT.tenant();
        X509Certificate root = authority.chain().getLast();
        Path trusted = Files.writeString(
                folder.resolve("authority.pem"),
                "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(root.getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
        pictures = Files.createDirectories(Path.of("target/thunderbird"));
        thunderbird = Thunderbird.start(
                folder.resolve("thunderbird"), List.of(trusted), List.of(mails.pkcs12("x")), "x", TestMail.ADDRESS);
        genuine = new String(mails.sealAs(authority.ofSender(ADA), mail(), "owls"), StandardCharsets.ISO_8859_1);
    }

    private static String mail() {
        String date = DateTimeFormatter.ofPattern("EEE, d MMM uuuu HH:mm:ss Z", Locale.ROOT)
                .withZone(ZoneOffset.UTC)
                .format(Instant.now());
        return "From: Ada Lovelace <" + ADA + ">\r\nTo: " + TestMail.ADDRESS + "\r\nDate: " + date
                + "\r\nMessage-ID: <1@acme.example>\r\nSubject: the owls\r\n"
                + "Content-Type: text/plain; charset=utf-8\r\n\r\n" + TEXT + "\r\n";
    }

    @AfterAll
    static void end() throws Exception {
        thunderbird.close();
    }

    private static Thunderbird.Shown open(String mail, String picture) throws Exception {
        byte[] delivered = DeliveredForms.delivered(tenant, mail.getBytes(StandardCharsets.ISO_8859_1));
        return thunderbird.open(delivered, pictures.resolve(picture + ".png"));
    }

    @Test
    void theGenuineMailHasItsNameAndAGoodSignature() throws Exception {
        Thunderbird.Shown shown = open(genuine, "outer-genuine");
        assertThat(shown.from().toString()).contains("Ada Lovelace");
        assertThat(shown.signature()).isEqualTo(GOOD);
        assertThat(shown.text()).contains(TEXT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s/From: .*/From: \"bob@acme.example\" <ada@acme.example>/",
                "s/From: .*/From: =?utf-8?B?Ym9iQGFjbWUuZXhhbXBsZQ==?= <ada@acme.example>/",
                "s/From: .*/From: <bob@acme.example> <ada@acme.example>/",
                "s/From: .*/From: ada@acme.example, bob@acme.example/",
                "s/From: .*/From: Bob <bob@acme.example>/",
                "s/Subject: .*/Subject: bob wants the money/",
                "first From: Bob <bob@acme.example>",
                "last Sender: Bob <bob@acme.example>",
                "first Subject: bob wants the money",
                "last Subject: bob wants the money"
            })
    void nothingOfAnAlteredHeaderIsShown(String how) throws Exception {
        String altered = DeliveredFormTest.altered(genuine, how);
        Thunderbird.Shown shown = open(altered, "outer-" + Math.floorMod(how.hashCode(), 10_000));
        assertThat(shown.from().toString()).contains("Ada Lovelace").doesNotContainIgnoringCase("bob");
        assertThat(shown.subject()).isEqualTo("[...]");
        assertThat(shown.signature()).isEqualTo(GOOD);
    }

    /** Another envelope beside ada's content, which anybody can make who has the mail. */
    @Test
    void aNameBesideSomebodyElsesContentIsNotShown() throws Exception {
        String claimed = mail().replace("Ada Lovelace <", "Bob Smith <");
        for (MailSigner by : List.of(authority.ofSender("bob@acme.example"), authority.ofTenant())) {
            String mail = new String(
                    mails.sealBoundBy(authority.ofSender(ADA), by, claimed, "owls"), StandardCharsets.ISO_8859_1);
            Thunderbird.Shown shown = open(mail, "outer-of-another");
            assertThat(shown.from().toString()).contains(ADA).doesNotContain("Bob");
            assertThat(shown.signature()).isEqualTo(GOOD);
        }
    }

    private static String resource(String name) throws Exception {
        try (InputStream in = AlteredMailInThunderbirdTest.class.getResourceAsStream("/openpgp/" + name)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    /** From a stranger, where plain mail is refused: it needs nothing but an old text of somebody, and its date. */
    @Test
    void aReportShowsNoNameAndSubjectBesideATextThatWasSignedLongAgo() throws Exception {
        thunderbird.trust(resource("partner.asc"));
        String signed = resource("signed.txt").replace("\n", "\r\n");
        String header = "From: \"bob@third.example\" <ada@partner.example>\r\nTo: " + TestMail.ADDRESS
                + "\r\nDate: Fri, 2 Jan 2026 00:00:00 +0000\r\nSubject: bob wants the money\r\nMIME-Version: 1.0\r\n"
                + "Content-Type: multipart/report; report-type=delivery-status; boundary=r\r\n\r\n--r\r\n";
        String status = "--r\r\nContent-Type: message/delivery-status\r\n";
        int count = 0;
        for (String parts : List.of(
                "Content-Type: text/plain; charset=utf-8\r\n\r\n" + signed + "\r\n" + status,
                "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                        + Base64.getMimeEncoder().encodeToString(signed.getBytes(StandardCharsets.US_ASCII)) + "\r\n"
                        + status,
                "Content-Type: text/plain\r\n" + status + "\r\n" + signed + "\r\n")) {
            byte[] came = (header + parts + "--r--\r\n").getBytes(StandardCharsets.US_ASCII);
            Path picture = pictures.resolve("report-" + ++count + ".png");
            Thunderbird.Shown forged = thunderbird.open(came, null);
            assertThat(forged.signature()).isEqualTo("Verified signature");
            assertThat(forged.from().toString()).contains("bob@third.example");
            Thunderbird.Shown shown = thunderbird.open(DeliveredForms.strict().ofReport(came, ""), picture);
            assertThat(shown.from().toString()).contains("ada@partner.example").doesNotContain("bob");
            assertThat(shown.subject()).isEqualTo("[...]");
        }
    }

    /** Senders of plain mail that Thunderbird reads differently than other programs. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "=?utf-8?B?Ym9iQGFjeA?= =?utf-8?Q?me.example?= <mallory@elsewhere.example>",
                "=?x-gbk?Q?bob=A3=C0acme.example?= <mallory@elsewhere.example>",
                "Bob (bob@acme .example) <mallory@elsewhere.example>",
                "Bob <bob@=?utf-8?Q?ac=_?= =?utf-8?Q?me.example?=>",
                "Bob <bob@acme).example>"
            })
    void plainMailShowsTheSenderThatTheGatewayKnows(String from) throws Exception {
        byte[] came = ("From: " + from + "\r\nTo: " + TestMail.ADDRESS + "\r\nSubject: hello\r\n\r\n" + TEXT + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        String read = Normalizer.normalize(thunderbird.open(came, null).from().toString(), Normalizer.Form.NFKC);
        assertThat(read).contains("bob@acme.example");
        Path picture = pictures.resolve("plain-" + Math.floorMod(from.hashCode(), 10_000) + ".png");
        Thunderbird.Shown shown =
                thunderbird.open(DeliveredForms.strict().ofPlain(came, "mallory@elsewhere.example"), picture);
        assertThat(shown.from().toString())
                .contains("mallory@elsewhere.example")
                .doesNotContainIgnoringCase("bob");
        assertThat(shown.text()).contains(TEXT);
    }
}
