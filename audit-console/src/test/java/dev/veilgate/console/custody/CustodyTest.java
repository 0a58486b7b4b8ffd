package dev.veilgate.console.custody;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.application.TestClock;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.KeyFileException;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.PassphraseCost;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.authority.TenantKeys.KeyInfo;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.envelope.PublicBundle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys are used while they are open, and the bundle does not end while they are. */
class CustodyTest {
    private static final byte[] PASSPHRASE = "correct horse battery".getBytes(StandardCharsets.UTF_8);

    private final TestClock clock = new TestClock();
    private final SecureRandom random = new SecureRandom();

    @TempDir
    private Path temporary;

    private Custody custody() throws Exception {
        Path folder = temporary.resolve("keys");
        TenantKeys keys = TenantKeys.generate("acme", EpochPolicy.MONTHLY, new byte[] {1}, random, clock.instant());
        KeyFolder.create(folder, keys, PASSPHRASE, new PassphraseCost(64, 1, 1), random)
                .close();
        return new Custody(folder, temporary.resolve("data"), clock, random);
    }

    private PublicBundle bundle(Custody custody) throws Exception {
        return PublicBundle.verify(
                custody.bundle().orElseThrow(),
                custody.use(keys -> keys.authority().fingerprint()),
                clock.instant());
    }

    @Test
    void theBundleIsRenewedBeforeItEnds() throws Exception {
        try (Custody custody = custody()) {
            custody.unlock(PASSPHRASE);
            PublicBundle first = bundle(custody);
            clock.advance(Duration.ofDays(59));
            custody.renewBundleIfDue();
            assertThat(bundle(custody).serial()).isEqualTo(first.serial());
            clock.advance(Duration.ofDays(2));
            custody.renewBundleIfDue();
            assertThat(bundle(custody).serial()).isEqualTo(first.serial() + 1);
            clock.advance(Duration.ofDays(89));
            assertThat(bundle(custody).tenant()).as("still valid").isEqualTo("acme");
        }
    }

    @Test
    void trapdoorsAreCountedWhileSomebodyUsesTheKeys() throws Exception {
        try (Custody custody = custody()) {
            custody.unlock(PASSPHRASE);
            long counted = custody.use(keys -> {
                FutureTask<Long> other = new FutureTask<>(custody::issuedTrapdoors);
                Thread.ofPlatform().start(other);
                return other.get(20, TimeUnit.SECONDS);
            });
            assertThat(counted).isZero();
        }
    }

    @Test
    void anUnchangedBundleKeepsItsSerialOverARestart() throws Exception {
        try (Custody custody = custody()) {
            custody.unlock(PASSPHRASE);
            long serial = bundle(custody).serial();
            custody.lock();
            custody.renewBundleIfDue();
            custody.unlock(PASSPHRASE);
            assertThat(bundle(custody).serial()).isEqualTo(serial);
        }
    }

    @Test
    void lockedKeysAreOfNoUse() throws Exception {
        try (Custody custody = custody()) {
            assertThat(custody.isLocked()).isTrue();
            assertThatThrownBy(() -> custody.use(keys -> keys.tenant())).isInstanceOf(ProblemException.class);
            assertThatThrownBy(() -> custody.unlock("wrong horse battery".getBytes(StandardCharsets.UTF_8)))
                    .isInstanceOf(KeyFileException.class);
            assertThat(custody.isLocked()).isTrue();
            assertThat(custody.unlock(PASSPHRASE)).isTrue();
            assertThat(custody.unlock("wrong horse battery".getBytes(StandardCharsets.UTF_8)))
                    .as("open already")
                    .isFalse();
            TenantKeys[] kept = new TenantKeys[1];
            boolean[] forgotten = new boolean[1];
            custody.beforeLocking(() -> forgotten[0] = true);
            custody.use(keys -> kept[0] = keys);
            custody.lock();
            assertThat(forgotten[0]).isTrue();
            assertErased(kept[0]);
        }
    }

    @Test
    void theKeysAreLockedWhateverBecomesOfThoseThatAreTold() throws Exception {
        try (Custody custody = custody()) {
            List<String> told = new ArrayList<>();
            custody.beforeLocking(() -> {
                told.add("first");
                throw new IllegalStateException("first");
            });
            custody.beforeLocking(() -> told.add("second"));
            custody.unlock(PASSPHRASE);
            TenantKeys kept = custody.use(keys -> keys);
            custody.lock();
            assertThat(told).containsExactly("first", "second");
            assertThat(custody.isLocked()).isTrue();
            assertErased(kept);

            custody.beforeLocking(() -> {
                throw new StackOverflowError();
            });
            custody.unlock(PASSPHRASE);
            TenantKeys keptAgain = custody.use(keys -> keys);
            assertThatThrownBy(custody::lock).isInstanceOf(StackOverflowError.class);
            assertThat(custody.isLocked()).isTrue();
            assertErased(keptAgain);
        }
    }

    @Test
    void keysThatCannotBePutToUseAreErasedWhateverBecomesOfThoseThatAreTold() throws Exception {
        try (Custody custody = custody()) {
            List<TenantKeys> kept = new ArrayList<>();
            custody.beforeLocking(() -> {
                throw new IllegalStateException("told");
            });
            custody.afterUnlocking(folder -> {
                kept.add(folder.keys());
                throw new IOException("no log");
            });
            assertThatThrownBy(() -> custody.unlock(PASSPHRASE)).hasMessage("no log");
            assertThat(custody.isLocked()).isTrue();
            assertErased(kept.getFirst());
        }
    }

    static void assertErased(TenantKeys keys) {
        assertThatThrownBy(() -> keys.signStatement("test", new byte[1]))
                .as("the keys are erased")
                .isInstanceOf(IllegalStateException.class);
    }

    private static List<KeyInfo> keysOf(Custody custody) throws Exception {
        return custody.use(keys -> keys.keys());
    }

    @Test
    void aChangeThatFailsMidwayChangesNothing() throws Exception {
        try (Custody custody = custody()) {
            custody.unlock(PASSPHRASE);
            List<KeyInfo> before = keysOf(custody);
            byte[] bundle = custody.bundle().orElseThrow();
            assertThatThrownBy(() -> custody.change(keys -> {
                        keys.rotateIndexKey(random, clock.instant());
                        keys.rotateWrapKey(random, clock.instant());
                        keys.addScope("plant-8");
                        throw new IllegalStateException("there are 16 keys of this kind already");
                    }))
                    .hasMessageContaining("16 keys");
            assertThat(keysOf(custody)).isEqualTo(before);
            assertThat(custody.<Boolean>use(keys -> keys.scopes().isEmpty())).isTrue();
            assertThat(custody.bundle()).hasValue(bundle);
            custody.change(keys -> keys.removeScope("none")); // keeps what is in memory
            assertThat(keysOf(custody)).isEqualTo(before);
            custody.lock();
            custody.unlock(PASSPHRASE);
            assertThat(keysOf(custody)).isEqualTo(before);
        }
    }

    @Test
    void aChangeThatCannotBeKeptIsUndone() throws Exception {
        try (Custody custody = custody()) {
            custody.unlock(PASSPHRASE);
            List<KeyInfo> before = keysOf(custody);
            long serial = bundle(custody).serial();
            Path inTheWay = temporary.resolve("keys/keys.vgk.previous");
            Files.delete(inTheWay);
            Files.createDirectories(inTheWay.resolve("x"));
            assertThatThrownBy(() -> custody.change(keys -> {
                        keys.rotateWrapKey(random, clock.instant());
                        return true;
                    }))
                    .isInstanceOf(IOException.class);
            assertThat(keysOf(custody)).isEqualTo(before);
            Files.delete(inTheWay.resolve("x"));
            Files.delete(inTheWay);
            custody.change(keys -> {
                keys.rotateWrapKey(random, clock.instant());
                return true;
            });
            assertThat(keysOf(custody)).hasSize(before.size() + 1);
            assertThat(bundle(custody).serial()).isEqualTo(serial + 1);
        }
    }
}
