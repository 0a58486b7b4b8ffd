package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.lattice.NtruBasis;
import dev.veilgate.math.lattice.PreimageSampler;
import dev.veilgate.secret.HiddenKey;
import dev.veilgate.secret.Secret;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The master key: the short basis (f, g, F, G) and the seed of the coins with which trapdoors are sampled. Whoever has it can
 * issue every trapdoor.
 *
 * <p>It names the version of the sampler that its trapdoors come from. Another version of the software that samples
 * differently (were it only faster) would give a second preimage of a keyword, so it refuses the key.
 *
 * <p>Never printed; equality takes constant time; {@link #destroy} erases it. Safe for use by several threads.
 */
@Secret
public final class SecretKey extends HiddenKey {
    /** The sampler of this software: {@link PreimageSampler} with coins by AES-256-CTR, first version. */
    public static final int SAMPLER_VERSION = 1;

    private static final int VERSION = 1;
    private static final int SEED_BYTES = 32;
    /** Coefficients are below 2^20 in absolute value; honest ones are far smaller. */
    private static final int COEFFICIENT_LIMIT = 1 << 20;

    private final PublicKey publicKey;
    private final NtruBasis basis;
    private final byte[] seed;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable PreimageSampler sampler;
    private @Nullable MaskDecoder decoder;
    private volatile boolean destroyed;

    SecretKey(PublicKey publicKey, NtruBasis basis, byte[] seed) {
        super(publicKey.id());
        this.publicKey = publicKey;
        this.basis = basis;
        this.seed = seed.clone();
    }

    /** The public key that belongs to it. */
    public PublicKey publicKey() {
        return publicKey;
    }

    /** The parameter set. */
    public NtruParameters parameters() {
        return publicKey.parameters();
    }

    /** What is done with the key's parts while no other thread samples or destroys. */
    @FunctionalInterface
    interface Work<T> {
        T with(PreimageSampler sampler, byte[] seed);
    }

    /** Runs with the expanded key, which is made at the first use and kept until {@link #destroy}. */
    <T> T use(Work<T> work) {
        lock.lock();
        try {
            requireAlive(destroyed);
            if (sampler == null) {
                NtruParameters p = parameters();
                sampler = new PreimageSampler(
                        p.ring(), basis, publicKey.h(), p.sigma(), p.smoothing(), p.normSquaredLimit());
            }
            return work.with(sampler, seed);
        } finally {
            lock.unlock();
        }
    }

    /** What {@link MaskDecoder} finds in a mask; the caller erases it. */
    MaskDecoder.Decoded decode(int[] a) {
        lock.lock();
        try {
            requireAlive(destroyed);
            if (decoder == null) {
                decoder = new MaskDecoder(publicKey, basis);
            }
            return decoder.decode(a);
        } finally {
            lock.unlock();
        }
    }

    NtruBasis basis() {
        requireAlive(destroyed);
        return basis;
    }

    /**
     * Canonical encoding: version, parameter set, sampler version, seed, f, g, F, G (32 bits each, little-endian). In clear: the
     * caller seals it with authenticated encryption (a flipped bit of the seed would issue second preimages unnoticed), and wipes the
     * array.
     *
     * @throws IllegalStateException after {@link #destroy}
     */
    @Override
    public byte[] encode() {
        lock.lock();
        try {
            requireAlive(destroyed);
            ByteWriter out = new ByteWriter(3 + SEED_BYTES + 16 * parameters().n())
                    .uint8(VERSION)
                    .uint8(parameters().code())
                    .uint8(SAMPLER_VERSION)
                    .bytes(seed);
            for (int[] polynomial : new int[][] {basis.f(), basis.g(), basis.capitalF(), basis.capitalG()}) {
                for (int coefficient : polynomial) {
                    out.int32LittleEndian(coefficient);
                }
            }
            byte[] encoded = out.toByteArray();
            out.wipe();
            return encoded;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The inverse of {@link #encode}: refuses another sampler version, wrong lengths, polynomials that do not satisfy f·G - g·F =
     * q, f that is not invertible, a basis that is too long to sample safely with and one that is too long to open blocks with
     * ({@link MaskDecoder}).
     */
    public static SecretKey decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("secret-key", encoded);
        in.expect("version", VERSION);
        NtruParameters parameters = NtruParameters.byCode(in.uint8("parameters"));
        in.expect("sampler-version", SAMPLER_VERSION);
        byte[] seed = in.bytes("seed", SEED_BYTES);
        if (in.remaining() != 16 * parameters.n()) {
            throw new MalformedEncodingException("secret-key", "must have " + 16 * parameters.n() + " bytes of basis");
        }
        int[][] polynomials = new int[4][parameters.n()];
        for (int[] polynomial : polynomials) {
            for (int i = 0; i < polynomial.length; i++) {
                polynomial[i] = in.int32LittleEndian("basis");
                if (Math.abs((long) polynomial[i]) >= COEFFICIENT_LIMIT) {
                    throw new MalformedEncodingException("secret-key.basis", "coefficients must be below 2^20");
                }
            }
        }
        NtruBasis basis = new NtruBasis(polynomials[0], polynomials[1], polynomials[2], polynomials[3]);
        int q = parameters.q();
        if (!basis.satisfiesNtruEquation(q)) {
            throw new MalformedEncodingException("secret-key.basis", "must satisfy f·G - g·F = q");
        }
        if (!(basis.gramSchmidtNorm(q) <= NtruBasis.GRAM_SCHMIDT_FACTOR * Math.sqrt(q) * (1 + 1e-9))) {
            throw new MalformedEncodingException("secret-key.basis", "must have a Gram-Schmidt norm of 1.17·sqrt(q)");
        }
        if (!MaskDecoder.isWithinReach(basis, q)) {
            throw new MalformedEncodingException(
                    "secret-key.basis", "must have coefficients of r·g + e1·f and r·G + e1·F below q/2");
        }
        int[] h = basis.publicPolynomial(parameters.ring());
        if (h == null) {
            throw new MalformedEncodingException("secret-key.f", "must be invertible");
        }
        SecretKey key = new SecretKey(new PublicKey(parameters, h), basis, seed);
        Arrays.fill(seed, (byte) 0);
        return key;
    }

    @Override
    public void destroy() {
        lock.lock();
        try {
            destroyed = true;
            Arrays.fill(seed, (byte) 0);
            basis.destroy();
            if (sampler != null) {
                sampler.destroy();
                sampler = null;
            }
            if (decoder != null) {
                decoder.destroy();
                decoder = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
