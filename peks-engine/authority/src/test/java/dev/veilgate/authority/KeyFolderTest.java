package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.authority.KeyFileException.Reason;
import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.random.TestSeed;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The authority's keys, on disk and back; what damage, a wrong passphrase and a lost store do. */
class KeyFolderTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Instant NOW = SealedWord.NOW;
    private static final byte[] PASSPHRASE = SealedWord.PASSPHRASE;
    private static final PassphraseCost CHEAP = SealedWord.CHEAP;

    @TempDir
    private Path temporary;

    private Path folder;

    @BeforeEach
    void makeKeys() throws Exception {
        folder = SealedWord.keys(temporary);
    }

    private KeyFolder open(Access access) throws Exception {
        return KeyFolder.open(folder, PASSPHRASE, access, RANDOM);
    }

    private Path file() {
        return folder.resolve(KeyFolder.KEY_FILE);
    }

    @Test
    void keysComeBack() throws Exception {
        byte[] bundle;
        try (KeyFolder change = open(Access.CHANGE)) {
            change.keys().putSender(SigningKey.generate("press-4", RANDOM).publicKey());
            change.keys().addScope("plant-7");
            change.keys().putRecipient(new PublicBundle.Recipient("ann@acme.example", new byte[] {1}, "mail"));
            bundle = change.keys().nextBundle(NOW, Duration.ofDays(90));
            change.save();
        }
        try (KeyFolder read = open(Access.READ)) {
            TenantKeys keys = read.keys();
            PublicBundle verified = PublicBundle.verify(bundle, keys.authority().fingerprint(), NOW);
            assertThat(keys.senders().list()).hasSize(1);
            assertThat(verified.recipients()).isEqualTo(keys.recipients());
            assertThat(verified.scopes()).containsExactly("plant-7");
            assertThat(verified.serial()).isEqualTo(1).isEqualTo(keys.serial());
            assertThat(verified.epochs().stream().map(PublicBundle.Epoch::name))
                    .containsExactly("2026-11", "2026-12", "2027-01", "2027-02", "2027-03");
            assertThat(keys.keys()).hasSize(3).allMatch(TenantKeys.KeyInfo::current);
            assertThatIllegalStateException().isThrownBy(read::save);
        }
    }

    @Test
    void neverOverwritesKeys() throws Exception {
        byte[] before = Files.readAllBytes(file());
        TenantKeys keys = TenantKeys.generate("acme", EpochPolicy.DAILY, new byte[0], RANDOM, NOW);
        assertThatThrownBy(() -> KeyFolder.create(folder, keys, PASSPHRASE, CHEAP, RANDOM))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(Files.readAllBytes(file())).isEqualTo(before);
    }

    @Test
    void filesAreTheOwnersAlone() throws Exception {
        try (KeyFolder change = open(Access.CHANGE)) {
            change.save();
            assertThat(change.readableByOthers()).isFalse();
            Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
            assertThat(change.readableByOthers()).isTrue();
            change.save();
            assertThat(change.readableByOthers()).isFalse();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.toList()) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                        .as(path.toString())
                        .endsWith("------");
            }
        }
    }

    @Test
    void oneChangesAtATime() throws Exception {
        try (KeyFolder change = open(Access.CHANGE)) {
            assertThatThrownBy(() -> open(Access.CHANGE))
                    .isInstanceOfSatisfying(
                            KeyFileException.class, e -> assertThat(e.reason()).isEqualTo(Reason.IN_USE));
            open(Access.READ).close();
            change.save();
        }
        open(Access.CHANGE).close();
    }

    @Test
    void keepsTheFileBeforeTheLastChange() throws Exception {
        byte[] before = Files.readAllBytes(file());
        try (KeyFolder change = open(Access.CHANGE)) {
            change.keys().addScope("plant-7");
            change.save();
        }
        assertThat(folder.resolve(KeyFolder.PREVIOUS_FILE)).hasBinaryContent(before);
    }

    @Test
    void refusesAWrongPassphrase() {
        assertRefused("wrong horse battery", Reason.WRONG_PASSPHRASE);
        assertRefused("", Reason.WRONG_PASSPHRASE);
    }

    @Test
    void knowsItsPassphrase() throws Exception {
        try (KeyFolder read = open(Access.READ)) {
            assertThat(read.isPassphrase(PASSPHRASE)).isTrue();
            assertThat(read.isPassphrase("wrong horse battery".getBytes(StandardCharsets.UTF_8)))
                    .isFalse();
            assertThat(read.isPassphrase(new byte[0])).isFalse();
            assertThat(read.keys().keys()).as("open as before").isNotEmpty();
        }
    }

    @Test
    void changesThePassphraseOfBothFiles() throws Exception {
        byte[] other = "another passphrase".getBytes(StandardCharsets.UTF_8);
        try (KeyFolder change = open(Access.CHANGE)) {
            change.changePassphrase(other, CHEAP);
        }
        assertRefused(new String(PASSPHRASE, StandardCharsets.UTF_8), Reason.WRONG_PASSPHRASE);
        KeyFolder.open(folder, other, Access.READ, RANDOM).close();
        Files.copy(folder.resolve(KeyFolder.PREVIOUS_FILE), file(), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        KeyFolder.open(folder, other, Access.READ, RANDOM).close();
    }

    /** A second Argon2id may find no memory: what is saved afterwards must not lie under an erased key. */
    @Test
    void aChangeOfThePassphraseThatFailsLeavesTheOldOne() throws Exception {
        boolean[] fails = new boolean[1];
        SecureRandom sometimes = new SecureRandom() {
            @Override
            public void nextBytes(byte[] bytes) {
                if (fails[0]) {
                    throw new OutOfMemoryError("for the test");
                }
                super.nextBytes(bytes);
            }
        };
        try (KeyFolder change = KeyFolder.open(folder, PASSPHRASE, Access.CHANGE, sometimes)) {
            fails[0] = true;
            assertThatThrownBy(() -> change.changePassphrase(new byte[20], CHEAP))
                    .isInstanceOf(OutOfMemoryError.class);
            fails[0] = false;
            change.save();
        }
        open(Access.READ).close();
    }

    private void assertRefused(String passphrase, Reason reason) {
        assertThatThrownBy(
                        () -> KeyFolder.open(folder, passphrase.getBytes(StandardCharsets.UTF_8), Access.READ, RANDOM))
                .isInstanceOfSatisfying(KeyFileException.class, e -> {
                    assertThat(e.reason()).isEqualTo(reason);
                    assertThat(e.getMessage()).doesNotContain("horse");
                });
    }

    @Test
    void namesDamage() throws Exception {
        byte[] good = Files.readAllBytes(file());
        SplittableRandom random = TestSeed.of(KeyFolderTest.class).random("damage");
        for (int i = 0; i < 200; i++) {
            byte[] bad = good.clone();
            bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file(), bad);
            assertRefused(new String(PASSPHRASE, StandardCharsets.UTF_8), Reason.DAMAGED);
            Files.write(file(), Arrays.copyOf(good, random.nextInt(good.length)));
            assertRefused(new String(PASSPHRASE, StandardCharsets.UTF_8), Reason.DAMAGED);
        }
        Files.delete(file());
        assertRefused(new String(PASSPHRASE, StandardCharsets.UTF_8), Reason.MISSING);
    }

    /** Somebody who recomputes the checksum: header, ciphertext and tag are all bound. */
    @Test
    void refusesAlterationsWithARightChecksum() throws Exception {
        byte[] good = Files.readAllBytes(file());
        SplittableRandom random = TestSeed.of(KeyFolderTest.class).random("alterations");
        for (int i = 0; i < 300; i++) {
            byte[] bad = good.clone();
            int at = i < 80 ? i : random.nextInt(bad.length - 32);
            bad[at] ^= (byte) (1 << random.nextInt(8));
            assertThatThrownBy(() -> PassphraseLock.open(checksummed(bad), PASSPHRASE))
                    .isInstanceOfAny(KeyFileException.class, MalformedEncodingException.class);
        }
    }

    private static byte[] checksummed(byte[] file) throws Exception {
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        sha.update(file, 0, file.length - 32);
        byte[] out = file.clone();
        System.arraycopy(sha.digest(), 0, out, file.length - 32, 32);
        return out;
    }

    @Test
    void boundsWhatAHostileHeaderAsksFor() throws Exception {
        for (long[] cost : new long[][] {
            {PassphraseCost.MAX_MEMORY_KIB + 1, 1, 1},
            {Integer.MAX_VALUE, 1, 1},
            {1L << 40, 1, 1},
            {PassphraseCost.MAX_MEMORY_KIB, 64, 1},
            {64, 1 << 30, 1},
            {64, 0, 1},
            {0, 1, 1},
            {64, 1, 0},
            {64, 1, 1 << 24},
        }) {
            byte[] file = new CborWriter(256)
                    .array(9)
                    .text("veilgate-keys")
                    .integer(1)
                    .text("argon2id")
                    .integer(cost[0])
                    .integer(cost[1])
                    .integer(cost[2])
                    .bytes(new byte[16])
                    .bytes(new byte[12])
                    .integer(16)
                    .toByteArray();
            byte[] whole = checksummed(Arrays.copyOf(file, file.length + 16 + 32));
            assertThatThrownBy(() -> PassphraseLock.open(whole, PASSPHRASE))
                    .isInstanceOf(MalformedEncodingException.class);
        }
    }

    /** The key file copied without the issued trapdoors, or beside those of other keys, issues nothing. */
    @Test
    void issuesNothingWithoutItsStore() throws Exception {
        Path alone = Files.createDirectory(temporary.resolve("alone"));
        Files.copy(file(), alone.resolve(KeyFolder.KEY_FILE));
        assertNoStore(alone);
        Path other = temporary.resolve("other");
        TenantKeys keys = TenantKeys.generate("acme", EpochPolicy.MONTHLY, new byte[0], RANDOM, NOW);
        KeyFolder.create(other, keys, PASSPHRASE, CHEAP, RANDOM).close();
        Files.copy(file(), other.resolve(KeyFolder.KEY_FILE), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertNoStore(other);
    }

    private static void assertNoStore(Path folder) throws Exception {
        try (KeyFolder read = KeyFolder.open(folder, PASSPHRASE, Access.READ, RANDOM)) {
            assertThatThrownBy(read::trapdoors).isInstanceOfSatisfying(KeyFileException.class, e -> {
                assertThat(e.reason()).isEqualTo(Reason.TRAPDOORS_MISSING);
                assertThat(e.getMessage()).contains("backup").contains("--lost-trapdoors");
            });
        }
    }

    @Test
    void lossOfTheStoreMakesNewIndexKeysAndStillOpens() throws Exception {
        Envelope before = SealedWord.of(folder, "overheat");
        Files.delete(folder.resolve("trapdoors/store-id"));
        assertNoStore(folder);
        try (KeyFolder change = open(Access.CHANGE)) {
            change.replaceIndexKeysAfterLoss(RANDOM, NOW);
        }
        try (KeyFolder read = open(Access.READ);
                FileTrapdoorStore store = read.trapdoors()) {
            assertThat(read.keys().opener().open(before)).hasSize(2);
            SearchRequest request = SealedWord.request(read, store, "overheat");
            assertThat(SealedWord.found(request, before)).isEmpty();
            assertThat(SealedWord.found(request, SealedWord.of(folder, "overheat")))
                    .containsExactly(1);
        }
    }

    @Test
    void secretsAreNotPrinted() throws Exception {
        try (KeyFolder read = open(Access.READ)) {
            assertThat(read.keys().toString()).isEqualTo("TenantKeys[hidden, of acme]");
        }
    }

    @Test
    void epochsAreThoseOfThePolicy() {
        assertThat(EpochPolicy.MONTHLY.parse("2026-11")).containsExactly("2026-11");
        assertThat(EpochPolicy.MONTHLY.parse("2026-11..2027-02,2026-12, 2024-01"))
                .containsExactly("2026-11", "2026-12", "2027-01", "2027-02", "2024-01");
        assertThat(EpochPolicy.DAILY.parse("2024-02-28..2024-03-01"))
                .containsExactly("2024-02-28", "2024-02-29", "2024-03-01");
        assertThat(EpochPolicy.YEARLY.at(NOW).name()).isEqualTo("2026");
        for (String bad : List.of("", "2026-13", "2026-11-21", "2026-12..2026-11", "0001-01..9999-12", "x")) {
            assertThatIllegalArgumentException().isThrownBy(() -> EpochPolicy.MONTHLY.parse(bad));
        }
    }
}
