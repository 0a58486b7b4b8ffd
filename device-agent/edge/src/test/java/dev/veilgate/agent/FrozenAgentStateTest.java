package dev.veilgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.sender.IdentityFile;
import dev.veilgate.testing.FrozenSet;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * An agent goes on with the state folder that an earlier version left: what waits is published as it is, the log is read on where it was sealed up to, and the chain has no gap. The path of the log in
 * the state is one below the folder of the running process, wherever that is.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the path in the state begins with /proc/self/cwd")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ParameterizedClass
@FieldSource("SETS")
class FrozenAgentStateTest {
    /** Each at a time at which the kept bundle is valid. */
    static final List<FrozenSet> SETS = List.of(
            new FrozenSet("906ce34", "2026-11-26T12:00:00Z"), new FrozenSet("009bb538", "2026-11-30T12:00:00Z"));

    private static final Path LOGS = Path.of("target/veilgate-sample");
    private static final String FOLLOWED = "/proc/self/cwd/target/veilgate-sample/app.log";
    private static final String LATE = "level=info unit=pump msg=\"written while the agent was away\"";
    private static final String ROTATED = "level=info unit=pump msg=\"written after a rotation\"";

    @Parameter
    private FrozenSet set;

    private KeyFolder keys;
    private List<Envelope> published = List.of();
    private final List<byte[]> spooled = new ArrayList<>();

    @BeforeParameterizedClassInvocation(injectArguments = false)
    void run(@TempDir Path folder) throws Exception {
        set.copy("keys", folder);
        set.copy("state", folder);
        spooled.clear();
        keys = KeyFolder.open(
                folder.resolve("keys"),
                "frozen sample passphrase".getBytes(StandardCharsets.UTF_8),
                Access.READ,
                new SecureRandom());
        try (Stream<Path> files = Files.list(set.path("state/spool"))) {
            for (Path each : files.filter(file -> file.toString().endsWith(".env"))
                    .sorted()
                    .toList()) {
                spooled.add(Files.readAllBytes(each));
            }
        }
        writeLogs();
        String authority = set.text("authority").strip();
        Path identity = Files.copy(set.path("press-4.identity"), folder.resolve("identity"));
        Files.setPosixFilePermissions(identity, PosixFilePermissions.fromString("rw-------")); // as a checkout has not
        try (SigningKey key = IdentityFile.read(identity);
                Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            TestTenant.Sender files =
                    new TestTenant.Sender(folder.resolve("unused"), identity, authority, key.publicKey());
            RunningAgent.Setup setup = new RunningAgent.Setup(files, folder, broker.url())
                    .with("bundle", "http://127.0.0.1:1/acme.vgb") // nobody is there: the kept one is used
                    .with("agent.scope", "plant-7");
            setup.sources = List.of(Map.of("files", List.of(FOLLOWED)));
            setup.clock = Clock.offset(Clock.systemUTC(), Duration.between(Instant.now(), set.now()));
            try (RunningAgent agent = RunningAgent.once(setup)) {
                assertThat(agent.await()).as(agent.log()).isTrue();
                Await.until("all", 60, () -> receiver.size() >= spooled.size() + 1, agent::log);
            }
            published = receiver.envelopes();
        }
    }

    /** The log as it was, renamed in a copy as a restored disk has it, with a line more; and a new one. */
    private void writeLogs() throws Exception {
        Files.createDirectories(LOGS);
        Path old = LOGS.resolve("app.log.1");
        Files.write(old, set.bytes("app.log"));
        Files.writeString(old, LATE + "\n", StandardOpenOption.APPEND);
        Files.writeString(LOGS.resolve("app.log"), ROTATED + "\n");
    }

    @AfterParameterizedClassInvocation(injectArguments = false)
    void close() throws Exception {
        if (keys != null) {
            keys.close();
        }
        Files.deleteIfExists(LOGS.resolve("app.log.1"));
        Files.deleteIfExists(LOGS.resolve("app.log"));
    }

    @Test
    void publishesWhatWaitedInTheSpoolUnaltered() {
        assertThat(spooled).hasSize(5);
        for (int i = 0; i < spooled.size(); i++) {
            byte[] file = spooled.get(i);
            byte[] sent = published.get(i).bytes();
            assertThat(published.get(i).sequence()).isEqualTo(4 + i);
            assertThat(Arrays.copyOfRange(file, file.length - sent.length, file.length))
                    .isEqualTo(sent);
        }
    }

    @Test
    void goesOnWithTheChain() throws Exception {
        assertThat(published).hasSizeGreaterThan(spooled.size());
        for (int i = 1; i < published.size(); i++) {
            assertThat(published.get(i).sequence()).isEqualTo(4 + i);
            assertThat(published.get(i).previousDigest())
                    .isEqualTo(published.get(i - 1).digest());
            assertThat(published.get(i).signedBy(keys.keys().sender("press-4").orElseThrow()))
                    .isTrue();
        }
    }

    @Test
    void readsTheLogOnFromWhereItWasSealedUpTo() throws Exception {
        List<String> lines = new ArrayList<>();
        List<String> origins = new ArrayList<>();
        for (Envelope envelope : published) {
            if (envelope.mediaType().startsWith("text/plain")) {
                keys.keys()
                        .opener()
                        .open(envelope)
                        .forEach(line -> lines.add(new String(line, StandardCharsets.UTF_8)));
                origins.addAll(keys.keys().opener().origins(envelope));
            }
        }
        assertThat(lines)
                .containsExactly(
                        "level=error unit=pump msg=\"overheated 4\"",
                        "level=error unit=pump msg=\"overheated 5\"",
                        "level=error unit=pump msg=\"overheated 6\"",
                        LATE,
                        ROTATED);
        assertThat(origins).containsOnly(FOLLOWED);
    }
}
