package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.random.TestSeed;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 while the keys are changed: what was acknowledged is there, and the file is whole. */
class KeyFolderCrashTest {
    private static final byte[] PASSPHRASE = "correct horse battery".getBytes(StandardCharsets.UTF_8);
    private static final int KILLS = 6;

    @TempDir
    private Path temporary;

    @Test
    void anyMomentLeavesTheOldOrTheNewFileWhole() throws Exception {
        Path folder = temporary.resolve("keys");
        SecureRandom random = new SecureRandom();
        TenantKeys made = TenantKeys.generate("acme", EpochPolicy.MONTHLY, new byte[0], random, Instant.EPOCH);
        KeyFolder.create(folder, made, PASSPHRASE, new PassphraseCost(64, 1, 1), random)
                .close();
        SplittableRandom moments = TestSeed.of(KeyFolderCrashTest.class).random("moments");
        int acknowledged = 0;
        for (int i = 0; i < KILLS; i++) {
            acknowledged = killAfter(folder, acknowledged + 1 + moments.nextInt(20), moments.nextInt(2_000_000));
            try (KeyFolder read = KeyFolder.open(folder, PASSPHRASE, Access.READ, random)) {
                int there = read.keys().scopes().size();
                assertThat(there).isBetween(acknowledged, acknowledged + 1);
                assertThat(read.keys().senders().list()).as("changed together").hasSize(there);
                assertThat(read.keys().mailSigners()).as("changed together").hasSize(Math.min(there + 1, 3));
                assertThat(read.keys().mailSigner()).as("its own key").isPresent();
                acknowledged = there;
                read.trapdoors().close();
            }
            try (KeyFolder change = KeyFolder.open(folder, PASSPHRASE, Access.CHANGE, random)) {
                change.save(); // the killed one's lock is gone, and so is, after this, what it left aside
            }
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files.map(file -> file.getFileName().toString())
                                .map(name -> name.replaceAll("^senders-[0-9]+", "senders-N"))
                                .distinct())
                        .containsExactlyInAnyOrder(
                                "keys.vgk", "keys.vgk.previous", "lock", "trapdoors", "senders-N.vgs");
            }
        }
    }

    /** Kills a child once it has acknowledged so many changes, some time later; how many it has acknowledged. */
    private static int killAfter(Path folder, int changes, int nanos) throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = child.inputReader()) {
            int acknowledged = 0;
            while (acknowledged < changes) {
                String line = out.readLine();
                assertThat(line).as("the child's acknowledgement").isNotNull();
                acknowledged = Integer.parseInt(line);
            }
            long until = System.nanoTime() + nanos; // somewhere inside the next change
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            child.toHandle().destroyForcibly(); // the process's own would throw away what is in the pipe
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                acknowledged = Integer.parseInt(line);
            }
            return acknowledged;
        } finally {
            child.destroyForcibly();
            assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Changes the keys for ever. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) throws Exception {
            try (KeyFolder folder =
                    KeyFolder.open(Path.of(arguments[0]), PASSPHRASE, Access.CHANGE, new SecureRandom())) {
                for (int i = folder.keys().scopes().size(); ; i++) {
                    folder.keys().addScope("scope-" + i);
                    folder.keys().putSender(new SenderPublicKey("press-" + i, new byte[32], new byte[1952]));
                    rotateMailSigner(folder.keys());
                    folder.save();
                    System.out.write((i + 1 + "\n").getBytes(StandardCharsets.US_ASCII));
                    System.out.flush();
                }
            }
        }

        /** Of three at most. */
        private static void rotateMailSigner(TenantKeys keys) {
            if (keys.mailSigners().size() == 3) {
                keys.removeMailSigner(
                        MailSigner.fingerprint(keys.mailSigners().getLast().getFirst()));
            }
            keys.rotateMailSigner(List.of(), new SecureRandom(), Instant.EPOCH);
        }
    }
}
