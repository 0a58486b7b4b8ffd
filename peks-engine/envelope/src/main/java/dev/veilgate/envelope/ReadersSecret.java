package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import dev.veilgate.secret.Secret;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Where the keys come from that the readers of a pair share, which only the authority has. A reader is given those of
 * its epochs. They are derived from a root of 32 bytes, so that there is one for every epoch that ever comes and
 * nothing more to keep:
 *
 * <pre>
 *   seed of an epoch = HKDF-SHA-256(salt = id of the scheme's public key, root, "veilgate/readers/epoch/1" || epoch,
 *   32),   each text behind its length in a byte
 * </pre>
 *
 * <p>The root is used for nothing else. HKDF is a pseudorandom function of it, and the info names one epoch only (no
 * two give the same bytes): whoever has the seeds of any epochs learns nothing of the others. A seed is what every
 * {@link WrapAlgorithm} asks for, 32 uniform bytes.
 *
 * <p>Pairs that were made before keys had epochs have one key for all of them. Never printed; {@link #close} erases it.
 * Safe for use by several threads, save that nobody may use it while it is closed.
 */
@Secret
public final class ReadersSecret implements AutoCloseable {
    private static final int VERSION_SHARED = 1;
    private static final int VERSION_BY_EPOCH = 2;
    private static final int VERSION_BY_EPOCH_OF_FRODOKEM = 4;
    private static final int SECRET_BYTES = 32;
    private static final String LABEL = "veilgate/readers/epoch/1";

    private final int version;
    private final byte[] secret;
    private volatile boolean closed;

    private ReadersSecret(int version, byte[] secret) {
        this.version = version;
        this.secret = secret;
    }

    /** A fresh one, with a key of X-Wing for each epoch; draws 32 bytes. */
    public static ReadersSecret generate(SecureRandom random) {
        return generate(WrapAlgorithm.X_WING, random);
    }

    /** A fresh one, with a key for each epoch; draws 32 bytes. */
    public static ReadersSecret generate(WrapAlgorithm algorithm, SecureRandom random) {
        byte[] root = new byte[SECRET_BYTES];
        random.nextBytes(root);
        return new ReadersSecret(
                switch (algorithm) {
                    case X_WING -> VERSION_BY_EPOCH;
                    case X25519_FRODOKEM_976 -> VERSION_BY_EPOCH_OF_FRODOKEM;
                },
                root);
    }

    /**
     * The inverse of {@link #encode}. The encoding of a {@link KemSecretKey} is one key for all epochs.
     *
     * @throws MalformedEncodingException naming what is wrong
     */
    public static ReadersSecret decode(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("readers-secret", bytes);
        int version = in.uint8("version");
        if (version != VERSION_SHARED && version != VERSION_BY_EPOCH && version != VERSION_BY_EPOCH_OF_FRODOKEM) {
            throw new MalformedEncodingException("readers-secret.version", "must be 1, 2 or 4; update the software");
        }
        byte[] secret = in.bytes("secret", SECRET_BYTES);
        in.end();
        return new ReadersSecret(version, secret);
    }

    /**
     * Version (1: one key of X-Wing for all epochs, 2: one for each, 4: one of X25519 and FrodoKEM-976 for each), then
     * its seed or the root; in clear: the caller protects and erases it.
     */
    public byte[] encode() {
        requireOpen();
        return new ByteWriter(1 + SECRET_BYTES).uint8(version).bytes(secret).toByteArray();
    }

    /** The algorithm of the keys. */
    public WrapAlgorithm algorithm() {
        return version == VERSION_BY_EPOCH_OF_FRODOKEM ? WrapAlgorithm.X25519_FRODOKEM_976 : WrapAlgorithm.X_WING;
    }

    /** Whether each epoch has a key of its own. */
    public boolean isByEpoch() {
        return version != VERSION_SHARED;
    }

    /**
     * The key of an epoch; closed by the caller.
     *
     * @param scheme id of the public key of the attribute-based scheme in the pair
     * @param epoch  empty for the key that names the pair, which nothing is sealed with if there is one for each epoch
     */
    public KemSecretKey of(KeyId scheme, String epoch) {
        requireOpen();
        byte[] seed = isByEpoch() ? derived(scheme, epoch) : secret.clone();
        try {
            return KemSecretKey.ofSeed(algorithm(), seed);
        } finally {
            Arrays.fill(seed, (byte) 0);
        }
    }

    private byte[] derived(KeyId scheme, String epoch) {
        byte[] info = new ByteWriter(64 + epoch.length())
                .shortString(LABEL)
                .shortString(epoch)
                .toByteArray();
        return Hashes.hkdf(scheme.toBytes(), secret, info, SECRET_BYTES);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the key is erased");
        }
    }

    /** Erases it; it cannot be used any more. */
    @Override
    public void close() {
        closed = true;
        Arrays.fill(secret, (byte) 0);
    }

    @Override
    public String toString() {
        return "ReadersSecret[hidden]";
    }
}
