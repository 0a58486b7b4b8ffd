package dev.veilgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.KemPublicKey;
import dev.veilgate.envelope.KemSecretKey;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.envelope.PublicBundle.IndexKey;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.envelope.PublicBundleContent;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.sender.KeptBundle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bundles of every size, taken up by a process with the memory that the launcher gives an agent. */
class BundleMemoryTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    /** What an agent holds beside a bundle. */
    private static final int OTHERS_BYTES = 12 << 20;

    @TempDir
    private Path folder;

    private final SigningKey authority = SigningKey.generate("acme", RANDOM);
    private final byte[] wrapKey = KemSecretKey.generate(RANDOM).publicKey().bytes();

    /** The other process: takes up one bundle after another, and says which one is in use and what is wrong. */
    static final class Agent {
        private Agent() {}

        public static void main(String[] arguments) throws Exception {
            byte[] others = new byte[OTHERS_BYTES];
            Path folder = Path.of(arguments[0]);
            Path file = folder.resolve("bundle.vgb");
            BundleFile bundle = new BundleFile(KeptBundle.ofFile(file), arguments[1], 0);
            for (int serial = 1; Files.exists(folder.resolve("next-" + serial)); serial++) {
                Files.move(folder.resolve("next-" + serial), file, StandardCopyOption.REPLACE_EXISTING);
                Thread.sleep(1100); // it looks once a second
                PublicBundle used = bundle.at(Instant.now());
                System.out.println(
                        serial + " uses " + Objects.requireNonNull(used).serial() + " with "
                                + used.recipients().size() + ": " + bundle.problem());
            }
            System.out.println("done " + others.length);
        }
    }

    private void next(int serial, int senders, int recipients) throws Exception {
        List<SenderPublicKey> inside = new ArrayList<>();
        for (int i = 0; i < senders; i++) {
            inside.add(new SenderPublicKey("press-%05d".formatted(i), random(32), random(1952)));
        }
        List<Recipient> mailboxes = new ArrayList<>();
        for (int i = 0; i < recipients; i++) {
            mailboxes.add(new Recipient("user-%05d@acme.example".formatted(i), random(1400), "mailbox-" + i));
        }
        PublicBundleContent content = new PublicBundleContent(
                "acme",
                serial,
                NOW.minusSeconds(60),
                NOW.plusSeconds(86_400),
                List.of(new IndexKey("ntru-peks", "N2048_Q29", new byte[] {1})),
                KemPublicKey.decode(wrapKey),
                List.of(new Epoch("2026", NOW.minusSeconds(3600), NOW.plusSeconds(86_400))),
                mailboxes,
                inside,
                List.of(),
                new byte[0],
                List.of(),
                false,
                List.of());
        Files.write(folder.resolve("next-" + serial), PublicBundle.sign(content, authority));
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    /** The line of the launcher that gives an agent its memory. */
    private static List<String> memory() throws Exception {
        String launcher = Files.readString(Path.of("device-agent/edge/src/main/launcher/veilgate-edge"));
        Matcher options =
                Pattern.compile("agent \\| mail\\)\\s+memory='([^']+)'").matcher(launcher);
        assertThat(options.find()).isTrue();
        assertThat(launcher).contains("-XX:+ExitOnOutOfMemoryError");
        List<String> all = new ArrayList<>(List.of(options.group(1).split(" ")));
        all.add("-XX:+ExitOnOutOfMemoryError");
        return all;
    }

    @Test
    void noBundleEndsAnAgent() throws Exception {
        next(1, 5, 5);
        next(2, 5_000, 0);
        next(3, 6_000, 0); // ended running agents
        next(4, 10_000, 0); // the most that a bundle ever held
        next(5, 0, 6_000);
        next(6, 6_000, 6_000);
        next(7, 0, 8_000); // more than is kept
        next(8, 0, 18_000); // more than is read
        next(9, 10_000, 7_000);
        next(10, 0, 1);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(memory());
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Agent.class.getName(),
                folder.toString(),
                authority.publicKey().fingerprint()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(said).contains("done").doesNotContain("OutOfMemoryError");
        assertThat(process.exitValue()).isZero();
        assertThat(said.lines().toList())
                .contains("1 uses 1 with 5: ", "2 uses 2 with 0: ", "3 uses 3 with 0: ", "4 uses 4 with 0: ")
                .contains("5 uses 5 with 6000: ", "6 uses 6 with 6000: ", "10 uses 10 with 1: ");
        assertThat(said)
                .containsPattern("7 uses 6 with 6000: the bundle has \\d+ bytes beside its senders")
                .containsPattern("8 uses 6 with 6000: the bundle has \\d+ bytes, and")
                .containsPattern("9 uses 6 with 6000: the bundle has \\d+ bytes");
    }
}
