package dev.veilgate.keycloak;

import dev.veilgate.testing.FreePort;
import dev.veilgate.testing.ProcessLock;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Keycloak on a free port of this machine with a fresh import of {@code docker/keycloak/veilgate-realm.json}, its data in memory. Where it was unpacked to is found from the
 * root of the repository, which tests start in; the system property {@code veilgate.keycloak} names another installation. One at a time on a machine: the installation is shared, and a
 * second one waits until the first is closed.
 */
public final class KeycloakServer implements AutoCloseable {
    /** Of the demo users ada, ben, kim, oli and eve. */
    public static final String PASSWORD = "veilgate-demo";

    /** Of the client {@code veilgate-console}, unless the environment says otherwise. */
    public static final String CONSOLE_SECRET = "veilgate-demo-console-secret";

    /** Of the client {@code veilgate-console-gateway}, unless VEILGATE_GATEWAY_SECRET says otherwise; VEILGATE_GATEWAY_CLIENT enables it. */
    public static final String GATEWAY_SECRET = "veilgate-demo-gateway-secret";

    /** Longest wait for a start. It makes a database, which takes half a minute of an idle processor. */
    private static final Duration START = Duration.ofMinutes(15);

    private static final Path DISTRIBUTION = Path.of("docker/keycloak/target/distribution");
    private static final String REALM = "veilgate-realm.json";

    private final ProcessLock installation;
    private final Process process;
    private final String address;
    private final String consoleSecret;
    private final String consoleUrl;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Thread stopWithTests = new Thread(this::kill);

    private KeycloakServer(ProcessLock installation, Process process, String address, Map<String, String> environment) {
        this.installation = installation;
        this.process = process;
        this.address = address;
        this.consoleSecret = environment.getOrDefault("VEILGATE_CONSOLE_SECRET", CONSOLE_SECRET);
        this.consoleUrl = environment.getOrDefault("VEILGATE_CONSOLE_URL", "http://localhost:8090");
        Runtime.getRuntime().addShutdownHook(stopWithTests);
    }

    /**
     * Starts it and waits until the realm answers: half a minute.
     *
     * @param log         gets what it says
     * @param environment what the realm file takes from there: VEILGATE_TENANT, VEILGATE_CONSOLE_SECRET, VEILGATE_CONSOLE_URL for a console that is not on port 8090
     */
    public static KeycloakServer start(Path log, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path home = home();
        int port = FreePort.choose();
        String address = "http://localhost:" + port;
        ProcessLock installation = ProcessLock.take(home.resolve("data/tests.lock"));
        KeycloakServer server;
        try {
            server = new KeycloakServer(installation, process(home, port, log, environment), address, environment);
        } catch (IOException | RuntimeException e) {
            installation.close();
            throw e;
        }
        try {
            server.awaitRealm(log);
        } catch (AssertionError | IOException | InterruptedException e) {
            server.close();
            throw e;
        }
        return server;
    }

    private static Process process(Path home, int port, Path log, Map<String, String> environment) throws IOException {
        Path imported = Files.createDirectories(home.resolve("data/import"));
        try (InputStream realm = Objects.requireNonNull(KeycloakServer.class.getResourceAsStream("/" + REALM))) {
            Files.copy(realm, imported.resolve(REALM), StandardCopyOption.REPLACE_EXISTING);
        }
        ProcessBuilder builder = new ProcessBuilder(
                        "sh",
                        home.resolve("bin/kc.sh").toString(),
                        "start-dev",
                        "--http-host=127.0.0.1",
                        "--http-port=" + port,
                        "--hostname=http://localhost:" + port,
                        "--db=dev-mem",
                        "--import-realm")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("JAVA_OPTS_KC_HEAP", "-Xms64m -Xmx512m");
        // Most of a start's time is compilation for a server that runs for days; this one ends within a minute or two.
        // And it is not put together anew for this database first: as it was released it can use the database, too.
        builder.environment()
                .put(
                        "JAVA_OPTS_APPEND",
                        "-XX:TieredStopAtLevel=1 -XX:-UseG1GC -XX:+UseSerialGC -Dkc.config.built=true");
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static Path home() throws IOException {
        String given = System.getProperty("veilgate.keycloak");
        if (given != null) {
            return Path.of(given).toAbsolutePath();
        }
        List<Path> unpacked = new ArrayList<>();
        if (Files.isDirectory(DISTRIBUTION)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(DISTRIBUTION, "keycloak-*")) {
                found.forEach(unpacked::add);
            }
        }
        if (unpacked.size() != 1) {
            throw new IOException(DISTRIBUTION.toAbsolutePath()
                    + " must hold one Keycloak: ./mvnw -pl docker/keycloak clean process-resources");
        }
        return unpacked.getFirst().toAbsolutePath();
    }

    private void awaitRealm(Path log) throws IOException, InterruptedException {
        long end = System.nanoTime() + START.toNanos();
        while (!answers()) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new AssertionError("Keycloak did not start:\n" + Files.readString(log));
            }
            process.waitFor(250, TimeUnit.MILLISECONDS);
        }
    }

    private boolean answers() throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(issuer() + "/.well-known/openid-configuration"))
                .timeout(Duration.ofSeconds(10))
                .build();
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** What is in the claim {@code iss}; gateway and console are set to it. */
    public String issuer() {
        return address + "/realms/veilgate";
    }

    /** Tokens as the console gets them: the user types the password into Keycloak's own page, and the console redeems the code with PKCE. */
    public Tokens login(String user, String password) throws IOException, InterruptedException {
        return new ConsoleLogin(http, issuer(), consoleSecret, consoleUrl).login(user, password);
    }

    /** What the console's own client gets for the gateway, as JSON. */
    public String consoleTokens(String secret) throws IOException, InterruptedException {
        String client = Base64.getEncoder()
                .encodeToString(("veilgate-console-gateway:" + secret).getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(URI.create(issuer() + "/protocol/openid-connect/token"))
                .header("Authorization", "Basic " + client)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("grant_type=client_credentials"))
                .build();
        return http.send(request, BodyHandlers.ofString()).body();
    }

    /**
     * What a login gives.
     *
     * @param access  for the gateway
     * @param id      for the console
     * @param refresh for Keycloak
     */
    public record Tokens(String access, String id, String refresh) {}

    @Override
    public void close() {
        kill();
        http.close();
        Runtime.getRuntime().removeShutdownHook(stopWithTests);
        installation.close();
    }

    /** The script, and Java, which is its child. */
    private void kill() {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(handle -> handle.onExit().join());
    }
}
