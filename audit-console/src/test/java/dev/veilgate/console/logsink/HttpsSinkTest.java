package dev.veilgate.console.logsink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.console.logsink.HttpsReceiver.Fault;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.LogDraft;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class HttpsSinkTest {
    @TempDir
    Path folder;

    private SinkBench bench;
    private SinkCertificates certificates;
    private HttpsReceiver receiver;

    @BeforeEach
    void begin() throws Exception {
        bench = new SinkBench(folder);
        certificates = new SinkCertificates(folder, "receiver");
        receiver = new HttpsReceiver(certificates.server());
    }

    @AfterEach
    void end() throws IOException {
        receiver.close();
        bench.close();
    }

    private LogSink sink() throws IOException {
        return bench.sink(bench.https(receiver, certificates.trusted()));
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }

    private List<Long> kept() {
        return SinkBench.numbers(receiver.lines());
    }

    /** The receiver drops repeats by the key alone, so that another cut of the log would be kept twice. */
    @Test
    void repeatsABatchWhoseAnswerIsLostUnderTheSameKeyThoughTheLogGrows() throws Exception {
        bench.append(10);
        receiver.fail(Fault.ANSWER_LOST, Fault.ANSWER_LOST);
        LogSink sink = sink();
        sink.step();
        assertThat(sink.state().sent()).isZero();
        bench.append(5);
        sink.step();
        bench.append(5);
        SinkBench.drain(sink()); // by a console that was started again meanwhile
        assertThat(kept()).isEqualTo(upTo(20));
        assertThat(receiver.keys().get(1))
                .isEqualTo(receiver.keys().getFirst())
                .matches("\"veilgate-1-10-[0-9a-f]{32}\"");
        assertThat(receiver.keys()).hasSize(4);
        assertThat(receiver.keys().get(2)).isEqualTo(receiver.keys().getFirst());
    }

    @Test
    void waitsAsLongAsAReceiverAsks() throws Exception {
        bench.append(3);
        receiver.fail(Fault.TOO_MANY, Fault.UNAVAILABLE);
        LogSink sink = sink();
        assertThat(sink.step()).isEqualTo(Duration.ofSeconds(1));
        assertThat(sink.state().failure().reason()).contains("429");
        assertThat(sink.step()).isPositive().isLessThan(Duration.ofSeconds(1));
        assertThat(sink.state().failure().reason()).contains("500");
        SinkBench.drain(sink);
        assertThat(kept()).isEqualTo(upTo(3));
    }

    @Test
    void halvesABatchThatIsTooLarge() throws Exception {
        bench.append(9);
        receiver.fail(Fault.TOO_LARGE, Fault.TOO_LARGE);
        assertThat(SinkBench.drain(sink())).isZero();
        assertThat(kept()).isEqualTo(upTo(9));
        bench.append(1);
        receiver.fail(Fault.TOO_LARGE);
        LogSink sink = sink();
        sink.step();
        assertThat(sink.state().failure().reason()).as("one entry has no half").contains("413");
    }

    @Test
    void sendsTheTokenThatTheFileHasNowAndSaysItNowhere() throws Exception {
        bench.append(1);
        Path file = Files.writeString(folder.resolve("token"), "first-token\n");
        HttpsDelivery delivery = new HttpsDelivery(
                receiver.settings(file, true),
                certificates.trusted().context(),
                new JsonForm(SinkBench.JSON, true),
                bench.clock);
        LogSink sink = bench.sink(delivery);
        SinkBench.drain(sink);
        Files.writeString(file, "second-token\n");
        receiver.fail(Fault.UNAVAILABLE);
        bench.append(LogDraft.of(EntryKind.TRAPDOOR, "ada").with("keyword", "overheat"));
        sink.step();
        assertThat(sink.state().toString()).doesNotContain("token");
        SinkBench.drain(sink);
        assertThat(receiver.tokens())
                .containsExactly("Bearer first-token", "Bearer second-token", "Bearer second-token");
        assertThat(receiver.lines().getLast()).contains("overheat").containsPattern("\"digest\":\"[0-9a-f]{64}\"");
        Files.writeString(file, "two words\n");
        assertThatThrownBy(() -> new HttpsDelivery(
                        receiver.settings(file, false),
                        certificates.trusted().context(),
                        new JsonForm(SinkBench.JSON, false),
                        bench.clock))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("veilgate.log-sink.https.token-file")
                .hasMessageNotContaining("two words");
    }

    @Test
    void withoutKeywordsThereIsNoDigestToGuessThemBy() throws Exception {
        bench.append(LogDraft.of(EntryKind.TRAPDOOR, "ada").with("keyword", "overheat"));
        bench.append(1);
        SinkBench.drain(sink());
        assertThat(receiver.lines()).hasSize(2).noneMatch(line -> line.contains("overheat"));
        for (long number = 1; number <= 2; number++) {
            String digest = EntryFields.digest(bench.entry(number).orElseThrow());
            assertThat(receiver.lines()).noneMatch(line -> line.contains(digest.substring(0, 16)));
            assertThat(receiver.keys()).noneMatch(key -> key.contains(digest.substring(0, 16)));
        }
    }

    @Test
    void sendsNothingToAReceiverWithAnotherCertificate() throws Exception {
        bench.append(3);
        SinkCertificates others = new SinkCertificates(folder, "other");
        LogSink sink = bench.sink(bench.https(receiver, others.trusted()));
        sink.step();
        assertThat(sink.state().failure()).isNotNull();
        assertThat(receiver.keys()).isEmpty();
    }
}
