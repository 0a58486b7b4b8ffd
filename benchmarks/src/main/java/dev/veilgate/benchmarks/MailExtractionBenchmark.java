package dev.veilgate.benchmarks;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.extract.mail.MailKeywords;
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
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Mails to keywords on one core: the real ones of the folder that -Dveilgate.data names (to JMH: {@code -jvmArgsAppend
 * -Dveilgate.data=...}), else made ones of the same length.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 8, time = 2)
@Fork(1)
public class MailExtractionBenchmark {
    private static final String[] WORDS =
            ("the of and pump valve pressure was measured before night shift running hot in a report that "
                            + "we have sent to every operator because it is not clear when they will be replaced by new ones")
                    .split(" ");

    private final List<byte[]> mails = new ArrayList<>();
    private final MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults());
    private int next;

    /** Reads or makes the mails. */
    @Setup
    public void mails() throws IOException {
        String data = System.getProperty("veilgate.data");
        if (data == null) {
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < 500; i++) {
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

    /** Ends the process of attachments, if one was started. */
    @TearDown
    public void close() {
        extractor.close();
    }

    /** One mail after the other, round and round. */
    @Benchmark
    public MailKeywords extract() {
        next = next + 1 == mails.size() ? 0 : next + 1;
        return extractor.extract(mails.get(next));
    }
}
