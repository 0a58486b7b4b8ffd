package dev.veilgate.gateway.whole;

import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.access.AccessFile;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Principal.Kind;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.testing.ClassArchive;
import dev.veilgate.testing.FreePort;
import dev.veilgate.testing.ProcessorShare;
import dev.veilgate.time.ThatTime;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A gateway that serves the tenant acme, as an operator starts it; it can be killed and started again. */
final class GatewayProcess implements AutoCloseable {
    static final String TENANT = "acme";
    private static final Duration START = Duration.ofMinutes(5);
    /**
     * Of one that makes an archive of its classes as it ends: half a minute of a processor that has nothing else to do.
     */
    private static final Duration STOP = Duration.ofMinutes(5);

    private static final JsonMapper JSON = new JsonMapper();

    final int httpPort = FreePort.choose();
    final int smtpPort = FreePort.choose();
    final int mqttPort = FreePort.choose();
    private final Path folder;
    private final String token;
    private final List<String> settings;
    private final List<String> javaOptions = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private @Nullable Process process;
    private @Nullable Path log;
    private @Nullable ProcessorShare share;

    /** @param settings KEY=VALUE beside those that it needs */
    GatewayProcess(Path folder, TestTenant tenant, String... settings) throws IOException {
        this.folder = folder;
        tenant.publish(folder.resolve("bundle"));
        token = grant(new Principal(Kind.TOKEN, "tester", TENANT, Set.of(Right.values()), Set.of()));
        this.settings = settings(tenant.keys().authority().fingerprint(), settings);
    }

    /**
     * Of a folder that such a gateway left: its data, and the bundle.
     *
     * @param token that was granted there
     */
    GatewayProcess(Path folder, String authority, String token, String... settings) {
        this.folder = folder;
        this.token = token;
        this.settings = settings(authority, settings);
    }

    private List<String> settings(String authority, String... more) {
        List<String> all = new ArrayList<>(List.of(
                "server.port=" + httpPort,
                "veilgate.data-dir=" + folder.resolve("data"),
                "veilgate.tenants[0].bundle=" + folder.resolve("bundle"),
                "veilgate.tenants[0].authority=" + authority,
                "veilgate.smtp.listeners[0].port=" + smtpPort,
                "veilgate.smtp.listeners[0].tls=none",
                "veilgate.smtp.domains[example.org].plain=refuse",
                "veilgate.mqtt.embedded.listen=127.0.0.1:" + mqttPort));
        all.addAll(List.of(more));
        return all;
    }

    /** The bearer token that requests of this test carry. */
    String token() {
        return token;
    }

    /** Gives somebody access. */
    String grant(Principal principal) throws IOException {
        return AccessFile.grant(folder.resolve("data/access"), principal, new SecureRandom());
    }

    /** Starts it and waits until it is ready. */
    void start() throws IOException, InterruptedException {
        start(sharedClasses());
    }

    /** Starts it with a clock that goes on from an instant. */
    void startAt(Instant time) throws IOException, InterruptedException {
        start(ThatTime.options(sharedClasses(), Files.createTempDirectory(folder, "that-time"), time));
    }

    /** Starts it and returns before it is ready, which it may not become. */
    void launch() throws IOException, InterruptedException {
        launch(sharedClasses());
    }

    private void start(List<String> options) throws IOException, InterruptedException {
        Process started = launch(options);
        long end = System.nanoTime() + START.toNanos();
        while (!isReady()) {
            if (!started.isAlive() || System.nanoTime() > end) {
                throw new AssertionError("the gateway did not start:\n" + Files.readString(log()));
            }
            started.waitFor(50, TimeUnit.MILLISECONDS);
        }
    }

    private Process launch(List<String> options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(options);
        command.addAll(javaOptions);
        command.addAll(List.of("dev.veilgate.gateway.command.Main", "run"));
        command.addAll(settings);
        Process started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
        process = started;
        if (share != null) {
            share.limit(started.toHandle());
        }
        return started;
    }

    /** Options by which a gateway maps its classes from an archive, which halves the processor time of a start. */
    private static List<String> sharedClasses() throws IOException, InterruptedException {
        return ClassArchive.options(
                Path.of(System.getProperty("basedir", "."), "target", "class-archive"),
                classPath(),
                GatewayProcess::startAndStop);
    }

    private static void startAndStop(List<String> options) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("veilgate-gateway");
        try (GatewayProcess gateway = new GatewayProcess(folder, TestTenant.of(TENANT))) {
            gateway.start(options);
            int status = gateway.stop();
            if (status != 0 && status != 143) {
                throw new AssertionError("the gateway ended with " + status + ":\n" + Files.readString(gateway.log()));
            }
        } finally {
            FileSystemUtils.deleteRecursively(folder);
        }
    }

    /** That of this test without the tests. */
    static String classPath() {
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Arrays.stream(all.split(File.pathSeparator))
                .filter(entry -> !entry.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** The most memory that it had so far, as the system says it; empty where the system does not. */
    String peakMemory() throws IOException {
        Path status = Path.of("/proc", process == null ? "" : Long.toString(process.pid()), "status");
        if (!Files.exists(status)) {
            return "";
        }
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("VmHWM")).findFirst().orElse("");
        }
    }

    /** The processor time that it took so far. */
    Duration processorTime() {
        return Objects.requireNonNull(process)
                .toHandle()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO);
    }

    /** What anybody is told at {@code /actuator/health} and below; empty while nobody answers. */
    Optional<HttpResponse<String>> health(String path) throws InterruptedException {
        try {
            HttpRequest request = HttpRequest.newBuilder(uri("/actuator/health" + path))
                    .timeout(Duration.ofSeconds(20))
                    .build();
            return Optional.of(http.send(request, HttpResponse.BodyHandlers.ofString()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private boolean isReady() throws InterruptedException {
        try {
            HttpRequest request = HttpRequest.newBuilder(uri("/actuator/health/readiness"))
                    .timeout(Duration.ofSeconds(20))
                    .build();
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** All of its heap, dead objects too. */
    void dumpHeap(Path file) throws IOException, InterruptedException {
        Process dump = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(Objects.requireNonNull(process).pid()),
                        "GC.heap_dump",
                        "-all",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(dump.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (dump.waitFor() != 0 || Files.size(file) < 1 << 20) {
            throw new AssertionError(said);
        }
    }

    /** Beside its folder if the folder's disk is to be full. */
    Path log() {
        return log == null ? folder.resolve("log") : log;
    }

    /** From the next start on. */
    void logTo(Path file) {
        log = file;
    }

    Path data() {
        return folder.resolve("data");
    }

    /** As kill -9. */
    void kill() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly().onExit().join();
        }
    }

    /** From the next start on it has a share of a processor; null: all of them. */
    void limit(@Nullable ProcessorShare given) {
        share = given;
    }

    /** As kill; the exit status. */
    int stop() throws InterruptedException {
        Process running = process;
        if (running == null) {
            return 0;
        }
        running.destroy();
        if (!running.waitFor(STOP.toMinutes(), TimeUnit.MINUTES)) {
            running.destroyForcibly();
            throw new AssertionError("the gateway did not stop");
        }
        process = null;
        return running.exitValue();
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + httpPort + path);
    }

    /** From the next start on, one more for Java. */
    void javaOption(String option) {
        javaOptions.add(option);
    }

    /** From the next start on, without a setting. */
    void forget(String key) {
        settings.removeIf(setting -> setting.startsWith(key + "="));
    }

    /** Waits until it has ended by itself; its exit status. */
    int awaitEnd() throws InterruptedException {
        Process running = Objects.requireNonNull(process);
        if (!running.waitFor(START.toMinutes(), TimeUnit.MINUTES)) {
            throw new AssertionError("the gateway still runs");
        }
        return running.exitValue();
    }

    /** A request below the tenant, with the token. */
    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(uri("/v1/tenants/" + TENANT + path))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer " + token);
    }

    HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    HttpResponse<byte[]> submit(byte[] envelope) throws IOException, InterruptedException {
        return send(request("/envelopes")
                .header("Content-Type", "application/vnd.veilgate.envelope+cbor")
                .POST(HttpRequest.BodyPublishers.ofByteArray(envelope)));
    }

    /**
     * Hands in a new envelope, and returns when all that is asked from now on is answered with it. An acknowledgement
     * says that it is durable; a gateway that is more than a second behind, as on a slow machine, answers without what
     * it has acknowledged.
     */
    void store(SealedEnvelope sealed) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = submit(sealed.bytes());
        if (answer.statusCode() != 201) {
            throw new AssertionError(
                    "submit: " + answer.statusCode() + " " + new String(answer.body(), StandardCharsets.UTF_8));
        }
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> send(request("/envelopes/" + sealed.id())).statusCode() == 200);
    }

    JsonNode json(HttpRequest.Builder request) throws IOException, InterruptedException {
        return JSON.readTree(send(request).body());
    }

    /** Runs a search to its end; its hits. */
    List<JsonNode> search(SearchRequest search) throws IOException, InterruptedException {
        HttpResponse<byte[]> created = send(request("/searches")
                .header("Content-Type", SearchRequest.MEDIA_TYPE)
                .POST(HttpRequest.BodyPublishers.ofByteArray(search.encode())));
        if (created.statusCode() != 201) {
            throw new AssertionError(
                    "search: " + created.statusCode() + " " + new String(created.body(), StandardCharsets.UTF_8));
        }
        String id = JSON.readTree(created.body()).get("id").asString();
        String lines = new String(send(request("/searches/" + id + "/export")).body(), StandardCharsets.UTF_8);
        List<JsonNode> hits = new ArrayList<>();
        for (String line : lines.split("\n")) {
            if (!line.isBlank()) {
                hits.add(JSON.readTree(line));
            }
        }
        return hits;
    }

    @Override
    public void close() {
        kill();
    }
}
