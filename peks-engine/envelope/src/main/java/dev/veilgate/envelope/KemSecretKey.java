package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * X25519 + ML-KEM-768 secret key: an X-Wing seed of 32 bytes. Whoever has it opens every envelope that was wrapped for it.
 *
 * <p>Never printed; equality takes constant time; {@link #close} erases it. Safe for use by several threads, save that nobody may
 * use it while it is closed.
 */
@Secret
public final class KemSecretKey implements AutoCloseable {
    private static final int VERSION = 1;

    private final byte[] seed;
    private final XWing.DecapsulationKey expanded;
    private final KemPublicKey publicKey;
    private volatile boolean closed;

    private KemSecretKey(byte[] seed) {
        this.seed = seed;
        this.expanded = new XWing.DecapsulationKey(seed);
        this.publicKey = new KemPublicKey(expanded.publicKey());
    }

    /** A fresh key; draws 32 bytes. */
    public static KemSecretKey generate(SecureRandom random) {
        byte[] seed = new byte[XWing.SEED_BYTES];
        random.nextBytes(seed);
        return new KemSecretKey(seed);
    }

    /** @param seed 32 bytes, copied */
    static KemSecretKey ofSeed(byte[] seed) {
        return new KemSecretKey(seed.clone());
    }

    /** The same key again, closed by itself. */
    KemSecretKey copy() {
        requireOpen();
        return ofSeed(seed);
    }

    /** The public key that belongs to it. */
    public KemPublicKey publicKey() {
        return publicKey;
    }

    /** Version (1), then the seed; in clear: the caller protects and erases it. */
    public byte[] encode() {
        requireOpen();
        return new ByteWriter(33).uint8(VERSION).bytes(seed).toByteArray();
    }

    /** The inverse of {@link #encode}. */
    public static KemSecretKey decode(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("kem-secret-key", bytes);
        in.expect("version", VERSION);
        byte[] seed = in.bytes("seed", XWing.SEED_BYTES);
        in.end();
        return new KemSecretKey(seed);
    }

    byte[] decapsulate(byte[] ciphertext) {
        requireOpen();
        return expanded.decapsulate(ciphertext);
    }

    /** Erases the key; it cannot be used any more. */
    @Override
    public void close() {
        closed = true;
        Arrays.fill(seed, (byte) 0);
        expanded.destroy();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the key is erased");
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KemSecretKey that && MessageDigest.isEqual(seed, that.seed);
    }

    @Override
    public int hashCode() {
        return publicKey.hashCode();
    }

    @Override
    public String toString() {
        return "KemSecretKey[hidden, of " + publicKey.id() + "]";
    }
}
