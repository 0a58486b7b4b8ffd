package dev.veilgate.console.logsink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.console.logsink.SinkState.Activity;
import dev.veilgate.console.logsink.SyslogReceiver.Fault;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.LogDraft;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(300)
class SyslogSinkTest {
    @TempDir
    Path folder;

    private SinkBench bench;
    private SinkCertificates certificates;
    private SyslogReceiver receiver;

    @BeforeEach
    void begin() throws Exception {
        bench = new SinkBench(folder);
        certificates = new SinkCertificates(folder, "receiver");
        receiver = new SyslogReceiver(certificates.server());
    }

    @AfterEach
    void end() throws IOException {
        receiver.close();
        bench.close();
    }

    private LogSink sink() throws IOException {
        return bench.sink(SinkBench.syslog(receiver, certificates.trusted()));
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }

    private List<Long> arrived() {
        return SinkBench.numbers(receiver.messages());
    }

    @Test
    void sendsEachEntryOnceAndInOrder() throws Exception {
        bench.append(LogSink.MAX_ENTRIES + 7);
        LogSink sink = sink();
        assertThat(SinkBench.drain(sink)).isZero();
        bench.append(1);
        SinkBench.drain(sink);
        assertThat(arrived()).isEqualTo(upTo(LogSink.MAX_ENTRIES + 8));
        assertThat(receiver.connections()).isEqualTo(3);
        sink.step();
        assertThat(sink.state().activity()).isEqualTo(Activity.IDLE);
        assertThat(sink.state().sent()).isEqualTo(LogSink.MAX_ENTRIES + 8);
    }

    @Test
    void nothingIsLostOrRepeatedWhileTheReceiverIsAwayForAnHour() throws Exception {
        bench.append(5);
        LogSink sink = sink();
        SinkBench.drain(sink);
        receiver.goAway();
        Instant away = bench.clock.instant();
        for (int minute = 0; minute < 60; minute++) {
            bench.append(20);
            assertThat(sink.step()).isPositive();
            bench.clock.advance(Duration.ofMinutes(1));
        }
        assertThat(sink.state().failure().since()).isEqualTo(away);
        assertThat(sink.state().sent()).isEqualTo(5);
        assertThat(sink.waiting()).contains(1200L);
        receiver.comeBack();
        SinkBench.drain(sink);
        assertThat(arrived()).isEqualTo(upTo(1205));
        assertThat(sink.state().failure()).isNull();
    }

    @Test
    void goesOnWhereItWasAfterARestartWhileTheReceiverIsAway() throws Exception {
        bench.append(5);
        SinkBench.drain(sink());
        receiver.goAway();
        bench.append(5);
        sink().step();
        receiver.comeBack();
        SinkBench.drain(sink());
        assertThat(arrived()).isEqualTo(upTo(10));
    }

    /** Whoever drops repeats by their number has each entry once. */
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"RESET", "KILLED", "ENDS_EARLY"})
    void repeatsABatchOfUnknownFate(Fault fault) throws Exception {
        bench.append(20);
        receiver.fail(fault, fault);
        LogSink sink = sink();
        assertThat(sink.step()).as(() -> fault + ": " + receiver.history()).isPositive();
        assertThat(sink.state().sent()).as("after %s", fault).isZero();
        assertThat(SinkBench.drain(sink)).isEqualTo(1);
        assertThat(new TreeSet<>(arrived())).containsExactlyElementsOf(upTo(20));
        List<String> repeated = receiver.messages();
        assertThat(repeated).as("repeats are the same to the byte").hasSizeGreaterThan(20);
        assertThat(repeated.stream().distinct()).hasSize(20);
    }

    @Test
    void waitsForASlowReader() throws Exception {
        bench.append(LogSink.MAX_ENTRIES);
        receiver.fail(Fault.SLOW);
        assertThat(SinkBench.drain(sink())).isZero();
        assertThat(arrived()).isEqualTo(upTo(LogSink.MAX_ENTRIES));
    }

    @Test
    void sendsNothingToAReceiverWithAnotherCertificate() throws Exception {
        bench.append(3);
        SinkCertificates others = new SinkCertificates(folder, "other");
        LogSink sink = bench.sink(SinkBench.syslog(receiver, others.trusted()));
        sink.step();
        assertThat(sink.state().failure()).isNotNull();
        assertThat(arrived()).isEmpty();
    }

    @Test
    void showsItsCertificateToAReceiverThatAsks() throws Exception {
        receiver.askForCertificate();
        bench.append(3);
        LogSink without = sink();
        without.step();
        assertThat(without.state().sent()).isZero();
        SinkSettings.Tls own = new SinkSettings.Tls(certificates.authority(), certificates.own(), certificates.own());
        SinkBench.drain(bench.sink(SinkBench.syslog(receiver, own)));
        assertThat(arrived()).isEqualTo(upTo(3));
    }

    @Test
    void whatIsSealedStaysSealedAndKeywordsAreLeftOut() throws Exception {
        LogDraft draft = LogDraft.of(EntryKind.TRAPDOOR, "ada").with("scope", "plant-7");
        bench.append(SinkBench.sealed(draft, "salary"));
        bench.append(draft.with("keyword", "overheat")
                .with("query", "overheat")
                .with("understood", "the word overheat")
                .with("warnings", "overheat"));
        SinkBench.drain(sink());
        assertThat(receiver.messages())
                .noneMatch(message -> message.contains("salary") || message.contains("overheat"));
        assertThat(receiver.messages().getFirst()).contains("\"sealed\":\"").doesNotContain("leftOut");
        assertThat(receiver.messages().getLast())
                .contains("\"leftOut\":\"keywords\"")
                .contains("plant-7");
    }

    @Test
    void isIdleWhileTheKeysAreLocked() throws Exception {
        bench.append(3);
        bench.lock(true);
        LogSink sink = sink();
        sink.step();
        assertThat(sink.state().activity()).isEqualTo(Activity.LOCKED);
        assertThat(sink.state().failure()).isNull();
        assertThat(sink.waiting()).isEmpty();
        bench.lock(false);
        SinkBench.drain(sink);
        assertThat(arrived()).isEqualTo(upTo(3));
    }

    @Test
    void goesOnBehindWhatALogThatWasPutBackStillHas() throws Exception {
        Path restored = folder.resolve("restored");
        try (IssuingLog backup = SinkBench.open(restored)) {
            SinkBench.append(backup, 10, "ada");
        }
        bench.replace(SinkBench.open(restored));
        LogSink sink = sink();
        SinkBench.drain(sink);
        Path copy = folder.resolve("copy");
        Files.createDirectories(copy);
        bench.replace(SinkBench.open(folder.resolve("elsewhere"))); // lets the files be copied
        try (var files = Files.list(restored)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        bench.replace(SinkBench.open(restored));
        bench.append(10);
        SinkBench.drain(sink);
        assertThat(sink.state().putBack()).isNull();

        bench.replace(SinkBench.open(copy));
        sink.step();
        assertThat(sink.state().putBack().from()).isEqualTo(20);
        assertThat(sink.state().putBack().to()).isEqualTo(10);
        assertThat(sink.state().sent()).isEqualTo(10);
        int before = receiver.messages().size();
        bench.append(LogDraft.of(EntryKind.EXPORT, "eve"));
        SinkBench.drain(sink);
        List<String> later = receiver.messages().subList(before, before + 1);
        assertThat(SinkBench.numbers(later)).containsExactly(11L);
        assertThat(mark(later.getFirst()))
                .as("the other entry of this number")
                .isNotEqualTo(mark(receiver.messages().get(10)));
    }

    private static String mark(String message) {
        return message.replaceAll("(?s).*\"mark\":\"([0-9a-f]+)\".*", "$1");
    }

    @Test
    void aLogThatGrewAgainAfterItWasPutBackIsToldByItsEntries() throws Exception {
        bench.append(30);
        LogSink sink = sink();
        SinkBench.drain(sink);
        IssuingLog other = SinkBench.open(folder.resolve("other"));
        SinkBench.append(other, 40, "eve");
        bench.replace(other);
        SinkBench.drain(sink);
        assertThat(sink.state().putBack().to()).isZero();
        assertThat(arrived()).hasSize(70);
    }

    @Test
    void aSecondConsoleOverTheSameDatabaseIsTold() throws Exception {
        bench.append(3);
        LogSink first = sink();
        LogSink second = sink();
        SinkBench.drain(first);
        second.step();
        bench.append(3);
        SinkBench.drain(first);
        second.step();
        assertThat(second.state().failure().reason()).contains("another console");
        assertThat(arrived()).isEqualTo(upTo(6));
    }

    @Test
    void stopsWithinSecondsWhateverTheReceiverDoes() throws Exception {
        bench.append(3);
        receiver.fail(Fault.SILENT);
        LogSink sink = sink();
        sink.start();
        while (receiver.connections() == 0) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        long before = System.nanoTime();
        sink.close();
        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .as("the whole stop has eight seconds, and the receiver was to be waited for a minute")
                .isLessThan(Duration.ofSeconds(30));
        SinkBench.drain(sink());
        assertThat(arrived()).isEqualTo(upTo(3));
    }

    @Test
    void keepsFewMarksOfManyBatches() throws Exception {
        LogSink sink = sink();
        for (int batch = 0; batch < 60; batch++) {
            bench.append(1);
            SinkBench.drain(sink);
        }
        List<SinkPosition.Mark> marks = bench.position().marks();
        assertThat(marks).hasSizeBetween(4, 10);
        assertThat(marks.getFirst().number()).isEqualTo(60);
        assertThat(marks.getLast().number()).isEqualTo(1);
    }
}
