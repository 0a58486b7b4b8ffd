package dev.veilgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.ChainVerifier.Finding;
import dev.veilgate.envelope.ChainVerifier.Problem;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.LossReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent whose gateway refuses some envelopes for good, or all of them for a while. */
class AgentRefusedTest {
    private static final RefusingBroker.Refusal NO_RIGHTS =
            new RefusingBroker.Refusal(0x87, "the sender is not registered");

    @TempDir
    Path folder;

    private TestTenant.Sender files;
    private final List<String> written = new ArrayList<>();

    @BeforeEach
    void begin() throws IOException {
        files = TestTenant.files(folder, Instant.now(), Duration.ofDays(30));
        Files.createDirectory(folder.resolve("logs"));
    }

    private void write(int lines) throws IOException {
        for (int i = 0; i < lines; i++) {
            written.add("event " + written.size());
        }
        String text = String.join("\n", written.subList(written.size() - lines, written.size())) + "\n";
        Files.writeString(folder.resolve("logs/a.log"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private RunningAgent.Setup setup(RefusingBroker broker) {
        return new RunningAgent.Setup(files, folder, broker.url())
                .with("agent.refused-after", "300 ms")
                .with("agent.mqtt.in-flight", "4")
                .with("agent.batch.records", "2");
    }

    private List<Path> refused(String suffix) throws IOException {
        Path refused = folder.resolve("state/refused");
        if (!Files.isDirectory(refused)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(refused)) {
            return all.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
        }
    }

    private static Optional<RefusingBroker.Refusal> notOfTheFuture(Envelope envelope) {
        Instant now = Instant.now();
        return envelope.sealed().isAfter(now.plus(Duration.ofHours(1)))
                ? Optional.of(new RefusingBroker.Refusal(0x83, "sealed in the future: here it is " + now))
                : Optional.empty();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 48})
    void aClockThatWasAheadBlocksNothing(int hours) throws Exception {
        Clock ahead = Clock.offset(Clock.systemUTC(), Duration.ofHours(hours));
        try (RefusingBroker broker = new RefusingBroker(AgentRefusedTest::notOfTheFuture)) {
            RunningAgent.Setup setup = setup(broker).with("agent.refused-after", "30 d");
            setup.clock = ahead;
            try (RunningAgent agent = RunningAgent.start(setup.with("agent.shutdown", "0 ms"))) {
                write(68);
                Await.until("all sealed", () -> agent.agent().counters().records.get() == 68);
                Await.until("refusals", () -> agent.agent().publisher().status().refused() > 4);
            }
            assertThat(refused(".env")).isEmpty();
            write(40);
            try (RunningAgent agent = RunningAgent.start(setup(broker))) {
                Await.until("what is behind", 60, () -> broker.lines().size() == 40, agent::log);
                assertThat(broker.lines()).isEqualTo(written.subList(68, 108));
                Await.until("the report", 60, () -> lost(broker) == 68, agent::log);
                assertThat(agent.log()).contains("refused-by-gateway").contains("sealed in the future");
                assertThat(agent.agent().counters().setAside.get()).isGreaterThanOrEqualTo(34);
                assertThat(agent.agent().publisher().status().problem()).isEmpty();
            }
            assertThat(refused(".env")).hasSizeGreaterThanOrEqualTo(34);
            assertThat(Files.readString(refused(".reason").getFirst())).contains("sealed in the future: here it is");
            Envelope kept = Envelope.decode(Files.readAllBytes(refused(".env").getFirst()));
            assertThat(kept.sequence()).isOne();
            assertThat(broker.findings(files.sender()))
                    .extracting(Finding::problem)
                    .containsOnly(Problem.MISSING, Problem.LOSS_REPORTED);
        }
    }

    private static long lost(RefusingBroker broker) {
        return broker.envelopes().stream()
                .flatMap(envelope -> envelope.loss().stream())
                .filter(report -> report.reason().equals("refused-by-gateway"))
                .mapToLong(LossReport::records)
                .sum();
    }

    @Test
    void whatASenderIsRefusedThatIsNotRegisteredYetStays() throws Exception {
        try (RefusingBroker broker = new RefusingBroker(envelope -> Optional.of(NO_RIGHTS));
                RunningAgent agent = RunningAgent.start(setup(broker).with("agent.refused-after", "1 ms"))) {
            write(60);
            Await.until("refusals", () -> agent.agent().publisher().status().refused() > 30);
            assertThat(agent.log()).contains("the broker says: not authorized: the sender is not registered");
            broker.rule(envelope -> Optional.empty());
            Await.until("all lines", 60, () -> broker.lines().size() == 60, agent::log);
            assertThat(broker.lines()).isEqualTo(written);
            assertThat(refused("")).isEmpty();
        }
    }

    /** More of them than are on their way at a time, so that nothing behind them is, but for the newest. */
    @Test
    void whatIsRefusedForRightsGoesWhenLaterOnesAreTaken() throws Exception {
        try (RefusingBroker broker =
                        new RefusingBroker(envelope -> Optional.of(NO_RIGHTS).filter(r -> envelope.sequence() <= 10));
                RunningAgent agent = RunningAgent.start(setup(broker))) {
            write(60);
            Await.until("the last line", 60, () -> broker.lines().contains("event 59"), agent::log);
            Await.until("the rest", 60, () -> agent.agent().spool().size() == 0, agent::log);
            assertThat(refused(".env")).hasSize(10);
            Await.until(
                    "the report", 60, () -> lost(broker) == 60 - broker.lines().size(), agent::log);
        }
    }
}
