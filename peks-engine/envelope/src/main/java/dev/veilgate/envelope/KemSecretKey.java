package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Secret key of a {@link WrapAlgorithm}: a seed of 32 bytes. Whoever has it opens every envelope that was wrapped for
 * it.
 *
 * <p>Never printed; equality takes constant time; {@link #close} erases it. Safe for use by several threads, save that
 * nobody may use it while it is closed.
 */
@Secret
public final class KemSecretKey implements AutoCloseable {
    private final WrapAlgorithm algorithm;
    private final byte[] seed;
    private final HybridSecretKey expanded;
    private final KemPublicKey publicKey;
    private volatile boolean closed;

    private KemSecretKey(WrapAlgorithm algorithm, byte[] seed) {
        this.algorithm = algorithm;
        this.seed = seed;
        this.expanded = algorithm.expand(seed);
        this.publicKey = new KemPublicKey(expanded.publicKey());
    }

    /** A fresh key of X-Wing; draws 32 bytes. */
    public static KemSecretKey generate(SecureRandom random) {
        return generate(WrapAlgorithm.X_WING, random);
    }

    /** A fresh key; draws 32 bytes. */
    public static KemSecretKey generate(WrapAlgorithm algorithm, SecureRandom random) {
        byte[] seed = new byte[WrapAlgorithm.SEED_BYTES];
        random.nextBytes(seed);
        return new KemSecretKey(algorithm, seed);
    }

    /** @param seed 32 bytes, copied */
    static KemSecretKey ofSeed(WrapAlgorithm algorithm, byte[] seed) {
        return new KemSecretKey(algorithm, seed.clone());
    }

    /** The same key again, closed by itself. */
    KemSecretKey copy() {
        requireOpen();
        return ofSeed(algorithm, seed);
    }

    /** The public key that belongs to it. */
    public KemPublicKey publicKey() {
        return publicKey;
    }

    /** Version (1: X-Wing, 3: X25519 and FrodoKEM-976), then the seed; in clear: the caller protects and erases it. */
    public byte[] encode() {
        requireOpen();
        return new ByteWriter(33)
                .uint8(algorithm.secretKeyVersion())
                .bytes(seed)
                .toByteArray();
    }

    /** The inverse of {@link #encode}. */
    public static KemSecretKey decode(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("kem-secret-key", bytes);
        int version = in.uint8("version");
        for (WrapAlgorithm algorithm : WrapAlgorithm.values()) {
            if (algorithm.secretKeyVersion() == version) {
                byte[] seed = in.bytes("seed", WrapAlgorithm.SEED_BYTES);
                in.end();
                return new KemSecretKey(algorithm, seed);
            }
        }
        throw new MalformedEncodingException("kem-secret-key.version", "must be 1 or 3; update the software");
    }

    /** The algorithm that it is a key of. */
    public WrapAlgorithm algorithm() {
        return algorithm;
    }

    /** @param ciphertext of the length that the algorithm has */
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
