package dev.veilgate.benchmarks;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.mail.MailExtractor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Mails to keywords: mails a second, in whole passes over the 750 real ones of the folder that {@code -Dveilgate.data} names, else over as many made
 * ones of about the same length. {@code benchmarks/run} holds the process, and what it may start for attachments, to one core.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 12, time = 2)
@Measurement(iterations = 8, time = 2)
@Fork(
        value = 1,
        jvmArgsPrepend = {"-XX:+UseSerialGC"})
public class MailExtractionBenchmark {
    private static final String[] WORDS =
            ("the of and pump valve pressure was measured before night shift running hot in a report that "
                            + "we have sent to every operator because it is not clear when they will be replaced by new ones")
                    .split(" ");

    private static final int MAILS = 750;

    private final List<byte[]> mails = new ArrayList<>();

    /** Reads or makes the mails. */
    @Setup
    public void mails() throws IOException {
        String data = System.getProperty("veilgate.data");
        if (data == null) {
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < MAILS; i++) {
                mails.add(made(i, random));
            }
            return;
        }
        try (Stream<Path> files = Files.walk(Path.of(data, "mail"))) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                byte[] bytes = Files.readAllBytes(file);
                int start = 0;
                while (bytes[start] != '\n') {
                    start++; // the line of the mbox
                }
                mails.add(Arrays.copyOfRange(bytes, start + 1, bytes.length));
            }
        }
        if (mails.size() != MAILS) {
            throw new IOException("the folder has " + mails.size() + " mails, not " + MAILS);
        }
    }

    private static byte[] made(int i, SplittableRandom random) {
        StringBuilder mail =
                new StringBuilder("From: Ann Example <ann" + i % 50 + "@example.org>\nTo: ops@example.org\n"
                        + "Subject: Report " + i + "\nDate: Mon, 2 Nov 2026 06:00:00 +0000\nMIME-Version: 1.0\n"
                        + "Content-Type: text/plain; charset=utf-8\n\n");
        for (int word = 0; word < 500; word++) {
            boolean rare = random.nextInt(5) == 0;
            mail.append(rare ? Integer.toString(random.nextInt(1 << 20), 36) : WORDS[random.nextInt(WORDS.length)]);
            mail.append(word % 12 == 11 ? '\n' : ' ');
        }
        return mail.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Every mail once, by a new extractor, for one caches keywords; the score is mails a second. */
    @Benchmark
    @OperationsPerInvocation(MAILS)
    public void extract(Blackhole sink) {
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults())) {
            for (byte[] mail : mails) {
                sink.consume(extractor.extract(mail));
            }
        }
    }
}
