package dev.veilgate.authority;

import dev.veilgate.authority.KeyFileException.Reason;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals the content of a key file under a passphrase.
 *
 * <pre>{@code
 * file   = header || ciphertext || SHA-256(header || ciphertext)
 * header = [ "veilgate-keys", version, "argon2id", memory in KiB, passes, lanes, salt: bstr 16, nonce: bstr 12, ciphertext's length ]
 * ciphertext = AES-256-GCM(Argon2id(passphrase, salt), nonce, content; associated data: header)
 * }</pre>
 *
 * <p>Gives secrecy and integrity of the content against whoever does not know the passphrase, at the cost of {@link PassphraseCost} a guess. The digest is no
 * protection: it tells an accident (damaged) from a wrong passphrase, and says nothing that the ciphertext does not say.
 *
 * <p>The key is derived once and kept, with its salt, while a folder is open; each sealing draws a fresh nonce of 96 bits.
 */
@Secret
final class PassphraseLock implements AutoCloseable {
    /** Most bytes of a key file. */
    static final int MAX_FILE_BYTES = 64 << 20;
    /** More than header, tag and checksum have. */
    private static final int MOST_ROUND_CONTENT_BYTES = 1024;

    static final String MAGIC = "veilgate-keys";
    private static final int VERSION = 1;
    private static final int LAST_VERSION = 2;
    private static final String KDF = "argon2id";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;
    private static final int DIGEST_BYTES = 32;

    private final PassphraseCost cost;
    private final byte[] salt;
    private final byte[] key;
    private boolean closed;

    private PassphraseLock(PassphraseCost cost, byte[] salt, byte[] key) {
        this.cost = cost;
        this.salt = salt;
        this.key = key;
    }

    /** A lock with a fresh salt; draws 16 bytes. */
    static PassphraseLock fresh(byte[] passphrase, PassphraseCost cost, SecureRandom random) {
        byte[] salt = new byte[PassphraseCost.SALT_BYTES];
        random.nextBytes(salt);
        return new PassphraseLock(cost, salt, cost.derive(passphrase, salt));
    }

    /** What opening gives: the lock to seal with again, and the content for the caller to wipe. */
    record Opened(PassphraseLock lock, byte[] content) {}

    /** A header as read. */
    private record Header(PassphraseCost cost, byte[] salt, byte[] nonce, byte[] bytes, byte[] ciphertext) {}

    /** The sealed file, of version 1; draws 12 bytes. */
    byte[] seal(byte[] content, SecureRandom random) {
        return seal(VERSION, content, random);
    }

    /**
     * The sealed file; draws 12 bytes.
     *
     * @param version 1, or 2 for a content that software of before does not read, which then says so before it asks
     * @throws IllegalArgumentException if {@link #open} would refuse it for its length
     */
    byte[] seal(int version, byte[] content, SecureRandom random) {
        if (closed) {
            throw new IllegalStateException("the key is erased");
        }
        if (content.length > MAX_FILE_BYTES - MOST_ROUND_CONTENT_BYTES) {
            throw new IllegalArgumentException(
                    "a key file has at most " + (MAX_FILE_BYTES >> 20) + " MiB, and a longer one could not be read");
        }
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] header = header(version, nonce, content.length + TAG_BYTES);
        try {
            byte[] ciphertext = cipher(Cipher.ENCRYPT_MODE, key, nonce, header).doFinal(content);
            byte[] file = Arrays.copyOf(header, header.length + ciphertext.length + DIGEST_BYTES);
            System.arraycopy(ciphertext, 0, file, header.length, ciphertext.length);
            byte[] digest = digest(file, file.length - DIGEST_BYTES);
            System.arraycopy(digest, 0, file, file.length - DIGEST_BYTES, DIGEST_BYTES);
            return file;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks AES-GCM", e);
        }
    }

    private byte[] header(int version, byte[] nonce, int ciphertextBytes) {
        return new CborWriter(96)
                .array(9)
                .text(MAGIC)
                .integer(version)
                .text(KDF)
                .integer(cost.memoryKiB())
                .integer(cost.iterations())
                .integer(cost.lanes())
                .bytes(salt)
                .bytes(nonce)
                .integer(ciphertextBytes)
                .toByteArray();
    }

    /**
     * Opens a sealed file. Damage is found before any memory is taken for Argon2id, and Argon2id's parameters are bounded.
     *
     * @throws MalformedEncodingException if it is no key file, or one with other parameters than are allowed
     */
    static Opened open(byte[] file, byte[] passphrase) throws KeyFileException, MalformedEncodingException {
        if (file.length < DIGEST_BYTES
                || !MessageDigest.isEqual(
                        digest(file, file.length - DIGEST_BYTES),
                        Arrays.copyOfRange(file, file.length - DIGEST_BYTES, file.length))) {
            throw new KeyFileException(
                    Reason.DAMAGED, "the key file is damaged: its checksum is wrong; restore it from a backup");
        }
        Header header = readHeader(file);
        byte[] key = header.cost.derive(passphrase, header.salt);
        try {
            byte[] content =
                    cipher(Cipher.DECRYPT_MODE, key, header.nonce, header.bytes).doFinal(header.ciphertext);
            return new Opened(new PassphraseLock(header.cost, header.salt, key), content);
        } catch (AEADBadTagException e) {
            Arrays.fill(key, (byte) 0);
            throw new KeyFileException(Reason.WRONG_PASSPHRASE, "wrong passphrase (or somebody altered the key file)");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks AES-GCM", e);
        }
    }

    private static Header readHeader(byte[] file) throws MalformedEncodingException {
        CborReader in = new CborReader("key-file", file, 0, file.length - DIGEST_BYTES);
        if (in.array("header", 9) != 9 || !in.text("magic", MAGIC.length()).equals(MAGIC)) {
            throw in.malformed("magic", "must be " + MAGIC);
        }
        int version = in.uint("version", Integer.MAX_VALUE);
        if (version < VERSION || version > LAST_VERSION) {
            throw in.malformed("version", "must be 1 or 2; update the software to read a later one");
        }
        if (!in.text("kdf", 32).equals(KDF)) {
            throw in.malformed("kdf", "must be " + KDF);
        }
        PassphraseCost cost = PassphraseCost.ofUntrusted(
                in.uint("memory", Integer.MAX_VALUE),
                in.uint("passes", Integer.MAX_VALUE),
                in.uint("lanes", Integer.MAX_VALUE));
        byte[] salt = in.fixedBytes("salt", PassphraseCost.SALT_BYTES);
        byte[] nonce = in.fixedBytes("nonce", NONCE_BYTES);
        int length = in.uint("length", MAX_FILE_BYTES);
        if (length != in.remaining() || length < TAG_BYTES) {
            throw in.malformed("length", "must be that of the ciphertext");
        }
        int at = in.position();
        return new Header(cost, salt, nonce, Arrays.copyOf(file, at), Arrays.copyOfRange(file, at, at + length));
    }

    private static Cipher cipher(int mode, byte[] key, byte[] nonce, byte[] header) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(8 * TAG_BYTES, nonce));
        cipher.updateAAD(header);
        return cipher;
    }

    private static byte[] digest(byte[] bytes, int length) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(bytes, 0, length);
            return sha.digest();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    /** Erases the key. */
    @Override
    public void close() {
        closed = true;
        Arrays.fill(key, (byte) 0);
    }

    @Override
    public String toString() {
        return "PassphraseLock[hidden, " + cost + "]";
    }
}
