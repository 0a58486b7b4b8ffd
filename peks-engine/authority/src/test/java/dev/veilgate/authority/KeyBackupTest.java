package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.authority.KeyFileException.Reason;
import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.random.TestSeed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A key folder, given up to shares and brought back; what too few, mixed and altered shares do. */
class KeyBackupTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final byte[] NEW_PASSPHRASE = "battery horse correct".getBytes(StandardCharsets.UTF_8);
    private static final TestSeed SEED = TestSeed.of(KeyBackupTest.class);

    @TempDir
    private Path temporary;

    private Path keys;
    private Path file;
    private Path restored;
    private SearchRequest issued;
    private Envelope sealed;
    private List<KeyShare> shares;

    @BeforeEach
    void makeBackup() throws Exception {
        keys = SealedWord.keys(temporary);
        file = temporary.resolve("acme.vgbackup");
        restored = temporary.resolve("restored");
        sealed = SealedWord.of(keys, "overheat");
        try (KeyFolder folder = SealedWord.open(keys, Access.CHANGE);
                FileTrapdoorStore store = folder.trapdoors()) {
            issued = SealedWord.request(folder, store, "overheat");
            try (IssuingLog log = log(folder)) {
                log.append(LogDraft.of(EntryKind.TRAPDOOR, "ada"));
            }
            shares = backup(folder, store, file, 3, 5);
        }
    }

    private static IssuingLog log(KeyFolder folder) throws IOException {
        return AuthorityLog.open(folder, HeadPolicy.DEFAULT, Clock.fixed(SealedWord.NOW, ZoneOffset.UTC), RANDOM);
    }

    private static List<KeyShare> backup(KeyFolder folder, FileTrapdoorStore store, Path file, int t, int n)
            throws IOException {
        return KeyBackup.create(folder, store, file, t, n, RANDOM, SealedWord.NOW)
                .shares();
    }

    private KeyBackup.Restored restore(KeyShare... chosen) throws Exception {
        return KeyBackup.restore(file, List.of(chosen), restored, NEW_PASSPHRASE, SealedWord.CHEAP, RANDOM);
    }

    private KeyShare share(int index) {
        return shares.get(index - 1);
    }

    private void assertRefused(String why, KeyShare... chosen) {
        assertThatThrownBy(() -> restore(chosen))
                .hasMessageContaining(why)
                .isInstanceOfSatisfying(
                        KeyFileException.class, e -> assertThat(e.reason()).isEqualTo(Reason.SHARES));
        assertThat(restored).doesNotExist();
    }

    @Test
    void keysTrapdoorsAndLogComeBackWithoutThePassphrase() throws Exception {
        KeyBackup.Restored result = restore(share(5), share(1), share(3));
        assertThat(result).isEqualTo(new KeyBackup.Restored("acme", SealedWord.NOW, List.of()));
        try (KeyFolder folder = KeyFolder.open(restored, NEW_PASSPHRASE, Access.CHANGE, RANDOM);
                KeyFolder original = SealedWord.open(keys, Access.READ);
                FileTrapdoorStore store = folder.trapdoors();
                IssuingLog log = log(folder)) {
            assertThat(folder.keys().authority()).isEqualTo(original.keys().authority());
            assertThat(TenantKeysCodec.encode(folder.keys())).isEqualTo(TenantKeysCodec.encode(original.keys()));
            assertThat(folder.keys().mailSigner().orElseThrow().privateKey())
                    .isEqualTo(original.keys().mailSigner().orElseThrow().privateKey());
            assertThat(folder.keys().mailSigners()).isEqualTo(original.keys().mailSigners());
            assertThat(log.size()).isEqualTo(1);
            SearchRequest again = SealedWord.request(folder, store, "overheat");
            assertThat(again.digests()).isEqualTo(issued.digests());
            assertThat(SealedWord.found(again, sealed)).containsExactly(1);
        }
        try (Stream<Path> all = Files.walk(keys.resolve("trapdoors"))) {
            for (Path path : all.filter(Files::isRegularFile)
                    .filter(p -> !p.endsWith("lock"))
                    .toList()) {
                assertThat(restored.resolve(keys.relativize(path))).hasSameBinaryContentAs(path);
            }
        }
        assertThatThrownBy(() -> KeyFolder.open(restored, SealedWord.PASSPHRASE, Access.READ, RANDOM))
                .isInstanceOf(KeyFileException.class);
    }

    /** As in the console: the log stays open, and goes on. */
    @Test
    void aLogIsTakenAlongWhileItIsOpen() throws Exception {
        Path second = temporary.resolve("second");
        try (KeyFolder folder = SealedWord.open(keys, Access.CHANGE);
                FileTrapdoorStore store = folder.trapdoors();
                IssuingLog log = log(folder)) {
            long place = log.append(LogDraft.of(EntryKind.TRAPDOOR, "ada"));
            assertThat(folder.keys()
                            .granted(issued, "ada", SealedWord.NOW.plusSeconds(60), place)
                            .grant()
                            .orElseThrow()
                            .logIndex())
                    .isEqualTo(2);
            shares = backup(folder, store, second, 2, 2);
            log.append(LogDraft.of(EntryKind.BACKUP, "ada"));
        }
        file = second;
        restore(share(1), share(2));
        try (KeyFolder folder = KeyFolder.open(restored, NEW_PASSPHRASE, Access.READ, RANDOM);
                IssuingLog log = log(folder)) {
            assertThat(log.size()).isEqualTo(2);
        }
    }

    @Test
    void nothingOfItCanBeReadByOthers() throws Exception {
        restore(share(1), share(2), share(3));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (Stream<Path> all = Files.walk(restored)) {
            for (Path path : all.toList()) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                        .as(path.toString())
                        .endsWith("------");
            }
        }
    }

    @Test
    void tooFewSharesAreRefused() {
        assertRefused("needs 3 different shares, and 2", share(1), share(2));
        assertRefused("needs 3 different shares, and 2", share(1), share(2), share(2));
        assertRefused("and 0");
    }

    @Test
    void aShareOfAnotherBackupIsNamed() throws Exception {
        List<KeyShare> other;
        try (KeyFolder folder = SealedWord.open(keys, Access.CHANGE);
                FileTrapdoorStore store = folder.trapdoors()) {
            other = backup(folder, store, temporary.resolve("other"), 3, 5);
        }
        assertRefused("share 2 is of another backup", share(1), other.get(1), share(3));
        assertRefused("needs 3", share(1), share(2));
    }

    private KeyShare altered(int index) {
        byte[] value = share(index).value().clone();
        value[7] ^= 1;
        return new KeyShare(java.util.HexFormat.of().parseHex(share(index).backupId()), 3, 5, index, value);
    }

    @Test
    void anAlteredShareIsNamedOnceThereIsOneMore() throws Exception {
        assertRefused("at least one was altered", share(1), altered(2), share(3));
        assertRefused("two shares 2", share(1), altered(2), share(2));
        assertRefused("at least one was altered", share(1), altered(2), share(3), altered(4));
        assertThat(restore(share(1), altered(2), share(3), share(4)).wrongShares())
                .containsExactly(2);
    }

    @Test
    void aDamagedBackupIsRefusedAndLeavesNothing() throws Exception {
        byte[] good = Files.readAllBytes(file);
        SplittableRandom random = SEED.random("damage");
        for (int round = 0; round < 60; round++) {
            byte[] bad = round % 3 == 0 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
            if (round % 3 != 0) {
                bad[random.nextInt(good.length)] ^= (byte) (1 << random.nextInt(8));
            }
            Files.write(file, bad);
            assertThatThrownBy(() -> restore(share(1), share(2), share(3)))
                    .isInstanceOfAny(KeyFileException.class, MalformedEncodingException.class);
            assertThat(restored).doesNotExist();
        }
        Files.write(file, Arrays.copyOf(good, good.length + 1));
        assertThatThrownBy(() -> restore(share(1), share(2), share(3))).isInstanceOf(KeyFileException.class);
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("keys", "acme.vgbackup");
        }
    }

    @Test
    void nothingIsOverwritten() throws Exception {
        Files.createDirectory(restored);
        assertThatThrownBy(() -> restore(share(1), share(2), share(3))).isInstanceOf(FileAlreadyExistsException.class);
        try (KeyFolder folder = SealedWord.open(keys, Access.CHANGE);
                FileTrapdoorStore store = folder.trapdoors()) {
            assertThatThrownBy(() -> backup(folder, store, file, 2, 2)).isInstanceOf(FileAlreadyExistsException.class);
            assertThatIllegalArgumentException().isThrownBy(() -> backup(folder, store, temporary.resolve("x"), 1, 2));
        }
    }

    @Test
    void aClosedStoreIsNoBackup() throws Exception {
        try (KeyFolder folder = SealedWord.open(keys, Access.CHANGE)) {
            FileTrapdoorStore store = folder.trapdoors();
            store.close();
            assertThatThrownBy(() -> backup(folder, store, temporary.resolve("x"), 2, 2))
                    .isInstanceOf(IOException.class);
        }
    }

    /** Longer than a piece and than many chunks. */
    @Test
    void manyTrapdoorsComeBack() throws Exception {
        Path large = temporary.resolve("large.vgbackup");
        try (KeyFolder folder = SealedWord.open(keys, Access.CHANGE);
                FileTrapdoorStore store = folder.trapdoors()) {
            for (int i = 0; i < 60; i++) {
                byte[] name = new byte[TrapdoorStore.NAME_BYTES];
                name[0] = (byte) (i % 7);
                name[31] = (byte) i;
                store.storeIfAbsent(name, new byte[40_000 + i]);
            }
            shares = backup(folder, store, large, 2, 3);
        }
        file = large;
        restore(share(3), share(1));
        try (Stream<Path> before = Files.walk(keys.resolve("trapdoors"));
                Stream<Path> after = Files.walk(restored.resolve("trapdoors"))) {
            assertThat(after.filter(Files::isRegularFile).count())
                    .isEqualTo(before.filter(Files::isRegularFile).count() - 1); // without the lock
        }
    }

    @Test
    void aBackupCutBetweenTwoChunksIsRefused() throws Exception {
        byte[] content = new byte[3 * BackupCipher.CHUNK_BYTES];
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        try (BackupCipher cipher = new BackupCipher(new byte[32], new byte[0])) {
            try (OutputStream out = cipher.sealing(sealed)) {
                out.write(content);
            }
            int chunk = BackupCipher.CHUNK_BYTES + 16;
            assertThat(sealed.size()).isEqualTo(3 * chunk);
            assertThat(cipher.opening(new ByteArrayInputStream(sealed.toByteArray()))
                            .readAllBytes())
                    .isEqualTo(content);
            for (int chunks = 0; chunks < 3; chunks++) {
                byte[] cut = Arrays.copyOf(sealed.toByteArray(), chunks * chunk);
                assertThatThrownBy(() ->
                                cipher.opening(new ByteArrayInputStream(cut)).readAllBytes())
                        .isInstanceOf(BackupCipher.BackupDamagedException.class);
            }
            byte[] swapped = sealed.toByteArray();
            System.arraycopy(sealed.toByteArray(), 0, swapped, chunk, chunk);
            assertThatThrownBy(() ->
                            cipher.opening(new ByteArrayInputStream(swapped)).readAllBytes())
                    .isInstanceOf(BackupCipher.BackupDamagedException.class);
        }
    }

    @Test
    void aPrintedShareIsTypedInAgain() throws Exception {
        List<KeyShare> typed = new ArrayList<>();
        for (KeyShare share : shares) {
            String text = share.text("acme");
            assertThat(text).contains("tenant  acme", share.index() + " of 5; any 3");
            typed.add(KeyShare.parse(text.toLowerCase(java.util.Locale.ROOT)
                    .replace('0', 'o')
                    .replace('1', 'l')
                    .replace("l:", "1:")));
        }
        assertThat(restore(typed.get(1), typed.get(2), typed.get(4)).wrongShares())
                .isEmpty();
    }

    /** Fixed bytes: of random ones, two bytes of check let one slip in 65,536 pass, and here are eighty. */
    private static KeyShare printed(int index) {
        byte[] id = new byte[KeyShare.ID_BYTES];
        byte[] value = new byte[KeyShare.VALUE_BYTES];
        new SplittableRandom(0).nextBytes(id);
        new SplittableRandom(index).nextBytes(value);
        return new KeyShare(id, 3, 5, index, value);
    }

    @Test
    void aSlipIsFoundInItsLine() throws Exception {
        String text = printed(1).text("acme");
        for (int line = 1; line <= 4; line++) {
            int from = text.indexOf("\n" + line + ":") + 3;
            for (int at = from; at < from + 30; at++) {
                char c = text.charAt(at);
                if (c == ' ') {
                    continue;
                }
                String slip = text.substring(0, at) + (c == 'A' ? 'B' : 'A') + text.substring(at + 1);
                String field = "line " + line;
                assertThatThrownBy(() -> KeyShare.parse(slip))
                        .isInstanceOf(MalformedEncodingException.class)
                        .hasMessageContaining(field);
            }
        }
        String mixed = text.substring(0, text.indexOf("\n3:"))
                + printed(2).text("acme").substring(printed(2).text("acme").indexOf("\n3:"));
        assertThatThrownBy(() -> KeyShare.parse(mixed)).hasMessageContaining("line 3");
        assertThatThrownBy(() -> KeyShare.parse(text.substring(0, text.indexOf("\n4:"))))
                .hasMessageContaining("line 4");
        assertThatThrownBy(() -> KeyShare.parse("")).hasMessageContaining("line 1");
        assertThatThrownBy(() -> KeyShare.parse("x".repeat(1 << 20))).isInstanceOf(MalformedEncodingException.class);
        assertThat(printed(1).toString())
                .doesNotContain(text.substring(text.indexOf("1: ") + 3, text.indexOf("1: ") + 7));
    }
}
