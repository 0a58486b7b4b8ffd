package dev.veilgate.acceptance;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.Container;
import dev.veilgate.benchmarks.gateway.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.testcontainers.DockerClientFactory;

/**
 * A site in containers, made and started by {@code docker/build}, {@code docker/up} and {@code docker/down} as a person
 * calls them, in a folder and under ports of its own; Testcontainers gives the connection to the engine.
 */
final class ContainerSite {
    /** Tag of the images, which are kept: base and PostgreSQL need the network only once. */
    static final String TAG = "test";

    /** File of liboqs in the images. A small site uses it. */
    private static final String LIBOQS = "/opt/veilgate-liboqs/liboqs.so";

    /**
     * Options for Java beside {@code compose.yaml}. Programs of tests live for minutes, in which the optimising
     * compiler takes more than it gives. The console has a {@code VEILGATE_JAVA_OPTS} already; by the variable that it
     * gets instead, Java says so, and nobody reads what a command in that container says.
     */
    private static final String OVERRIDE = """
            services:
              gateway: {environment: {VEILGATE_JAVA_OPTS: "-XX:TieredStopAtLevel=1"}}
              agent: {environment: {VEILGATE_JAVA_OPTS: "-XX:TieredStopAtLevel=1"}}
              mail: {environment: {VEILGATE_JAVA_OPTS: "-XX:TieredStopAtLevel=1"}}
              authority: {environment: {VEILGATE_JAVA_OPTS: "-XX:TieredStopAtLevel=1"}}
              console: {environment: {JDK_JAVA_OPTIONS: "-XX:TieredStopAtLevel=1"}}
              keycloak: {environment: {JAVA_OPTS_APPEND: "-XX:TieredStopAtLevel=1"}}
            """;

    private static final List<String> COPIED = List.of("up", "down", "engine.sh", "compose.yaml", "env.example");
    private static final Path SOURCE = Path.of("docker").toAbsolutePath();

    final int consolePort = Programs.freePort();
    final int loginPort = Programs.freePort();
    final int mailPort = Programs.freePort();
    final int prometheusPort = Programs.freePort();

    private final Path folder;
    private final boolean small;
    private final String project =
            "veilgate-test-" + UUID.randomUUID().toString().substring(0, 8);
    private final DockerClient client = DockerClientFactory.lazyClient();

    /**
     * @param folder which is empty, for the site's files
     * @param small  without PostgreSQL and Keycloak
     * @param parts  more parts of {@code COMPOSE_PROFILES}
     */
    ContainerSite(Path folder, boolean small, String... parts) throws IOException {
        this.folder = folder;
        this.small = small;
        for (String name : COPIED) {
            Files.copy(SOURCE.resolve(name), folder.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
        }
        Files.writeString(folder.resolve("compose.override.yaml"), OVERRIDE);
        Map<String, String> settings = new TreeMap<>();
        settings.put("COMPOSE_PROJECT_NAME", project);
        settings.put("VEILGATE_TAG", TAG);
        settings.put("VEILGATE_NATIVE_LIBOQS", small ? LIBOQS : "");
        settings.put("VEILGATE_CPUS", System.getProperty("veilgate.cpus", "0"));
        settings.put("COMPOSE_PROFILES", "${VEILGATE_KIND}," + String.join(",", parts));
        settings.put("VEILGATE_PROMETHEUS_PORT", Integer.toString(prometheusPort));
        settings.put("VEILGATE_CONSOLE_PORT", Integer.toString(consolePort));
        settings.put("VEILGATE_LOGIN_PORT", Integer.toString(loginPort));
        settings.put("VEILGATE_MAIL_PORT", Integer.toString(mailPort));
        for (String port : List.of("GATEWAY", "SMTP", "MQTT", "MOSQUITTO")) {
            settings.put("VEILGATE_" + port + "_PORT", Integer.toString(Programs.freePort()));
        }
        Path example = folder.resolve("env.example");
        List<String> lines = new ArrayList<>();
        for (String line : Files.readAllLines(example)) {
            String key = line.split("=", 2)[0];
            String value = settings.remove(key);
            lines.add(value == null ? line : key + "=" + value);
        }
        if (!settings.isEmpty()) {
            throw new IOException("env.example does not have " + settings.keySet());
        }
        Files.write(example, lines);
    }

    /** Builds the images of what the build has installed under target/. */
    static String build() throws Exception {
        List<String> command = new ArrayList<>(List.of(SOURCE.resolve("build").toString(), "--built"));
        command.addAll(List.of("base", "liboqs", "postgres", "prometheus", "mosquitto", "java", "authority"));
        command.addAll(List.of("gateway", "console", "agent", "keycloak"));
        return run(SOURCE.getParent(), Map.of("VEILGATE_TAG", TAG), command);
    }

    /** Starts what is not running, and waits until all is healthy; what it says to people. */
    String up() throws Exception {
        String up = folder.resolve("up").toString();
        return run(folder, Map.of(), small ? List.of(up, "--small") : List.of(up));
    }

    /** Stops and removes the containers, and keeps the volumes. */
    void down() throws Exception {
        run(folder, Map.of(), List.of(folder.resolve("down").toString()));
    }

    /** Runs a command of Compose. */
    String compose(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.addAll(List.of(
                "sh",
                "-c",
                "cd \"$1\" && shift && folder=$PWD && . ./engine.sh && use_engine && use_compose"
                        + " && exec $compose \"$@\"",
                "compose",
                folder.toString()));
        command.addAll(List.of(arguments));
        return run(folder, Map.of(), command);
    }

    /** Address of the console for browsers. */
    String console() {
        return "https://console.localhost:" + consolePort;
    }

    /** Address of Keycloak for browsers. */
    String login() {
        return "https://login.localhost:" + loginPort;
    }

    /** Certificate of the authority that the site's certificates are of. */
    Path authority() {
        return folder.resolve("site/ca/ca.pem");
    }

    /** First line of a file of the site that only its program may read. */
    String secret(String name) throws Exception {
        return compose("run", "--rm", "--no-deps", "-T", "--entrypoint", "head", "authority", "-n1", "/site/" + name)
                .strip();
    }

    /** Appends to a log that the agent follows. */
    void log(String... lines) throws IOException {
        Files.write(folder.resolve("site/logs/plant.log"), List.of(lines), StandardOpenOption.APPEND);
    }

    /** A new token of the gateway, with the right to search and to see senders. */
    String token() throws Exception {
        return compose(
                        "exec",
                        "-T",
                        "gateway",
                        "/opt/veilgate-gateway/veilgate-gateway",
                        "access",
                        "token",
                        "tester",
                        "--tenant=demo",
                        "--right=search,senders",
                        "--file=/var/lib/veilgate-gateway/access")
                .strip();
    }

    /** The gateway's list of senders, with gaps of their envelopes. */
    String senders(String token) throws Exception {
        return ask(token, "senders", "--tenant=demo");
    }

    /** Searches with the authority's command; the records or mails that were found, one a line. */
    List<String> search(String token, String scope, String query) throws Exception {
        String found = ask(token, "search", "--scope=" + scope, query);
        return found.lines().filter(line -> !line.isBlank()).toList();
    }

    /** Runs a command of the authority that asks the gateway. */
    private String ask(String token, String name, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("run", "--rm", "--no-deps", "-T"));
        command.addAll(List.of("-e", "VEILGATE_TOKEN=" + token, "authority", name));
        command.addAll(List.of("--gateway=https://gateway:8080", "--gateway-ca=/site/ca/ca.pem"));
        command.addAll(List.of(arguments));
        return compose(command.toArray(String[]::new));
    }

    /** Output of mosquitto's own client that publishes to mosquitto with QoS 1 from inside that container. */
    String publish(String topic, String... options) throws Exception {
        String client = "mosquitto_pub -h localhost -p 8883 --cafile /etc/veilgate/ca.pem -V 5 -q 1 -m none -d";
        List<String> command = new ArrayList<>(List.of("exec", "-T", "mosquitto", "sh", "-c"));
        command.addAll(List.of(client + " -t \"$@\" 2>&1; :", "publish", topic));
        command.addAll(List.of(options));
        return compose(command.toArray(String[]::new));
    }

    /** Ends a program as a crash or a power failure does, and returns when its container runs no more. */
    void kill(String service) {
        String id = container(service).getId();
        client.killContainerCmd(id).withSignal("KILL").exec();
    }

    /** The running container of a service. */
    Container container(String service) {
        List<Container> found = client.listContainersCmd()
                .withLabelFilter(Map.of(
                        "com.docker.compose.project", project,
                        "com.docker.compose.service", service))
                .exec();
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " containers of " + service);
        }
        return found.getFirst();
    }

    DockerClient client() {
        return client;
    }

    /** Everything that the containers said. */
    String logs() {
        try {
            return compose("logs", "--no-color", "--tail=60");
        } catch (Exception e) {
            return e.toString();
        }
    }

    /** Runs a command to its end; what it says on standard output. */
    static String run(Path folder, Map<String, String> environment, List<String> command) throws Exception {
        Path errors = Files.createTempFile("errors", ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectError(errors.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
            throw new AssertionError(command + " failed:\n" + said + Files.readString(errors));
        }
        Files.delete(errors);
        return said;
    }

    /** Stops it, and deletes its keys, settings and data. */
    void delete() throws Exception {
        if (Files.exists(folder.resolve(".env"))) {
            run(
                    folder,
                    Map.of("VEILGATE_DELETE", "demo"),
                    List.of(folder.resolve("down").toString(), "--delete"));
        }
    }
}
