package dev.veilgate.authority;

import dev.veilgate.authority.KeyFileException.Reason;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborSequence;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * A backup of one small secret, such as the key of an archive, in one of two forms: sealed by a passphrase, or under a
 * random key of which several people have a share each.
 *
 * <pre>
 *   content = [ "veilgate-secret", 1, what: tstr, secret: bstr ]      what: whose it is, such as "archive 01ab..."
 *   sealed  = content as {@link PassphraseLock} seals it
 *   shared  = header ({@link BackupHeader}, what in place of the tenant) || chunks ({@link BackupCipher}) of content
 * </pre>
 *
 * <p>A sealed one is as safe as its passphrase is hard to guess, at the cost of {@link PassphraseCost} a guess. A
 * shared one is safe wherever it is kept, as long as fewer shares than are needed are with it.
 */
@Secret
public final class SecretBackup {
    /** Most bytes of a secret. */
    public static final int MAX_SECRET_BYTES = 1 << 12;

    /** Most bytes of a backup. */
    public static final int MAX_BYTES = 1 << 14;

    private static final String MAGIC = "veilgate-secret";
    private static final int VERSION = 1;
    private static final int MAX_WHAT_BYTES = 255;

    private SecretBackup() {}

    /** Form of a backup. */
    public enum Form {
        /** By a passphrase. */
        SEALED,
        /** Under shares. */
        SHARED,
        /** No backup. */
        NONE
    }

    /** The form of a file, as it begins; what it is a backup of is not looked at. */
    public static Form form(byte[] file) {
        try {
            CborReader in = new CborReader("backup", file);
            in.array("header", 9);
            String magic = in.nextIsText() ? in.text("magic", 64) : "";
            return switch (magic) {
                case PassphraseLock.MAGIC -> Form.SEALED;
                case BackupHeader.MAGIC -> Form.SHARED;
                default -> Form.NONE;
            };
        } catch (MalformedEncodingException e) {
            return Form.NONE;
        }
    }

    /**
     * Seals a secret by a passphrase.
     *
     * @param passphrase UTF-8; the caller wipes it, and the secret
     * @throws IllegalArgumentException if the secret is too long
     */
    public static byte[] seal(String what, byte[] secret, byte[] passphrase, PassphraseCost cost, SecureRandom random) {
        byte[] content = encode(what, secret);
        try (PassphraseLock lock = PassphraseLock.fresh(passphrase, cost, random)) {
            return lock.seal(content, random);
        } finally {
            Arrays.fill(content, (byte) 0);
        }
    }

    /**
     * Opens what {@link #seal} made.
     *
     * @param what whose secret it must be
     * @return the secret, which the caller wipes
     * @throws KeyFileException if the passphrase is wrong, or the backup is damaged
     * @throws MalformedEncodingException if it is a backup of something else, or none
     */
    public static byte[] open(String what, byte[] file, byte[] passphrase)
            throws KeyFileException, MalformedEncodingException {
        PassphraseLock.Opened opened;
        try {
            opened = PassphraseLock.open(file, passphrase);
        } catch (KeyFileException e) {
            throw e.reason() == Reason.WRONG_PASSPHRASE
                    ? new KeyFileException(e.reason(), "wrong passphrase (or somebody altered the backup)")
                    : damaged();
        }
        opened.lock().close();
        try {
            return decode(what, opened.content());
        } finally {
            Arrays.fill(opened.content(), (byte) 0);
        }
    }

    /** A backup under shares, and these; whoever has it closes them. */
    public static final class Shared implements AutoCloseable {
        private final byte[] file;
        private final List<KeyShare> shares;
        private final String what;

        private Shared(byte[] file, List<KeyShare> shares, String what) {
            this.file = file;
            this.shares = shares;
            this.what = what;
        }

        /** The backup. */
        public byte[] file() {
            return file.clone();
        }

        /** The shares to hand out. */
        public List<KeyShare> shares() {
            return shares;
        }

        /** A share in clear, for paper. */
        public String text(KeyShare share) {
            return share.text("of     ", what);
        }

        /** Erases the shares. */
        @Override
        public void close() {
            shares.forEach(KeyShare::close);
        }
    }

    /**
     * Makes a backup under shares.
     *
     * @param secret    the caller wipes it
     * @param threshold how many shares restore, 2 or more
     * @param count     how many shares, up to {@link KeyShare#MAX_SHARES}
     * @throws IllegalArgumentException for such numbers as cannot be, and if the secret is too long
     */
    public static Shared share(String what, byte[] secret, int threshold, int count, Instant now, SecureRandom random) {
        byte[] content = encode(what, secret);
        try (SplitKey key = SplitKey.fresh(what, threshold, count, now, random)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.writeBytes(key.header().encode(key.cipher().check()));
            try (OutputStream sealing = key.cipher().sealing(out)) {
                sealing.write(content);
            }
            return new Shared(out.toByteArray(), key.shares(), what);
        } catch (IOException e) {
            throw new IllegalStateException("memory takes all that is written", e);
        } finally {
            Arrays.fill(content, (byte) 0);
        }
    }

    /**
     * Secret of a backup under shares.
     *
     * @param secret      which the caller wipes
     * @param wrongShares indices of shares that were altered, and not needed
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Restored(byte[] secret, List<Integer> wrongShares) {
        /** Shows no secret. */
        @Override
        public String toString() {
            return "Restored[hidden]";
        }
    }

    /**
     * Opens a backup under shares.
     *
     * @param what   whose secret it must be
     * @param shares at least as many different ones as are needed; with more, altered ones are found out
     * @throws KeyFileException if the shares do not open the backup, or it is damaged
     * @throws MalformedEncodingException if it is a backup of something else, or none
     */
    public static Restored restore(String what, byte[] file, List<KeyShare> shares)
            throws KeyFileException, MalformedEncodingException {
        byte[] content = new byte[0];
        try (InputStream in = new ByteArrayInputStream(file)) {
            BackupHeader.Read read = BackupHeader.decode(new CborSequence("backup", in, BackupHeader.MAX_BYTES)
                    .next()
                    .orElseThrow(SecretBackup::damaged));
            requireSame(what, read.header().tenant());
            BackupKey key = new BackupKey(read.header(), read.check());
            try (BackupCipher cipher = key.open(shares);
                    InputStream opening = cipher.opening(in)) {
                content = opening.readNBytes(MAX_BYTES);
            }
            return new Restored(decode(what, content), key.wrong(shares));
        } catch (IOException e) { // memory gives all that it has
            throw damaged();
        } finally {
            Arrays.fill(content, (byte) 0);
        }
    }

    private static KeyFileException damaged() {
        return new KeyFileException(Reason.DAMAGED, "the backup is damaged or cut off; use another copy of it");
    }

    private static byte[] encode(String what, byte[] secret) {
        if (secret.length > MAX_SECRET_BYTES) {
            throw new IllegalArgumentException("the secret is too long");
        }
        CborWriter out = new CborWriter(secret.length + 300);
        try {
            return out.array(4)
                    .text(MAGIC)
                    .integer(VERSION)
                    .text(what)
                    .bytes(secret)
                    .toByteArray();
        } finally {
            out.wipe();
        }
    }

    private static byte[] decode(String what, byte[] content) throws MalformedEncodingException {
        CborReader in = new CborReader("backup", content);
        if (!begins(in)) {
            throw in.malformed("magic", "must be " + MAGIC + ": it is a backup of other keys");
        }
        if (in.uint("version", Integer.MAX_VALUE) != VERSION) {
            throw in.malformed("version", "must be " + VERSION + "; update the software to read a later one");
        }
        requireSame(what, in.text("what", MAX_WHAT_BYTES));
        byte[] secret = in.bytes("secret", MAX_SECRET_BYTES);
        in.end();
        return secret;
    }

    /** Tells by the first items, for the keys of an authority and of a reader are sealed in the same way. */
    private static boolean begins(CborReader in) {
        try {
            return in.array("content", 4) == 4
                    && in.nextIsText()
                    && in.text("magic", 64).equals(MAGIC);
        } catch (MalformedEncodingException e) {
            return false;
        }
    }

    private static void requireSame(String wanted, String found) throws MalformedEncodingException {
        if (!found.equals(wanted)) {
            throw new MalformedEncodingException(
                    "backup", "must be of " + wanted + ", and is of " + found.replaceAll("\\p{C}", "?"));
        }
    }
}
