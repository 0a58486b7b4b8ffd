package dev.veilgate.acceptance;

import dev.veilgate.agent.Await;
import dev.veilgate.agent.Mosquitto;
import dev.veilgate.cli.CheapPassphrase;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.sender.LineMedia;
import dev.veilgate.sender.SealedLines;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.mqttv5.common.MqttException;

/**
 * Logs that went through the agent and a broker, and what the agent said meanwhile. Made by commands only: an authority, a sender, an agent that
 * follows the logs until it is stopped, and one that reads what then is left, lines without an end.
 */
final class SealedLogs implements AutoCloseable {
    static final String TENANT = "tenant-q7";
    static final String SENDER = "sender-q7";
    static final String SCOPE = "scope-q7";
    static final String PASSPHRASE = "correct horse battery staple";
    private static final long MAX_SECONDS = 900;

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    final Veilgate veilgate;
    final Map<String, byte[]> raw;
    final Path logs;
    final Path received;
    final Path keys;
    final Path agentOut;
    final Path agentErr;
    private final Mosquitto broker;
    private final Subscriber subscriber;
    private String monitorText = "";

    private SealedLogs(Path folder) throws Exception {
        raw = RawLogs.read();
        veilgate = new Veilgate(folder);
        logs = Files.createDirectory(folder.resolve("logs"));
        received = folder.resolve("received");
        keys = folder.resolve("keys");
        agentOut = folder.resolve("agent.out");
        agentErr = folder.resolve("agent.err");
        broker = Mosquitto.start(folder.resolve("broker"));
        try {
            subscriber = Subscriber.connect(broker.port(), TENANT, received);
        } catch (Exception e) {
            broker.close();
            throw e;
        }
    }

    static SealedLogs make(Path folder) throws Exception {
        SealedLogs made = new SealedLogs(folder);
        try {
            made.makeKeys();
            made.follow();
            made.readTheRest();
            return made;
        } catch (Throwable e) {
            made.close();
            throw e;
        }
    }

    /** As in the manual, but for cheap memory for the passphrase. */
    private void makeKeys() throws Exception {
        Path bundle = veilgate.folder().resolve("bundle.vgb");
        veilgate.set("VEILGATE_PASSPHRASE", PASSPHRASE);
        veilgate.set("VEILGATE_KEYS", keys.toString());
        String made =
                veilgate.ok("keys", "init", "--tenant", TENANT, "--memory", "8").out();
        CheapPassphrase.seal(keys, PASSPHRASE);
        veilgate.set(
                "VEILGATE_AUTHORITY",
                made.substring(made.indexOf("authority ") + 10).strip());
        byte[] publicKey =
                veilgate.ok("identity", "init", "identity", "--sender", SENDER).bytes();
        veilgate.ok(publicKey, "keys", "add-sender", "-");
        veilgate.ok("keys", "profile", "--ip-prefixes", "8,24", "--fields", "rhost,uid", "--numeric", "policy=0..1023");
        veilgate.ok("keys", "bundle", "-o", bundle.toString());
        veilgate.set("VEILGATE_BUNDLE", bundle.toString());
    }

    private Process agent(int monitorPort, String... more) throws Exception {
        Path folder = veilgate.folder();
        Path settings = folder.resolve("veilgate.yaml");
        Files.writeString(
                settings, """
                bundle: %s/bundle.vgb
                authority: "%s"
                identity: %s/identity
                agent:
                  state: %s/state
                  scope: %s
                  sources:
                    - files: ["%s/*.log"]
                  spool:
                    free-disk: 0
                  mqtt:
                    url: %s
                  monitor:
                    port: %d
                """.formatted(folder, authority(), folder, folder, SCOPE, logs, broker.url(), monitorPort));
        String[] options = new String[2 + more.length];
        options[0] = "--config";
        options[1] = settings.toString();
        System.arraycopy(more, 0, options, 2, more.length);
        return veilgate.startAgent(agentOut, agentErr, options);
    }

    /** Files appear while the agent runs; it is stopped when all whole lines have arrived. */
    private void follow() throws Exception {
        int port = Mosquitto.freePort();
        Process agent = agent(port);
        try {
            for (Map.Entry<String, byte[]> log : raw.entrySet()) {
                Files.write(logs.resolve(log.getKey()), log.getValue());
            }
            long whole = raw.values().stream()
                    .mapToLong(log -> RawLogs.lines(log).size() - (RawLogs.isCut(log) ? 1 : 0))
                    .sum();
            Await.until(
                    "all whole lines",
                    MAX_SECONDS,
                    () -> {
                        if (!agent.isAlive()) {
                            throw new AssertionError("the agent ended: " + agentText());
                        }
                        return lines(subscriber.envelopes()) >= whole;
                    },
                    () -> lines(subscriber.envelopes()) + " of " + whole + " lines; " + agentText());
            monitorText = get(port, "/metrics") + get(port, "/health");
            agent.destroy();
            end(agent);
        } finally {
            agent.destroyForcibly();
        }
    }

    private void readTheRest() throws Exception {
        Process agent = agent(0, "--once");
        try {
            end(agent);
        } finally {
            agent.destroyForcibly();
        }
        long cut = raw.values().stream().filter(RawLogs::isCut).count();
        Await.until(
                "the whole chain",
                MAX_SECONDS,
                () -> subscriber.hasWholeChain() && parts(subscriber.envelopes()) >= cut,
                this::agentText);
    }

    private void end(Process agent) throws Exception {
        if (!agent.waitFor(MAX_SECONDS, TimeUnit.SECONDS) || agent.exitValue() != 0) {
            throw new AssertionError("the agent did not end well: " + agentText());
        }
    }

    private static long lines(List<Envelope> envelopes) {
        return envelopes.stream()
                .filter(e -> e.mediaType().equals(LineMedia.LINE))
                .mapToLong(Envelope::recordCount)
                .sum();
    }

    private static long parts(List<Envelope> envelopes) {
        return envelopes.stream()
                .filter(e -> SealedLines.areIn(e) && !LineMedia.endsWithLineFeed(e.mediaType()))
                .count();
    }

    private static String get(int port, String path) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    private String authority() throws Exception {
        String shown = veilgate.ok("keys", "show").out();
        var matcher =
                java.util.regex.Pattern.compile("[0-9a-f]{64}").matcher(shown.substring(shown.indexOf("authority")));
        if (!matcher.find()) {
            throw new AssertionError("keys show names no authority");
        }
        return matcher.group();
    }

    /** What the agent wrote on both streams. */
    String agentText() {
        try {
            return Files.readString(agentOut, StandardCharsets.UTF_8)
                    + Files.readString(agentErr, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** What it said of itself on its port when all had been sent. */
    String monitorText() {
        return monitorText;
    }

    /** All envelopes, by place in the chain. */
    List<Envelope> envelopes() {
        return subscriber.envelopes();
    }

    /** Epochs under which something was sealed; two if the month ended meanwhile. */
    List<String> epochs() {
        var epochs = new TreeSet<String>();
        envelopes().forEach(e -> e.index().forEach(block -> epochs.add(block.epoch())));
        return List.copyOf(epochs);
    }

    @Override
    public void close() throws IOException, MqttException {
        try (broker) {
            subscriber.close();
        }
    }
}
