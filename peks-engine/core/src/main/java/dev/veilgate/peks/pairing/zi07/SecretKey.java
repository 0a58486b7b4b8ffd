package dev.veilgate.peks.pairing.zi07;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.secret.HiddenKey;
import dev.veilgate.secret.Secret;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The master key: alpha, and the seed from which the r_w of trapdoors come, so that a keyword has one trapdoor for ever. Whoever has it can issue every trapdoor.
 *
 * <p>Never printed; equality takes constant time. Numbers are immutable objects of the native library's binding: {@link #destroy} lets go of alpha, its memory is the
 * garbage collector's, and erases the seed.
 */
@Secret
public final class SecretKey extends HiddenKey {
    static final int SEED_BYTES = 32;
    private static final int VERSION = 1;

    private final PublicKey publicKey;
    private final byte[] seed;
    private @Nullable Zr alpha;

    /** @param alpha not zero */
    SecretKey(Zr alpha, byte[] seed, G2 h) {
        PublicKey own = new PublicKey(G1.GENERATOR.times(alpha), h);
        super(own.id());
        this.publicKey = own;
        this.seed = seed.clone();
        this.alpha = alpha;
    }

    /** The public key that belongs to it. */
    public PublicKey publicKey() {
        return publicKey;
    }

    /** What is done with the key's parts while no other thread destroys them. */
    @FunctionalInterface
    interface Work<T> {
        T with(Zr alpha, byte[] seed);
    }

    synchronized <T> T use(Work<T> work) {
        requireAlive(alpha == null);
        return work.with(Objects.requireNonNull(alpha), seed);
    }

    /**
     * Canonical encoding, 161 bytes: version, alpha, seed, h. In clear: the caller seals it with authenticated encryption (a flipped bit of the seed would issue
     * second trapdoors unnoticed), and wipes the array.
     *
     * @throws IllegalStateException after {@link #destroy}
     */
    @Override
    public byte[] encode() {
        return use((held, secret) -> {
            ByteWriter out = new ByteWriter(1 + Zr.BYTES + SEED_BYTES + G2.BYTES).uint8(VERSION);
            held.write(out);
            return out.bytes(secret).bytes(publicKey.h().encode()).toSecretBytes();
        });
    }

    /** The inverse of {@link #encode}: refuses wrong lengths, numbers that are not below the order of the groups, 0, and an h that is no element of G2. */
    public static SecretKey decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("secret-key", encoded);
        in.expect("version", VERSION);
        in.requireLeft(Zr.BYTES + SEED_BYTES + G2.BYTES);
        Zr alpha = Zr.readSecret(in, "alpha");
        byte[] seed = in.bytes("seed", SEED_BYTES);
        try {
            return new SecretKey(alpha, seed, G2.read(in, "h"));
        } finally {
            Arrays.fill(seed, (byte) 0);
        }
    }

    @Override
    public synchronized void destroy() {
        alpha = null;
        Arrays.fill(seed, (byte) 0);
    }
}
