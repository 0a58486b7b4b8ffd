package dev.veilgate.issuing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.SigningKey;
import dev.veilgate.peks.ChildJvm;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 at a moment that nobody chose: everything that was acknowledged is there, and the log is whole. */
class IssuingLogCrashTest {
    private static final HeadPolicy OFTEN = new HeadPolicy(20, Duration.ofDays(1));

    @TempDir
    private Path temporary;

    @Test
    @Timeout(600)
    void acknowledgedEntriesSurviveKillMinus9() throws Exception {
        Path key = temporary.resolve("key");
        Files.write(key, LogSamples.AUTHORITY.encode());
        Path folder = temporary.resolve("issuing");
        long known = 0;
        for (int round = 0; round < 3; round++) {
            List<String> acknowledged = killedAfter(60 + 17 * round, key, folder);
            try (IssuingLog log = LogSamples.open(folder, OFTEN, Clock.systemUTC())) {
                for (String line : acknowledged) {
                    long first = Long.parseLong(line.substring(0, line.indexOf(' ')));
                    String actor = line.substring(line.indexOf(' ') + 1);
                    for (long number = first; number < first + 3; number++) {
                        assertThat(log.entry(number).orElseThrow().actor()).isEqualTo(actor);
                    }
                    assertThat(first).isGreaterThan(known);
                }
                known = log.size();
                LogVerifier verifier = new LogVerifier(LogSamples.FINGERPRINT);
                verifier.read(new ByteArrayInputStream(LogSamples.export(log)));
                assertThat(verifier.findings()).isEmpty();
                assertThat(verifier.entries()).isEqualTo(known);
            }
        }
    }

    private List<String> killedAfter(int lines, Path key, Path folder) throws IOException, InterruptedException {
        List<String> acknowledged = new ArrayList<>();
        Process process = ChildJvm.start(temporary, Child.class, key.toString(), folder.toString());
        try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
            StringBuilder line = new StringBuilder();
            for (int c = out.read(); c >= 0; c = out.read()) {
                if (c != '\n') {
                    line.append((char) c);
                    continue;
                }
                acknowledged.add(line.toString());
                line.setLength(0);
                if (acknowledged.size() == lines) {
                    process.toHandle().destroyForcibly(); // unlike the process's own, leaves the pipe open
                }
            }
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.waitFor()).isNotZero();
        assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(lines);
        return acknowledged;
    }

    /** The other process. */
    static final class Child {
        public static void main(String[] args) throws Exception {
            SigningKey authority = SigningKey.decode(Files.readAllBytes(Path.of(args[0])));
            try (IssuingLog log =
                    IssuingLog.open(Path.of(args[1]), authority, OFTEN, Clock.systemUTC(), new SecureRandom())) {
                for (int i = 0; ; i++) {
                    String actor = "p" + ProcessHandle.current().pid() + "-" + i;
                    LogDraft draft = LogDraft.of(EntryKind.TRAPDOOR, actor).with("scope", "x".repeat(i % 300));
                    System.out.println(log.append(List.of(draft, draft, draft)) + " " + actor);
                    System.out.flush();
                }
            }
        }
    }
}
