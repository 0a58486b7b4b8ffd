package dev.veilgate.benchmarks.acceptance;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.query.SearchRequest;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An authority, an operator's settings and the running gateway; the programs are those that the build has installed under target/. */
final class Site implements AutoCloseable {
    static final String TENANT = "acme";
    static final String SCOPE = "plant-7";
    static final String MAILBOX = "alice@example.org";
    static final String MAIL_SCOPE = "mailbox-alice";
    static final String AGENT = "agent-1";
    static final String PUBLISHER = "publisher-1";
    private static final Pattern HIT = Pattern.compile("\"envelope\":\"([0-9a-f-]{36})\".*\"records\":\\[([0-9,]*)]");

    final TenantKeys keys;
    final SigningKey publisher;
    final byte[] bundle;
    final int http = freePort();
    final int smtp = freePort();
    final int mqtt = freePort();
    private final Path folder;
    private final String token;
    private final List<Process> running = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();

    Site(Path folder, int mailSinkPort) throws Exception {
        this.folder = folder;
        SecureRandom random = new SecureRandom();
        keys = TenantKeys.generate(
                TENANT, EpochPolicy.MONTHLY, ExtractorProfile.defaults().encode(), random, Instant.now());
        publisher = SigningKey.generate(PUBLISHER, random);
        keys.putSender(publisher.publicKey());
        keys.putSender(identity(AGENT));
        keys.putRecipient(new Recipient(MAILBOX, certificate(), MAIL_SCOPE));
        bundle = keys.nextBundle(Instant.now(), Duration.ofDays(2));
        Files.write(folder.resolve("bundle"), bundle);
        token = access("token", "tester", "--right", "search,senders,routes");
        Files.writeString(folder.resolve("agent.password"), access("device", AGENT));
        Files.writeString(folder.resolve("publisher.password"), access("device", PUBLISHER));
        start(
                "gateway",
                List.of(
                        "sh",
                        gatewayLauncher(),
                        "run",
                        "server.port=" + http,
                        "veilgate.data-dir=" + folder.resolve("data"),
                        "veilgate.tenants[0].bundle=" + folder.resolve("bundle"),
                        "veilgate.tenants[0].authority=" + keys.authority().fingerprint(),
                        "veilgate.smtp.listeners[0].port=" + smtp,
                        "veilgate.smtp.listeners[0].tls=none",
                        "veilgate.smtp.domains[example.org].plain=refuse",
                        "veilgate.smtp.limits.messages-per-minute-per-client=100000",
                        "veilgate.deliver.relays[example.org].host=127.0.0.1",
                        "veilgate.deliver.relays[example.org].port=" + mailSinkPort,
                        "veilgate.deliver.relays[example.org].tls=none",
                        "veilgate.mqtt.embedded.listen=127.0.0.1:" + mqtt));
        await("the gateway", () -> get("/actuator/health/readiness").statusCode() == 200);
    }

    private SenderPublicKey identity(String name) throws Exception {
        String said = run(List.of(
                "sh",
                edgeLauncher(),
                "identity",
                "init",
                "--sender=" + name,
                folder.resolve("identity").toString()));
        Matcher key = Pattern.compile("-----BEGIN [^\n]*\n(.*?)-----END", Pattern.DOTALL)
                .matcher(said);
        if (!key.find()) {
            throw new AssertionError("no public key in what identity init says");
        }
        return SenderPublicKey.decode(Base64.getMimeDecoder().decode(key.group(1)));
    }

    private byte[] certificate() throws Exception {
        Path certificate = folder.resolve("alice.crt");
        run(List.of(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=alice",
                "-addext",
                "subjectAltName=email:" + MAILBOX,
                "-keyout",
                folder.resolve("alice.key").toString(),
                "-out",
                certificate.toString()));
        return Base64.getMimeDecoder().decode(Files.readString(certificate).replaceAll("-----[A-Z ]+-----", ""));
    }

    private String access(String kind, String name, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", gatewayLauncher(), "access", kind, name));
        command.addAll(List.of(
                "--tenant", TENANT, "--file", folder.resolve("data/access").toString()));
        command.addAll(List.of(more));
        return run(command).strip();
    }

    static String gatewayLauncher() {
        return installed("gateway/server/target/veilgate-gateway/veilgate-gateway");
    }

    static String edgeLauncher() {
        return installed("device-agent/target/veilgate/veilgate");
    }

    private static String installed(String program) {
        if (!Files.exists(Path.of(program))) {
            throw new AssertionError(program + " is not built: ./mvnw package");
        }
        return Path.of(program).toAbsolutePath().toString();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Runs a program to its end; what it says. */
    String run(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = builder(command);
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(command.subList(0, Math.min(4, command.size())) + " failed: " + said);
        }
        return said;
    }

    private static ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder;
    }

    /** Starts a program that runs until the end. */
    void start(String name, List<String> command) throws IOException {
        File log = folder.resolve(name + ".log").toFile();
        running.add(
                builder(command).redirectErrorStream(true).redirectOutput(log).start());
    }

    /** Something that becomes so. */
    interface Condition {
        boolean holds() throws Exception;
    }

    void await(String what, Condition condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        while (!holds(condition)) {
            if (System.nanoTime() > end) {
                throw new AssertionError(
                        what + ": not within three minutes; " + Files.readString(folder.resolve("gateway.log")));
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static boolean holds(Condition condition) throws Exception {
        try {
            return condition.holds();
        } catch (IOException e) {
            return false;
        }
    }

    HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(path)));
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(
                request.timeout(Duration.ofMinutes(2))
                        .header("Authorization", "Bearer " + token)
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + http + path);
    }

    byte[] stored(UUID id, String what) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = get("/v1/tenants/" + TENANT + "/envelopes/" + id + what);
        if (answer.statusCode() != 200) {
            throw new AssertionError("GET " + id + what + ": " + answer.statusCode());
        }
        return answer.body();
    }

    /** Runs a search to its end: records by envelope. */
    Map<UUID, List<Integer>> search(SearchRequest search) throws IOException, InterruptedException {
        String path = "/v1/tenants/" + TENANT + "/searches";
        HttpResponse<byte[]> created = send(HttpRequest.newBuilder(uri(path))
                .header("Content-Type", SearchRequest.MEDIA_TYPE)
                .POST(HttpRequest.BodyPublishers.ofByteArray(search.encode())));
        if (created.statusCode() != 201) {
            throw new AssertionError("search: " + created.statusCode());
        }
        String location = created.headers().firstValue("Location").orElseThrow();
        String lines =
                new String(get(URI.create(location).getPath() + "/export").body(), StandardCharsets.UTF_8);
        Map<UUID, List<Integer>> hits = new TreeMap<>();
        Matcher hit = HIT.matcher(lines);
        while (hit.find()) {
            List<Integer> records = new ArrayList<>();
            for (String record : hit.group(2).split(",")) {
                records.add(Integer.parseInt(record));
            }
            if (hits.put(UUID.fromString(hit.group(1)), records) != null) {
                throw new AssertionError("an envelope was found twice");
            }
        }
        send(HttpRequest.newBuilder(uri(URI.create(location).getPath())).DELETE());
        return hits;
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    @Override
    public void close() throws IOException {
        running.reversed().forEach(Process::destroy);
        for (Process process : running) {
            try {
                if (!process.waitFor(30, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        keys.close();
        publisher.close();
    }
}
