package dev.veilgate.authority;

import dev.veilgate.authority.BackupCipher.BackupDamagedException;
import dev.veilgate.authority.KeyFileException.Reason;
import dev.veilgate.encoding.CborSequence;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.secret.Exercises;
import dev.veilgate.secret.Power;
import dev.veilgate.secret.Secret;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;

/**
 * A backup of all that a key folder holds, keys, issued trapdoors and issuing log, under a random key of which several people have a share each. Some of them together restore it,
 * without the passphrase; fewer can do nothing, whatever they can compute.
 *
 * <pre>
 *   file = header ({@link BackupHeader}) || chunks ({@link BackupCipher}) of [ path: tstr, bytes: bstr ] ...
 * </pre>
 *
 * <p>The file alone is safe wherever it is kept. Whoever has it and enough shares has the keys. What was issued after the backup is not in it: docs/authority.md says what that
 * means.
 */
@Secret
public final class KeyBackup {
    private final BackupHeader header;
    private final List<KeyShare> shares;

    private KeyBackup(BackupHeader header, List<KeyShare> shares) {
        this.header = header;
        this.shares = shares;
    }

    /** Whose keys they are. */
    public String tenant() {
        return header.tenant();
    }

    /** When it was made. */
    public Instant created() {
        return Instant.ofEpochSecond(header.created());
    }

    /** The shares to hand out; close them when that is done. */
    public List<KeyShare> shares() {
        return shares;
    }

    /**
     * Writes a backup, durably, readable by its owner only.
     *
     * @param folder    opened to be changed, so that nobody else changes it meanwhile
     * @param store     its store of trapdoors, open, so that no other process issues meanwhile; what this one issues meanwhile may be in it or not
     * @param file      must not be there yet
     * @param threshold how many shares restore, 2 or more
     * @param count     how many shares, up to 16
     * @throws IllegalArgumentException for such numbers as cannot be
     */
    @Exercises(Power.ISSUE_KEYS)
    public static KeyBackup create(
            KeyFolder folder,
            FileTrapdoorStore store,
            Path file,
            int threshold,
            int count,
            SecureRandom random,
            Instant now)
            throws IOException {
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        store.find(new byte[FileTrapdoorStore.NAME_BYTES]); // fails if it is closed
        try (SplitKey key = SplitKey.fresh(folder.keys().tenant(), threshold, count, now, random)) {
            write(folder, file, key.header(), key.cipher());
            return new KeyBackup(key.header(), key.shares());
        }
    }

    /** @throws IllegalArgumentException for numbers of shares that {@link #create} refuses */
    public static void requireShares(int threshold, int count) {
        ShamirSharing.check(threshold, count);
    }

    private static void write(KeyFolder folder, Path file, BackupHeader header, BackupCipher cipher)
            throws IOException {
        Path absolute = file.toAbsolutePath();
        Path parent = DurableFiles.folderOf(absolute);
        Path aside = parent.resolve("." + absolute.getFileName() + "~.tmp");
        Files.deleteIfExists(aside);
        DurableFiles.replace(parent, aside.getFileName().toString(), null, header.encode(cipher.check()));
        try {
            try (OutputStream out = new BufferedOutputStream(
                            Files.newOutputStream(aside, java.nio.file.StandardOpenOption.APPEND), 1 << 17);
                    OutputStream sealing = cipher.sealing(out)) {
                BackupContent.write(folder, sealing);
            }
            DurableFiles.force(aside);
            Files.move(aside, absolute, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
            DurableFiles.forceFolder(parent);
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    /** What a restored folder was made from. */
    public record Restored(String tenant, Instant created, List<Integer> wrongShares) {}

    /**
     * Makes a key folder from a backup. It appears when it is whole.
     *
     * @param shares     at least as many different ones as are needed; with more, altered ones are found out and passed over
     * @param folder     must not be there yet
     * @param passphrase of the new folder; the caller wipes it
     * @throws KeyFileException           if the shares do not open the backup, or it is damaged
     * @throws MalformedEncodingException if it is none
     */
    @Exercises(Power.KEEP_KEYS)
    public static Restored restore(
            Path file, List<KeyShare> shares, Path folder, byte[] passphrase, PassphraseCost cost, SecureRandom random)
            throws IOException, KeyFileException, MalformedEncodingException {
        if (Files.exists(folder)) {
            throw new FileAlreadyExistsException(folder.toString());
        }
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 17)) {
            byte[] bytes = new CborSequence("backup", in, BackupHeader.MAX_BYTES)
                    .next()
                    .orElseThrow(() -> new KeyFileException(Reason.DAMAGED, file + " is empty"));
            BackupHeader.Read read = BackupHeader.decode(bytes);
            BackupKey key = new BackupKey(read.header(), read.check());
            List<Integer> wrong;
            try (BackupCipher cipher = key.open(shares);
                    InputStream content = cipher.opening(in)) {
                wrong = key.wrong(shares);
                BackupContent.restore(content, folder, passphrase, cost, random);
            } catch (BackupDamagedException e) {
                throw new KeyFileException(Reason.DAMAGED, file + ": " + e.getMessage() + "; use another copy of it");
            }
            return new Restored(
                    read.header().tenant(), Instant.ofEpochSecond(read.header().created()), wrong);
        }
    }
}
