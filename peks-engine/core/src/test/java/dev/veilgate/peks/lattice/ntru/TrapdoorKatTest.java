package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.random.CoinStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Keys and trapdoors are the same bytes on every JVM, whether interpreted or compiled, by whichever compiler, for whatever
 * vector unit. Two trapdoors of one keyword that differ in the last bit of a double give the secret key away, so a
 * difference here is a break, and new answers need a new sampler version.
 */
class TrapdoorKatTest {
    private static final String RECORD = "/dev/veilgate/math/trapdoor.txt";
    private static final int TIMEOUT_SECONDS = 300;

    /** Prints the digests of keys and trapdoors that follow from fixed coins; arguments are the parameter sets. */
    static final class Program {
        private static final List<Keyword> KEYWORDS = List.of(
                Keyword.text("level", "error"),
                Keyword.text("subject", "quarterly figures"),
                Keyword.text("from", "andré@example.org"),
                Keyword.text("n", "7"),
                Keyword.text("body", "x".repeat(1000)));

        private Program() {}

        public static void main(String[] sets) throws IOException, MalformedEncodingException {
            for (String set : sets) {
                digests(NtruParameters.byId(set)).forEach(System.out::println);
            }
        }

        static List<String> digests(NtruParameters set) throws IOException {
            CoinStream coins = CoinStream.ofSeed(sha256(set.id().getBytes(StandardCharsets.US_ASCII)));
            NtruPeks scheme = new NtruPeks(set, new ReplayableRandom(coins));
            KeyPair pair = scheme.keyGen();
            List<String> lines = new ArrayList<>();
            lines.add(line(set, "public key", pair.publicKey().encode()));
            lines.add(line(set, "secret key", pair.secretKey().encode()));
            KeywordDomain domain = new KeywordDomain("tenant", "plant 3", "2026-11");
            TrapdoorStore store = new InMemoryTrapdoorStore();
            for (int i = 0; i < KEYWORDS.size(); i++) {
                byte[] trapdoor = scheme.trapdoor(pair.secretKey(), domain, KEYWORDS.get(i), store)
                        .bytes();
                lines.add(line(set, "trapdoor " + i, trapdoor));
            }
            return lines;
        }

        private static String line(NtruParameters set, String what, byte[] bytes) {
            return set.id() + " " + what + " " + HexFormat.of().formatHex(sha256(bytes));
        }

        private static byte[] sha256(byte[] bytes) {
            try {
                return MessageDigest.getInstance("SHA-256").digest(bytes);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void thisJvmGivesTheAnswersOnRecord() throws IOException {
        List<String> digests = new ArrayList<>();
        for (NtruParameters set : NtruParameters.all()) {
            digests.addAll(Program.digests(set));
        }
        assertThat(digests).isEqualTo(record());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-Xint",
                "-XX:TieredStopAtLevel=1",
                "-XX:TieredStopAtLevel=3",
                // Compiled before it runs: our code and the arithmetic of the JDK. Of all else it would take four times
                // as long.
                "-Xcomp -XX:-TieredCompilation -XX:CompileCommand=quiet -XX:CompileCommand=compileonly,dev.veilgate.*::*"
                        + " -XX:CompileCommand=compileonly,java.math.*::* -XX:CompileCommand=compileonly,java.lang.Math::*"
                        + " -XX:CompileCommand=compileonly,java.lang.StrictMath::*"
                        + " -XX:CompileCommand=compileonly,java.lang.FdLibm*::*",
                "-XX:UseAVX=2",
                "-XX:UseAVX=0",
                "-XX:-UseFMA",
                "-XX:-UseSuperWord",
                "-XX:UseSVE=0"
            })
    void everyWayToRunItGivesTheAnswersOnRecord(String options, @TempDir Path folder) throws Exception {
        // interpreted, the larger sets take long
        List<String> sets = NtruParameters.all().stream()
                .map(NtruParameters::id)
                .filter(id -> !options.equals("-Xint") || id.equals("N512_Q24"))
                .toList();
        Run run = Run.of(folder, options, sets);
        if (run.exit != 0 && run.errors.contains("Unrecognized VM option")) {
            // an option of another processor family: the program must run and agree all the same
            run = Run.of(folder, "-XX:+IgnoreUnrecognizedVMOptions " + options, sets);
        }
        assertThat(run.exit).as("exit code; errors: %s", run.errors).isZero();
        List<String> expected = record().stream()
                .filter(line -> sets.contains(line.substring(0, line.indexOf(' '))))
                .toList();
        assertThat(expected).hasSize(7 * sets.size());
        assertThat(run.output).isEqualTo(expected);
    }

    /** One run of the program in a JVM of its own. */
    private record Run(int exit, List<String> output, String errors) {
        static Run of(Path folder, String options, List<String> sets) throws IOException, InterruptedException {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(List.of(options.split(" ")));
            command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC"));
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), Program.class.getName()));
            command.addAll(sets);
            Path output = folder.resolve("output");
            Path errors = folder.resolve("errors");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
            builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
            Process process = builder.start();
            try {
                assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                        .as("%s ends within %d seconds", options, TIMEOUT_SECONDS)
                        .isTrue();
            } finally {
                process.destroyForcibly();
            }
            return new Run(process.exitValue(), Files.readAllLines(output), Files.readString(errors));
        }
    }

    private static List<String> record() {
        try (var in = Objects.requireNonNull(TrapdoorKatTest.class.getResourceAsStream(RECORD))) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
