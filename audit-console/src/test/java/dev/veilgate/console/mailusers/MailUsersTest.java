package dev.veilgate.console.mailusers;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.veilgate.application.TestClock;
import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.TestConsole;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.enrolment.CertificatePem;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.testing.ProcessorTime;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Users of mail: enrolled by a keeper, given their files by a link, withdrawn. */
@ConsoleTest
class MailUsersTest {
    private static final String BROWSER = "b".repeat(22);
    private static final String OTHER_BROWSER = "c".repeat(22);
    private static final byte[] PASSPHRASE = TestConsole.PASSPHRASE.getBytes(StandardCharsets.UTF_8);

    @Autowired
    private MockMvc http;

    @Autowired
    private Custody custody;

    @Autowired
    private TestClock clock;

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private Enrolments enrolments;

    private final JsonMapper json = JsonMapper.shared();
    private final String address = "ada-" + UUID.randomUUID() + "@acme.example";

    /** A link as its user has it. */
    private record Link(String url, String passphrase) {
        String secret() {
            return url.substring(url.indexOf('#') + 1);
        }
    }

    @BeforeEach
    void signMail() throws Exception {
        custody.change(keys -> {
            if (keys.mailSigner().isEmpty()) {
                keys.rotateMailSigner(List.of("acme.example"), new SecureRandom(), clock.instant());
            }
            return keys;
        });
    }

    @AfterEach
    void openKeys() throws Exception {
        custody.unlock(PASSPHRASE.clone());
    }

    private MockHttpServletResponse api(String path, Map<String, ?> body) throws Exception {
        return http.perform(post("/api/mail-users" + path)
                        .with(login("kim", "keeper"))
                        .with(csrf())
                        .contentType(MediaType.APPLICATION_JSON)
                        .content(json.writeValueAsString(body)))
                .andReturn()
                .getResponse();
    }

    private JsonNode listed() throws Exception {
        JsonNode users = json.readTree(http.perform(get("/api/mail-users").with(login("kim", "keeper")))
                        .andReturn()
                        .getResponse()
                        .getContentAsString())
                .path("users");
        for (JsonNode each : users) {
            if (each.path("address").asString().equals(address)) {
                return each;
            }
        }
        return json.createObjectNode();
    }

    private String stateOfLink() throws Exception {
        return listed().path("link").path("state").asString();
    }

    private Link enrol(Object... more) throws Exception {
        Map<String, Object> body = new LinkedHashMap<>(Map.of("address", address));
        for (int i = 0; i < more.length; i += 2) {
            body.put((String) more[i], more[i + 1]);
        }
        if (!body.containsKey("request")) {
            body.putIfAbsent("key", "p256");
        }
        MockHttpServletResponse response = api("/enrol", body);
        assertThat(response.getStatus()).as(response.getContentAsString()).isEqualTo(201);
        JsonNode made = json.readTree(response.getContentAsString());
        return new Link(made.path("link").asString(), made.path("passphrase").asString(""));
    }

    private MockHttpServletResponse visit(String path, String secret, String browser) throws Exception {
        return http.perform(post("/enrolment/" + path)
                        .contentType(MediaType.APPLICATION_JSON)
                        .content(json.writeValueAsString(Map.of("link", secret, "browser", browser))))
                .andReturn()
                .getResponse();
    }

    private Map<String, byte[]> files(Link link) throws Exception {
        MockHttpServletResponse response = visit("files", link.secret(), BROWSER);
        assertThat(response.getStatus()).as(response.getContentAsString()).isEqualTo(200);
        return unzipped(response);
    }

    private static Map<String, byte[]> unzipped(MockHttpServletResponse response) throws Exception {
        Map<String, byte[]> files = new LinkedHashMap<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(response.getContentAsByteArray()))) {
            for (ZipEntry each = zip.getNextEntry(); each != null; each = zip.getNextEntry()) {
                files.put(each.getName(), zip.readAllBytes());
            }
        }
        return files;
    }

    private Optional<Recipient> inBundle() throws Exception {
        String pinned = custody.use(keys -> keys.authority().fingerprint());
        return PublicBundle.verify(custody.bundle().orElseThrow(), pinned, clock.instant())
                .recipient(address);
    }

    private String log() throws Exception {
        return http.perform(get("/api/log").with(login("kim", "keeper")))
                .andReturn()
                .getResponse()
                .getContentAsString();
    }

    private byte @Nullable [] keptFiles() {
        return jdbc.sql("SELECT files FROM mail_enrolment WHERE address = ? ORDER BY created DESC")
                .param(address)
                .query((row, _) -> Optional.ofNullable(row.getBytes(1)))
                .list()
                .getFirst()
                .orElse(null);
    }

    @Test
    void aUserGetsTheKeyThatTheBundleNamesFromThenOn() throws Exception {
        Link link = enrol("imap", "mail.acme.example", "smtp", "proxy.acme.example");
        assertThat(link.url()).startsWith("http://localhost:8090/enrolment#").doesNotContain(link.passphrase());
        assertThat(inBundle()).isEmpty();
        assertThat(stateOfLink()).isEqualTo("open");

        Map<String, byte[]> files = files(link);
        String folder = address + "/";
        assertThat(files)
                .containsOnlyKeys(
                        folder + address + ".p12",
                        folder + address.substring(0, address.indexOf('@')) + ".mobileconfig",
                        folder + "authority.pem",
                        folder + "config-v1.1.xml",
                        folder + "README.txt");
        KeyStore store = KeyStore.getInstance("PKCS12");
        char[] passphrase = link.passphrase().toCharArray();
        store.load(new ByteArrayInputStream(files.get(folder + address + ".p12")), passphrase);
        String alias = store.aliases().nextElement();
        assertThat(store.getKey(alias, passphrase).getAlgorithm()).isEqualTo("EC");
        assertThat(store.getCertificate(alias).getEncoded())
                .isEqualTo(inBundle().orElseThrow().certificate());
        assertThat(new String(files.get(folder + "config-v1.1.xml"), StandardCharsets.UTF_8))
                .contains("proxy.acme.example");

        assertThat(stateOfLink()).isEqualTo("used");
        assertThat(listed().path("certificate").asString()).hasSize(64);
        assertThat(listed().path("issuedHere").asBoolean()).isTrue();
        String log = log();
        assertThat(log).contains("enrolling", "handed over", "recipient " + address);
        assertThat(log).doesNotContain(link.passphrase(), link.secret());
    }

    @Test
    void theFirstBrowserIsTheOnlyOneAndMayAskAgain() throws Exception {
        Link link = enrol();
        byte[] first = visit("files", link.secret(), BROWSER).getContentAsByteArray();
        long serial = custody.use(keys -> keys.serial());
        assertThat(visit("files", link.secret(), BROWSER).getContentAsByteArray())
                .isEqualTo(first);
        assertThat(custody.<Long>use(keys -> keys.serial())).isEqualTo(serial);
        MockHttpServletResponse second = visit("files", link.secret(), OTHER_BROWSER);
        assertThat(second.getStatus()).isEqualTo(410);
        assertThat(second.getContentAsString()).contains("link-used", "the link was used at");
        assertThat(visit("received", link.secret(), OTHER_BROWSER).getStatus()).isEqualTo(410);
        assertThat(keptFiles()).isNotNull();
    }

    @Test
    void filesAreForgottenOnceTheBrowserHasThem() throws Exception {
        Link link = enrol();
        assertThat(keptFiles()).isNotNull();
        files(link);
        assertThat(visit("received", link.secret(), BROWSER).getStatus()).isEqualTo(204);
        assertThat(keptFiles()).isNull();
        assertThat(stateOfLink()).isEqualTo("received");
        assertThat(visit("files", link.secret(), BROWSER).getStatus()).isEqualTo(410);
        assertThat(inBundle()).isPresent();
    }

    @Test
    void theDatabaseOpensNothingWithoutTheLink() throws Exception {
        Link link = enrol();
        byte[] sealed = keptFiles();
        byte[] whole = visit("files", link.secret(), BROWSER).getContentAsByteArray();
        assertThat(sealed).isNotEqualTo(whole);
        String row = jdbc.sql("SELECT * FROM mail_enrolment WHERE address = ?")
                .param(address)
                .query()
                .singleRow()
                .toString();
        assertThat(row).doesNotContain(link.secret(), link.passphrase(), BROWSER);
        UUID id = jdbc.sql("SELECT id FROM mail_enrolment WHERE address = ?")
                .param(address)
                .query(UUID.class)
                .single();
        try (LinkSecret other = LinkSecret.draw(new SecureRandom());
                LinkSecret right = LinkSecret.read(link.secret()).orElseThrow()) {
            assertThat(right.open(id, sealed)).isEqualTo(whole);
            assertThatThrownBy(() -> other.open(id, sealed)).isInstanceOf(GeneralSecurityException.class);
            assertThatThrownBy(() -> right.open(UUID.randomUUID(), sealed))
                    .isInstanceOf(GeneralSecurityException.class);
        }
    }

    @Test
    void aLinkIsGoodForADay() throws Exception {
        Link link = enrol();
        clock.advance(Enrolments.LINK_HOLDS.minusMillis(1));
        assertThat(stateOfLink()).isEqualTo("open");
        clock.advance(Duration.ofMillis(1));
        assertThat(stateOfLink()).isEqualTo("lapsed");
        MockHttpServletResponse late = visit("files", link.secret(), BROWSER);
        assertThat(late.getStatus()).isEqualTo(410);
        assertThat(late.getContentAsString()).contains("link-over", "which is over");
        assertThat(inBundle()).isEmpty();
        enrolments.forgetLapsed();
        assertThat(keptFiles()).isNull();
    }

    @Test
    void ofManyBrowsersAtOnceOneGetsTheFiles() throws Exception {
        Link link = enrol();
        int browsers = 8;
        CountDownLatch together = new CountDownLatch(browsers);
        try (ExecutorService threads = Executors.newFixedThreadPool(browsers)) {
            List<Callable<Integer>> visits = IntStream.range(0, browsers)
                    .mapToObj(i -> (Callable<Integer>) () -> {
                        together.countDown();
                        together.await();
                        return visit("files", link.secret(), BROWSER + i).getStatus();
                    })
                    .toList();
            List<Integer> answers = new ArrayList<>();
            for (Future<Integer> each : threads.invokeAll(visits)) {
                answers.add(each.get());
            }
            assertThat(answers).containsOnlyOnce(200);
            assertThat(answers.stream().filter(status -> status == 410)).hasSize(browsers - 1);
        }
    }

    @Test
    void aRenewalTakesEffectWhenItsFilesAreHandedOver() throws Exception {
        files(enrol("scope", "private"));
        Recipient before = inBundle().orElseThrow();
        assertThat(api("/enrol", Map.of("address", address)).getStatus()).isEqualTo(409);
        Link renewed = enrol("renew", true);
        assertThat(inBundle()).contains(before);
        files(renewed);
        Recipient after = inBundle().orElseThrow();
        assertThat(after.certificate()).isNotEqualTo(before.certificate());
        assertThat(after.scope()).isEqualTo("private");
    }

    @Test
    void aSecondLinkEndsTheFirst() throws Exception {
        Link first = enrol();
        Link second = enrol();
        MockHttpServletResponse refused = visit("files", first.secret(), BROWSER);
        assertThat(refused.getStatus()).isEqualTo(410);
        assertThat(refused.getContentAsString()).contains("the link was cancelled");
        files(second);
    }

    @Test
    void aLinkDoesNotReplaceACertificateThatItsKeeperDidNotSee() throws Exception {
        files(enrol());
        Recipient own = inBundle().orElseThrow();
        Link renewal = enrol("renew", true);
        byte[] someOther =
                custody.use(keys -> keys.mailAuthority().orElseThrow().getEncoded());
        custody.change(keys -> {
            keys.putRecipient(new Recipient(address, someOther, "elsewhere"));
            return keys;
        });
        MockHttpServletResponse refused = visit("files", renewal.secret(), BROWSER);
        assertThat(refused.getStatus()).isEqualTo(410);
        assertThat(refused.getContentAsString()).contains("has changed since");
        assertThat(inBundle().orElseThrow().certificate()).isNotEqualTo(own.certificate());
        assertThat(inBundle().orElseThrow().scope()).isEqualTo("elsewhere");
    }

    @Test
    void aKeeperCancelsALinkAndTakesACertificateBack() throws Exception {
        Link link = enrol();
        assertThat(api("/cancel-link", Map.of("address", address)).getStatus()).isEqualTo(204);
        assertThat(api("/cancel-link", Map.of("address", address)).getStatus()).isEqualTo(404);
        assertThat(visit("files", link.secret(), BROWSER).getStatus()).isEqualTo(410);
        assertThat(keptFiles()).isNull();
        assertThat(stateOfLink()).isEqualTo("cancelled");
        assertThat(api("/withdraw", Map.of("address", address)).getStatus()).isEqualTo(404);

        Link used = enrol();
        files(used);
        assertThat(inBundle()).isPresent();
        assertThat(api("/withdraw", Map.of("address", address)).getStatus()).isEqualTo(204);
        assertThat(inBundle()).isEmpty();
        assertThat(visit("files", used.secret(), BROWSER).getStatus()).isEqualTo(410);
        assertThat(inBundle()).isEmpty();
        assertThat(log()).contains("cancelled the enrolment of", "withdrawn");
    }

    @Test
    void ofLinksThatAreMadeAtOnceForAnAddressOneIsOpenAndListed() throws Exception {
        int keepers = 8;
        CountDownLatch together = new CountDownLatch(keepers);
        try (ExecutorService threads = Executors.newFixedThreadPool(keepers)) {
            List<Callable<Link>> orders = IntStream.range(0, keepers)
                    .mapToObj(_ -> (Callable<Link>) () -> {
                        together.countDown();
                        together.await();
                        return enrol();
                    })
                    .toList();
            for (Future<Link> each : threads.invokeAll(orders)) {
                each.get();
            }
        }
        int open = jdbc.sql("SELECT COUNT(*) FROM mail_enrolment WHERE address = ? AND cancelled IS NULL")
                .param(address)
                .query(Integer.class)
                .single();
        assertThat(open).isEqualTo(1);
        assertThat(stateOfLink()).isEqualTo("open");
        assertThat(api("/cancel-link", Map.of("address", address)).getStatus()).isEqualTo(204);
    }

    @Test
    void theLinkThatWasMadeLastIsListedThoughTheClockWentBack() throws Exception {
        enrol();
        clock.advance(Duration.ofMinutes(-10));
        Link second = enrol();
        assertThat(stateOfLink()).isEqualTo("open");
        assertThat(api("/cancel-link", Map.of("address", address)).getStatus()).isEqualTo(204);
        assertThat(visit("files", second.secret(), BROWSER).getStatus()).isEqualTo(410);
        clock.advance(Duration.ofMinutes(10));
    }

    @Test
    void aLinkThatWasBoundBeforeTheConsoleStoppedStillEnrols() throws Exception {
        Link link = enrol();
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(BROWSER.getBytes(StandardCharsets.UTF_8));
        jdbc.sql("UPDATE mail_enrolment SET used = created, browser = ? WHERE address = ?")
                .params(HexFormat.of().formatHex(digest), address)
                .update();
        assertThat(visit("files", link.secret(), OTHER_BROWSER).getStatus()).isEqualTo(410);
        assertThat(inBundle()).isEmpty();
        files(link);
        assertThat(inBundle()).isPresent();
    }

    @Test
    void aLinkPutsNoCertificateBackThatWasTakenOutByTheCommand() throws Exception {
        Link link = enrol();
        files(link);
        custody.change(keys -> keys.removeRecipient(address));
        MockHttpServletResponse again = visit("files", link.secret(), BROWSER);
        assertThat(again.getStatus()).isEqualTo(410);
        assertThat(again.getContentAsString()).contains("has changed since");
        assertThat(inBundle()).isEmpty();
    }

    @Test
    void aDatabaseOfBeforeDoesNotHandFilesOverASecondTime() throws Exception {
        Link link = enrol();
        files(link);
        jdbc.sql("UPDATE mail_enrolment SET used = NULL, browser = NULL, replaces = NULL WHERE address = ?")
                .param(address)
                .update();
        MockHttpServletResponse second = visit("files", link.secret(), OTHER_BROWSER);
        assertThat(second.getStatus()).isEqualTo(410);
        assertThat(second.getContentAsString()).contains("link-over", "is in bundles already");
    }

    @Test
    void manyLinksOfAnAddressAreListedSoon() throws Exception {
        enrol();
        jdbc.sql("INSERT INTO mail_enrolment (id, address, scope, certificate, created, created_by, expires, lookup)"
                        + " SELECT RANDOM_UUID(), address, scope, certificate, DATEADD('SECOND', -X, created),"
                        + " created_by, DATEADD('SECOND', -X, created), CONCAT(X, '-', SUBSTRING(lookup, 1, 40))"
                        + " FROM mail_enrolment, SYSTEM_RANGE(1, 20000) WHERE address = ?")
                .param(address)
                .update();
        assertThat(ProcessorTime.bounded(Duration.ofSeconds(20), enrolments::links))
                .filteredOn(each -> each.address().equals(address))
                .hasSize(1);
    }

    @Test
    void lockedKeysUseNoLinkUp() throws Exception {
        Link link = enrol();
        custody.lock();
        MockHttpServletResponse refused = visit("files", link.secret(), BROWSER);
        assertThat(refused.getStatus()).isEqualTo(423);
        custody.unlock(PASSPHRASE.clone());
        assertThat(stateOfLink()).isEqualTo("open");
        assertThat(visit("files", link.secret(), OTHER_BROWSER).getStatus()).isEqualTo(200);
    }

    @Test
    void aUserWhoMadeTheKeyGetsItsCertificateAndNoPassphrase() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair pair = generator.generateKeyPair();
        byte[] der = new JcaPKCS10CertificationRequestBuilder(new X500Principal("CN=Ada"), pair.getPublic())
                .build(new JcaContentSignerBuilder("SHA256withRSA").build(pair.getPrivate()))
                .getEncoded();
        String pem = "-----BEGIN CERTIFICATE REQUEST-----\n"
                + Base64.getMimeEncoder().encodeToString(der)
                + "\n-----END CERTIFICATE REQUEST-----\n";
        Link link = enrol("request", pem);
        assertThat(link.passphrase()).isEmpty();
        Map<String, byte[]> files = files(link);
        X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(
                        new ByteArrayInputStream(inBundle().orElseThrow().certificate()));
        assertThat(certificate.getPublicKey()).isEqualTo(pair.getPublic());
        assertThat(new String(files.get(address + "/" + address + ".pem"), StandardCharsets.UTF_8))
                .isEqualTo(CertificatePem.of(certificate));
        assertThat(api("/enrol", Map.of("address", "eve@acme.example", "request", pem.replace('M', 'N')))
                        .getStatus())
                .isEqualTo(400);
    }

    @Test
    void aDomainThatIsNoneOfTheTenantsHasToBeMeant() throws Exception {
        String elsewhere = address.replace("acme.example", "other.example");
        MockHttpServletResponse refused = api("/enrol", Map.of("address", elsewhere, "key", "p256"));
        assertThat(refused.getStatus()).isEqualTo(409);
        assertThat(refused.getContentAsString()).contains("foreign-domain", "other.example");
        assertThat(api("/enrol", Map.of("address", elsewhere, "key", "p256", "anyDomain", true))
                        .getStatus())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"address\": \"ada\"}",
                "{\"address\": \"a b@acme.example\"}",
                "{\"address\": \"ada@acme.example\", \"key\": \"dsa\"}",
                "{\"address\": \"ada@acme.example\", \"imap\": \"mail acme\"}",
                "{\"address\": \"ada@acme.example\", \"smtp\": \"proxy:99999\"}",
                "{\"address\": \"ada@acme.example\", \"key\": \"p256\", \"request\": \"\"}",
                "{\"address\": \"ada@acme.example\", \"request\": \"none\"}",
                "{\"address\": \"ada@acme.example\", \"scope\": \"a\\u0000b\"}",
                "{\"address\": \"ada@acme.example.\"}",
                "{\"address\": \"ada@\u00fcber.example\"}",
                "{\"address\": [\"ada@acme.example\"]}",
                "[]",
                "null"
            })
    void whatCannotBeEnrolledIsSaid(String body) throws Exception {
        MockHttpServletResponse refused = http.perform(post("/api/mail-users/enrol")
                        .with(login("kim", "keeper"))
                        .with(csrf())
                        .contentType(MediaType.APPLICATION_JSON)
                        .content(body))
                .andReturn()
                .getResponse();
        assertThat(refused.getStatus()).as(refused.getContentAsString()).isEqualTo(400);
    }

    @Test
    void linksThatNeverWereAreRefused() throws Exception {
        try (LinkSecret never = LinkSecret.draw(new SecureRandom())) {
            assertThat(visit("files", never.text(), BROWSER).getStatus()).isEqualTo(404);
            assertThat(visit("received", never.text(), BROWSER).getStatus()).isEqualTo(404);
            assertThat(visit("files", never.text().substring(1), BROWSER).getStatus())
                    .isEqualTo(400);
            assertThat(visit("files", never.text(), "short").getStatus()).isEqualTo(400);
            assertThat(visit("files", "", "").getStatus()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/enrolment/../api/mail-users",
                "/enrolment/%2e%2e/api/mail-users",
                "/enrolment/..;/api/mail-users",
                "/enrolment/..%2fapi/mail-users",
                "/enrolment/%2Fapi/mail-users",
                "/enrolment;x=y/../api/mail-users",
                "//enrolment/files",
                "/enrolment//files",
                "/enrolment/files",
                "/api/mail-users;/enrolment/files",
                "/api/mail-users/../../enrolment/files",
                "/api/enrolment/files"
            })
    void noPathLeadsThroughTheLinksToWhatNeedsALogin(String path) throws Exception {
        MockHttpServletResponse got = http.perform(get(URI.create("http://localhost" + path)))
                .andReturn()
                .getResponse();
        assertThat(got.getStatus()).as(got.getContentAsString()).isIn(400, 401, 404, 405);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json | [] | 400",
                "application/json | null | 400",
                "application/json | {\"link\": {}, \"browser\": []} | 400",
                "application/json | {\"link\": null, \"browser\": null} | 400",
                "application/json | {\"link | 400",
                "text/plain | {} | 415",
                "application/x-www-form-urlencoded | link=x&browser=y | 415"
            })
    void whatIsNoVisitIsRefused(String type, String body, int status) throws Exception {
        for (String path : List.of("/enrolment/files", "/enrolment/received")) {
            MockHttpServletResponse got = http.perform(
                            post(path).contentType(type).content(body))
                    .andReturn()
                    .getResponse();
            assertThat(got.getStatus()).as(got.getContentAsString()).isEqualTo(status);
        }
    }

    @Test
    void thePageOfALinkTakesNoLoginAndMakesNoSession() throws Exception {
        MockHttpServletResponse page =
                http.perform(get("/enrolment")).andReturn().getResponse();
        assertThat(page.getHeader("Set-Cookie")).isNull();
        assertThat(page.getHeader("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(page.getHeader("Content-Security-Policy")).contains("default-src 'none'");
        MockHttpServletResponse files = visit("files", enrol().secret(), BROWSER);
        assertThat(files.getHeader("Set-Cookie")).isNull();
        assertThat(files.getHeader("Cache-Control")).contains("no-store");
    }
}
