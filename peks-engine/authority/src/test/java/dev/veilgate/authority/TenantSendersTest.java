package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RegisteredSenders;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SenderRegistry;
import dev.veilgate.envelope.SigningKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The registered senders of a key folder: kept, published, damaged, and taken over from a key file that had them inside. */
class TenantSendersTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    @TempDir
    private Path temporary;

    private Path folder;

    @BeforeEach
    void makeKeys() throws Exception {
        folder = SealedWord.keys(temporary);
    }

    private static SenderPublicKey key(String name) {
        byte[] ed25519 = new byte[32];
        byte[] mlDsa65 = new byte[1952];
        RANDOM.nextBytes(ed25519);
        RANDOM.nextBytes(mlDsa65);
        return new SenderPublicKey(name, ed25519, mlDsa65);
    }

    private void register(SenderPublicKey... keys) throws Exception {
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            for (SenderPublicKey key : keys) {
                change.keys().putSender(key);
            }
            change.save();
        }
    }

    private List<SenderPublicKey> kept() throws Exception {
        try (KeyFolder read = SealedWord.open(folder, Access.READ)) {
            return read.keys().senders().list();
        }
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(path -> path.getFileName().toString())
                    .filter(name -> name.startsWith("senders"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void senderComeBackInOrderAndTheKeyFileDoesNotGrow() throws Exception {
        long before = Files.size(folder.resolve(KeyFolder.KEY_FILE));
        SenderPublicKey one = key("press-1");
        SenderPublicKey two = key("press-2");
        SenderPublicKey three = key("press-3");
        register(two, one);
        register(three);
        assertThat(kept()).containsExactly(one, two, three);
        assertThat(Files.size(folder.resolve(KeyFolder.KEY_FILE))).isLessThan(before + 16);

        SenderPublicKey replaced = key("press-2");
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            TenantSenders senders = change.keys().senders();
            assertThat(senders.remove("press-1")).isTrue();
            assertThat(senders.remove("press-1")).isFalse();
            assertThat(senders.remove("nobody")).isFalse();
            senders.put(replaced);
            senders.put(key("press-4"));
            senders.remove("press-4");
            assertThat(senders.count()).isEqualTo(2);
            assertThat(senders.list()).containsExactly(replaced, three);
            assertThat(senders.find("press-2")).contains(replaced);
            assertThat(senders.find("press-3")).contains(three);
            assertThat(senders.find("press-1")).isEmpty();
            change.save();
            assertThat(senders.list()).containsExactly(replaced, three);
        }
        assertThat(kept()).containsExactly(replaced, three);
    }

    @Test
    void otherChangesDoNotWriteTheSendersAgain() throws Exception {
        register(key("press-1"));
        List<String> before = files();
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            long serial = change.keys().senders().serial();
            change.keys().addScope("plant-7");
            change.save();
            assertThat(change.keys().senders().serial()).isEqualTo(serial);
        }
        assertThat(before).containsAll(files());
    }

    @Test
    void bundlesHaveNoSendersAndRegistriesHaveThem() throws Exception {
        SenderPublicKey one = key("press-1");
        register(one);
        Path published = temporary.resolve("acme.senders");
        String authority;
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            authority = change.keys().authority().fingerprint();
            byte[] bundle = change.keys().nextBundle(SealedWord.NOW, Duration.ofDays(1));
            PublicBundle verified = PublicBundle.verify(bundle, authority, SealedWord.NOW);
            assertThat(verified.senders()).isEmpty();
            assertThat(verified.sendersInRegistry()).isTrue();
            change.save();
            change.keys().senders().publish(published);
            change.keys().senders().publish(published);
        }
        try (SenderRegistry registry =
                SenderRegistry.open(published, new SenderRegistry.Expected(authority, "acme", 0))) {
            assertThat(registry.keysOf("press-1")).containsExactly(one);
            assertThat(registry.head().serial())
                    .as("unchanged, so it keeps its serial")
                    .isEqualTo(2);
        }
    }

    /** As an earlier version left it: senders in the key file, and no registry. */
    private SenderPublicKey folderOfBefore() throws Exception {
        SenderPublicKey one = key("press-1");
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE);
                PassphraseLock lock = PassphraseLock.fresh(SealedWord.PASSPHRASE, SealedWord.CHEAP, RANDOM)) {
            change.keys().putSender(one);
            byte[] content = TenantKeysCodec.encode(change.keys(), null);
            Files.write(folder.resolve(KeyFolder.KEY_FILE), lock.seal(content, RANDOM));
        }
        for (String name : files()) {
            Files.delete(folder.resolve(name));
        }
        return one;
    }

    @Test
    void takesOverAFolderOfAnEarlierVersion() throws Exception {
        SenderPublicKey one = folderOfBefore();
        assertThat(kept()).as("read, and left as it is").containsExactly(one);
        assertThat(files()).isEmpty();
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            change.keys().addScope("plant-7");
            change.save();
        }
        assertThat(files()).containsExactly("senders-1.vgs");
        assertThat(kept()).containsExactly(one);
    }

    /** Killed between the registry and the key file, and between the key file and the removal of old registries. */
    @Test
    void aCrashLeavesTheOldOrTheNewSenders() throws Exception {
        SenderPublicKey one = key("press-1");
        register(one);
        byte[] keyFile = Files.readAllBytes(folder.resolve(KeyFolder.KEY_FILE));
        Path before = Files.createDirectory(temporary.resolve("before"));
        for (String name : files()) {
            Files.copy(folder.resolve(name), before.resolve(name));
        }
        SenderPublicKey two = key("press-2");
        register(two);
        for (String name : List.of("senders-2.vgs")) { // the new registry is there, the key file is the old one
            Files.copy(before.resolve(name), folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        Files.write(folder.resolve(KeyFolder.KEY_FILE), keyFile);
        assertThat(files()).contains("senders-3.vgs");
        assertThat(kept()).containsExactly(one);
        SenderPublicKey three = key("press-3");
        register(three);
        assertThat(kept()).containsExactly(one, three);
    }

    @Test
    void theFileBeforeTheLastChangeStillHasItsSenders() throws Exception {
        SenderPublicKey one = key("press-1");
        register(one);
        register(key("press-2"));
        Files.copy(
                folder.resolve(KeyFolder.PREVIOUS_FILE),
                folder.resolve(KeyFolder.KEY_FILE),
                StandardCopyOption.REPLACE_EXISTING);
        assertThat(kept()).containsExactly(one);
    }

    @Test
    void aChangeThatFailsLeavesTheSendersAsTheyWere() throws Exception {
        SenderPublicKey one = key("press-1");
        register(one);
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            assertThatThrownBy(() -> change.keys().allOrNothing(() -> {
                        change.keys().putSender(key("press-2"));
                        change.keys().removeSender("press-1");
                        throw new IOException("for the test");
                    }))
                    .hasMessage("for the test");
            assertThat(change.keys().senders().list()).containsExactly(one);
            change.save();
        }
        assertThat(kept()).containsExactly(one);
    }

    @Test
    void aSnapshotStaysWhatItWas() throws Exception {
        SenderPublicKey one = key("press-1");
        register(one);
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            change.keys().putSender(key("press-2"));
            RegisteredSenders snapshot = change.keys().senders().snapshot();
            change.keys().removeSender("press-1");
            change.save();
            change.save();
            assertThat(snapshot.keysOf("press-1")).containsExactly(one);
            assertThat(snapshot.keysOf("press-2")).hasSize(1);
            assertThat(change.keys().senders().snapshot().keysOf("press-1")).isEmpty();
        }
    }

    /** Somebody who can write into the folder, and even has an older registry that the authority signed. */
    @Test
    void refusesAnotherRegistryThanTheKeyFileNames() throws Exception {
        register(key("press-1"));
        byte[] older = Files.readAllBytes(folder.resolve("senders-2.vgs"));
        register(key("press-2"));
        Path current = folder.resolve("senders-3.vgs");
        byte[] good = Files.readAllBytes(current);
        byte[] altered = good.clone();
        altered[altered.length - 1] ^= 1;
        for (byte[] bad : List.of(older, altered, new byte[10])) {
            Files.write(current, bad);
            assertThatThrownBy(this::kept).isInstanceOf(IOException.class).hasMessageContaining("restore it");
            assertThatThrownBy(() -> find("press-1")).isInstanceOf(IOException.class);
            assertThatThrownBy(this::publish).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> register(key("press-3"))).isInstanceOf(IOException.class);
        }
        Files.delete(current);
        assertThatThrownBy(this::kept).isInstanceOf(IOException.class).hasMessageContaining("serial 3");
        assertThatThrownBy(() -> find("press-1"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("serial 3");
        Files.write(current, good);
        assertThat(kept()).hasSize(2);
    }

    private void find(String name) throws Exception {
        try (KeyFolder read = SealedWord.open(folder, Access.READ)) {
            read.keys().sender(name);
        }
    }

    private void publish() throws Exception {
        try (KeyFolder read = SealedWord.open(folder, Access.READ)) {
            read.keys().senders().publish(temporary.resolve("acme.senders"));
        }
    }

    @Test
    void aBackupHasTheSendersAlsoOfAFolderOfAnEarlierVersion() throws Exception {
        SenderPublicKey one = folderOfBefore();
        Path file = temporary.resolve("backup");
        List<KeyShare> shares;
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE);
                var store = change.trapdoors()) {
            shares = KeyBackup.create(change, store, file, 2, 2, RANDOM, SealedWord.NOW)
                    .shares();
        }
        Path restored = temporary.resolve("restored");
        KeyBackup.restore(file, shares, restored, SealedWord.PASSPHRASE, SealedWord.CHEAP, RANDOM);
        folder = restored;
        assertThat(kept()).containsExactly(one);
    }

    @Test
    void keysInNoFolderPublishTheirSendersToo() throws Exception {
        Path published = temporary.resolve("acme.senders");
        try (TenantKeys keys = TenantKeys.generate("acme", EpochPolicy.MONTHLY, new byte[0], RANDOM, SealedWord.NOW);
                SigningKey one = SigningKey.generate("press-1", RANDOM)) {
            keys.putSender(one.publicKey());
            keys.senders().publish(published);
            SenderRegistry.Expected expected =
                    new SenderRegistry.Expected(keys.authority().fingerprint(), "acme", 0);
            try (SenderRegistry registry = SenderRegistry.open(published, expected)) {
                assertThat(registry.keysOf("press-1")).containsExactly(one.publicKey());
            }
        }
    }
}
