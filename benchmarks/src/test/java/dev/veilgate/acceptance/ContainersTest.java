package dev.veilgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Volume;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/** Runs the images as users run them: one site through its life, from the first start to its deletion. */
@Tag("containers")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class ContainersTest {
    private static final List<String> SERVICES =
            List.of("gateway", "console", "agent", "mail", "keycloak", "postgres", "prometheus");

    private static final int KILLS = Integer.getInteger("veilgate.kills", 1);

    private static final Pattern METRIC = Pattern.compile("\\b(?:veilgate|jvm)_\\w+");

    /** Counted from the first time on that it happens, which in this test it does not, by names in the code. */
    private static final Map<String, String> RARE = Map.of(
            "veilgate_ingest_refused_total", "ingest/IngestCounters.java",
            "veilgate_tokens_refused_total", "http/BearerTokens.java",
            "veilgate_route_actions_total", "route/ActionWorker.java");

    private Path folder;
    private ContainerSite site;
    private String token;
    private final List<String> lines = new ArrayList<>();

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        folder = temporary;
        System.out.println(ContainerSite.build());
        site = new ContainerSite(Files.createDirectory(folder.resolve("docker")), false, "metrics");
        System.out.println(site.up().replaceAll("(?m)password .*$", "password ..."));
        token = site.token();
    }

    @AfterAll
    void delete() throws Exception {
        if (site != null) {
            site.delete();
        }
    }

    @Test
    @Order(1)
    void programsRunAsAUserWithoutRightsOnAReadOnlyRoot() {
        for (String service : SERVICES) {
            InspectContainerResponse container = site.client()
                    .inspectContainerCmd(site.container(service).getId())
                    .exec();
            assertThat(container.getConfig().getUser()).as(service).isEqualTo("10001:10001");
            assertThat(container.getHostConfig().getReadonlyRootfs())
                    .as(service)
                    .isTrue();
            assertThat(container.getHostConfig().getCapDrop()).as(service).isNotEmpty();
            assertThat(container.getHostConfig().getPrivileged()).as(service).isFalse();
        }
    }

    /** A secret in the environment is seen by whoever may ask the engine, and ends in reports of faults. */
    @Test
    @Order(2)
    void noSecretIsInTheSettingsOfAContainer() throws Exception {
        List<String> secrets = new ArrayList<>();
        for (String name : List.of(
                "console/passphrase",
                "console/database.password",
                "keycloak/admin.password",
                "keycloak/console.secret",
                "agent/mqtt-password",
                "mail/mail-signing.passphrase")) {
            secrets.add(site.secret(name));
        }
        assertThat(secrets).allSatisfy(secret -> assertThat(secret).hasSizeGreaterThan(20));
        for (String service : SERVICES) {
            InspectContainerResponse container = site.client()
                    .inspectContainerCmd(site.container(service).getId())
                    .exec();
            String all = Arrays.toString(container.getConfig().getEnv())
                    + Arrays.toString(container.getConfig().getCmd())
                    + container.getConfig().getLabels()
                    + container.getRawValues();
            assertThat(all).as(service).contains(service.equals("gateway") ? "JAVA_HOME=/opt/java" : "");
            assertThat(secrets).as(service).noneMatch(all::contains);
        }
        String said = site.compose("logs", "--no-color");
        assertThat(secrets).noneMatch(said::contains);
    }

    /** The console has the keys; of what is the others' it sees only what it needs. */
    @Test
    @Order(3)
    void onlyTheConsoleSeesTheKeys() {
        for (String service : SERVICES) {
            Bind[] binds = Objects.requireNonNull(site.client()
                    .inspectContainerCmd(site.container(service).getId())
                    .exec()
                    .getHostConfig()
                    .getBinds());
            boolean keys = false;
            for (Bind bind : binds) {
                keys |= bind.getPath().endsWith("/site") || bind.getPath().contains("/site/keys");
            }
            assertThat(keys).as(service).isEqualTo(service.equals("console"));
        }
    }

    /** The key that a mail program imports opens, and its certificate is by the tenant's authority for mail. */
    @Test
    @Order(3)
    void theFirstMailboxIsEnrolledByTheTenantsAuthority() throws Exception {
        Path mailbox = site.authority().resolveSibling("../mailbox").normalize();
        Path opened = folder.resolve("alice.pem");
        String shown = ContainerSite.run(
                mailbox,
                Map.of("OPENED", opened.toString()),
                List.of(
                        "sh",
                        "-ec",
                        "openssl pkcs12 -in alice/*.p12 -passin file:alice.passphrase -noenc -clcerts -out \"$OPENED\";"
                                + " openssl verify -CAfile mail-authority.pem \"$OPENED\";"
                                + " openssl x509 -in \"$OPENED\" -noout -ext subjectAltName; ls alice"));
        assertThat(shown).contains(opened + ": OK", "email:alice@demo.example", "authority.pem", "README.txt");
    }

    @Test
    @Order(4)
    void anAuditorLogsInAtKeycloakAndReadsALineOfTheAgentAndAMailOfTheProxy() throws Exception {
        write("quokka");
        sendMail("wombat");
        awaitFound("mailbox-alice", "urgent", 1);
        awaitFound("plant", "quokka", 1);
        Path home = Files.createDirectories(folder.resolve("home/.pki/nssdb"));
        ContainerSite.run(folder, Map.of(), List.of("certutil", "-N", "-d", "sql:" + home, "--empty-password"));
        ContainerSite.run(
                folder,
                Map.of(),
                List.of("certutil", "-A", "-d", "sql:" + home, "-n", "site", "-t", "C,,", "-i", site.authority() + ""));
        Journeys.run(
                "containers",
                Map.of(
                        "CONSOLE", site.console(),
                        "PROVIDER", site.login(),
                        "PASSWORD", site.secret("console/people.password"),
                        "LOG_WORD", "quokka",
                        "MAIL_WORD", "wombat",
                        "JOURNEYS_BROWSER", "whole",
                        "JOURNEYS_HOME", folder.resolve("home").toString()),
                site::logs);
    }

    @Test
    @Order(5)
    void prometheusSeesTheGatewayAndEveryMetricOfRulesAndDashboardsIsThere() throws Exception {
        awaitPrometheus("targets", "\"health\":\"up\"", 2);
        String rules = Files.readString(Path.of("docker/prometheus/alerts.yml"));
        awaitPrometheus("rules", "\"health\":\"ok\"", count(rules, "- alert:"));
        assertThat(prometheus("alerts")).doesNotContain("\"state\":\"firing\"");

        String known = prometheus("label/__name__/values");
        String dashboards = Files.readString(Path.of("docker/grafana/dashboards/gateway.json"));
        Set<String> names = METRIC.matcher(rules + dashboards)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(names).hasSizeGreaterThan(20);
        for (String name : names) {
            if (!known.contains("\"" + name + "\"")) {
                String source = RARE.get(name);
                assertThat(source).as(name).isNotNull();
                String meter = "\"" + name.replace("_total", "").replace('_', '.') + "\"";
                Path file = Path.of("gateway/server/src/main/java/dev/veilgate/gateway")
                        .resolve(source);
                assertThat(Files.readString(file)).contains(meter);
            }
        }
    }

    private void awaitPrometheus(String path, String text, int count) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        String said = prometheus(path);
        while (count(said, text) != count && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(500);
            said = prometheus(path);
        }
        assertThat(count(said, text)).as(said).isEqualTo(count);
    }

    private String prometheus(String path) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + site.prometheusPort + "/api/v1/" + path);
            return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    /**
     * Lines written while the gateway is down arrive later, and no line is lost or found twice. GatewayKillTest kills
     * under load; this one once, or as often as {@code -Dveilgate.kills} says.
     */
    @Test
    @Order(6)
    void killingTheGatewayLosesAndRepeatsNothing() throws Exception {
        for (int round = 0; round < KILLS; round++) {
            IntStream.range(0, 200).forEach(i -> lines.add("bandicoot line " + lines.size()));
            site.log(lines.subList(lines.size() - 200, lines.size()).toArray(String[]::new));
            site.kill("gateway");
            site.log(next("bandicoot"));
            site.up();
        }
        awaitFound("plant", "bandicoot", lines.size());
    }

    @Test
    @Order(7)
    void everythingIsThereAfterAllWasStoppedAndStarted() throws Exception {
        site.down();
        site.up();
        assertThat(site.search(token, "plant", "quokka")).hasSize(1);
        awaitFound("plant", "bandicoot", lines.size());
        write("numbat");
        awaitFound("plant", "numbat", 1);
        assertThat(site.senders(token)).contains("plant").doesNotContain("gap");
    }

    /** Any user of the machine may put a link among the logs, and set-up runs as root. */
    @Test
    @Order(7)
    void aLinkAmongTheLogsGivesNobodyAKey() throws Exception {
        Path key = site.authority().resolveSibling("ca.key");
        Path link = key.resolveSibling("../logs/link").normalize();
        Files.createSymbolicLink(link, Path.of("../ca/ca.key"));
        site.up();
        Files.delete(link);
        assertThat(Files.getPosixFilePermissions(key)).doesNotContain(PosixFilePermission.OTHERS_READ);
    }

    /** The data folder of a gateway that was killed; gateway/server tests the whole of it. */
    @Test
    @Order(8)
    void theGatewaysImageTakesOverTheDataOf906ce34() throws Exception {
        Path set = Path.of("gateway/server/src/test/resources/frozen/906ce34").toAbsolutePath();
        Path data = folder.resolve("906ce34");
        try (FileSystem zip = FileSystems.newFileSystem(set.resolve("data.zip"));
                Stream<Path> entries = Files.walk(zip.getPath("/"))) {
            for (Path entry : entries.toList()) {
                Path to = data.resolve(entry.toString().substring(1));
                if (Files.isDirectory(entry)) {
                    Files.createDirectories(to);
                } else {
                    Files.copy(entry, to);
                }
            }
        }
        for (String name : List.of("bundle", "bundle.senders")) {
            Files.copy(set.resolve(name), data.resolve(name));
        }
        ContainerSite.run(folder, Map.of(), List.of("chmod", "-R", "a+rwX", data.toString()));
        Properties known = new Properties();
        try (InputStream in = Files.newInputStream(set.resolve("known.properties"))) {
            known.load(in);
        }
        try (GenericContainer<?> gateway = new GenericContainer<>("veilgate/gateway:" + ContainerSite.TAG)) {
            gateway.withCreateContainerCmdModifier(command -> Objects.requireNonNull(command.getHostConfig())
                            .withBinds(new Bind(data.toString(), new Volume("/var/lib/veilgate-gateway"))))
                    .withCommand(
                            "run",
                            "veilgate.data-dir=/var/lib/veilgate-gateway",
                            "veilgate.tenants[0].bundle=/var/lib/veilgate-gateway/bundle",
                            "veilgate.tenants[0].authority=" + known.getProperty("authority"),
                            "server.address=0.0.0.0",
                            "management.server.port=8081")
                    .withExposedPorts(8080)
                    .waitingFor(Wait.forHealthcheck().withStartupTimeout(Duration.ofMinutes(5)))
                    .start();
            try (HttpClient http = HttpClient.newHttpClient();
                    Stream<Path> envelopes = Files.list(set.resolve("envelopes"))) {
                for (Path envelope : envelopes.toList()) {
                    String id = envelope.getFileName().toString().replace(".vge", "");
                    HttpResponse<byte[]> answer = http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.getMappedPort(8080)
                                            + "/v1/tenants/acme/envelopes/" + id))
                                    .header("Authorization", "Bearer " + known.getProperty("token"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofByteArray());
                    assertThat(answer.body()).as(id).isEqualTo(Files.readAllBytes(envelope));
                }
            }
        }
    }

    /** Embedded databases, the console's own users, liboqs; a broker that the gateway fetches from. */
    @Test
    @Order(9)
    void aSmallSiteSendsByMosquittoThatStopsAndStarts() throws Exception {
        site.down();
        ContainerSite small = new ContainerSite(Files.createDirectory(folder.resolve("small")), true, "mosquitto");
        try {
            small.up();
            String access = small.token();
            small.log(line("quoll"));
            awaitFound(small, access, "plant", "quoll", 1);
            small.compose("stop", "gateway");
            small.log(line("potoroo"));
            small.compose("restart", "mosquitto");
            small.up();
            awaitFound(small, access, "plant", "potoroo", 1);
            assertThat(small.senders(access)).contains("plant").doesNotContain("gap");
            for (String program : List.of("gateway", "console", "agent", "mail")) {
                assertThat(small.compose("logs", "--no-color", program))
                        .as(program)
                        .contains("post-quantum algorithms by liboqs 0.13.0");
            }

            String password = small.secret("agent/mqtt-password");
            assertThat(small.publish("veilgate/v1/demo/plant", "-u", "plant", "-P", password))
                    .contains("RC:0");
            assertThat(small.publish("veilgate/v1/demo/other", "-u", "plant", "-P", password))
                    .contains("RC:135");
            assertThat(small.publish("veilgate/v1/demo/plant", "-u", "plant", "-P", "guess"))
                    .contains("Not authorized");
            assertThat(small.publish("veilgate/v1/demo/plant")).contains("Not authorized");
        } finally {
            small.delete();
        }
    }

    private String next(String word) {
        lines.add(word + " line " + lines.size());
        return lines.getLast();
    }

    private void write(String word) throws Exception {
        site.log(line(word));
    }

    private static String line(String word) {
        return Instant.now() + " press-2 controller: INFO " + word; // the console asks for the last day
    }

    /** As a mail program does: STARTTLS, a login, a certificate that it checks. */
    private void sendMail(String word) throws Exception {
        ContainerSite.run(
                folder,
                Map.of(),
                List.of(
                        "swaks",
                        "--server=localhost",
                        "--port=" + site.mailPort,
                        "--tls",
                        "--tls-verify",
                        "--tls-ca-path=" + site.authority(),
                        "--auth=PLAIN",
                        "--auth-user=alice",
                        "--auth-password=" + site.secret("mail/people.password"),
                        "--from=alice@demo.example",
                        "--to=alice@demo.example",
                        "--header=Subject: urgent: " + word,
                        "--body=The " + word + " is out."));
    }

    private void awaitFound(String scope, String query, int count) throws Exception {
        awaitFound(site, token, scope, query, count);
    }

    private static void awaitFound(ContainerSite site, String token, String scope, String query, int count)
            throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        List<String> found = List.of();
        while (System.nanoTime() < end) {
            try {
                found = site.search(token, scope, query);
            } catch (AssertionError notYet) {
                found = List.of(Objects.toString(notYet.getMessage()));
            }
            if (found.size() >= count) {
                break;
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
        assertThat(found).as(() -> query + "\n" + site.logs()).hasSize(count);
        assertThat(new HashSet<>(found)).hasSize(count);
    }
}
