package dev.veilgate.ese.ntru;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.ese.EseSecretKey;
import dev.veilgate.math.ring.CoefficientPacking;
import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.secret.HiddenKey;
import dev.veilgate.secret.Secret;
import java.util.Arrays;
import java.util.Optional;

/**
 * The ternary polynomials F and g, f = 2F + 1. Whoever has them decrypts everything.
 *
 * <p>Never printed; equality takes constant time; {@link #destroy} erases it. Safe for use by several threads.
 */
@Secret
public final class SecretKey extends HiddenKey implements EseSecretKey<PublicKey> {
    private static final int VERSION = 1;
    /** Bits of a packed digit, which is stored as 0, 1, 2. */
    private static final int DIGIT_BITS = 2;

    private static final int DIGITS = 3;

    private final PublicKey publicKey;
    private final int[] capitalF;
    private final int[] g;
    private final int[] fHatMont;
    private boolean destroyed;

    private SecretKey(PublicKey publicKey, int[] capitalF, int[] g, int[] fHatMont) {
        super(publicKey.id());
        this.publicKey = publicKey;
        this.capitalF = capitalF;
        this.g = g;
        this.fHatMont = fHatMont;
    }

    /**
     * The key of two ternary polynomials, which it takes over.
     *
     * @return empty, and both erased, unless f and g are invertible mod q
     */
    static Optional<SecretKey> of(ParameterSet parameters, int[] capitalF, int[] g) {
        NegacyclicNtt ring = parameters.ring();
        int q = parameters.q();
        int[] fHat = new int[parameters.n()];
        int[] hHat = new int[parameters.n()];
        for (int i = 0; i < fHat.length; i++) {
            int f = 2 * capitalF[i];
            fHat[i] = f + (f >> 31 & q);
            hHat[i] = g[i] + (g[i] >> 31 & q);
        }
        fHat[0] = ring.modulus().add(fHat[0], 1);
        ring.forwardInPlace(fHat);
        ring.forwardInPlace(hHat);
        int[] inverse = fHat.clone();
        int[] scratch = hHat.clone();
        try {
            if (!ring.invertHatInPlace(inverse) || !ring.invertHatInPlace(scratch)) {
                Arrays.fill(capitalF, 0);
                Arrays.fill(g, 0);
                Arrays.fill(fHat, 0);
                return Optional.empty();
            }
            ring.toMontInPlace(inverse);
            ring.multiplyHat(hHat, hHat, inverse);
            ring.inverseInPlace(hHat); // h, which is public
            ring.toMontInPlace(fHat);
            return Optional.of(new SecretKey(new PublicKey(parameters, hHat), capitalF, g, fHat));
        } finally {
            Arrays.fill(inverse, 0);
            Arrays.fill(scratch, 0);
        }
    }

    @Override
    public PublicKey publicKey() {
        return publicKey;
    }

    /** f·a, value by value. */
    synchronized void multiplyByFHatInPlace(int[] aHat) {
        requireAlive(destroyed);
        publicKey.parameters().ring().multiplyHat(aHat, aHat, fHatMont);
    }

    /**
     * Canonical encoding: version, parameter set, F + 1 and g + 1 packed at two bits. In clear: the caller seals it, and wipes the array.
     *
     * @throws IllegalStateException after {@link #destroy}
     */
    @Override
    public synchronized byte[] encode() {
        requireAlive(destroyed);
        int bytes = CoefficientPacking.bytes(capitalF.length, DIGIT_BITS);
        byte[] out = new byte[2 + 2 * bytes];
        out[0] = VERSION;
        out[1] = (byte) publicKey.parameters().code();
        int[] digits = new int[capitalF.length];
        shift(capitalF, 1, digits);
        CoefficientPacking.pack(digits, DIGIT_BITS, out, 2);
        shift(g, 1, digits);
        CoefficientPacking.pack(digits, DIGIT_BITS, out, 2 + bytes);
        Arrays.fill(digits, 0);
        return out;
    }

    /** The inverse of {@link #encode}: refuses wrong lengths, digits that are not ternary, and an f or g that is not invertible. */
    public static SecretKey decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("secret-key", encoded);
        in.expect("version", VERSION);
        ParameterSet parameters = ParameterSet.byCode("secret-key.parameters", in.uint8("parameters"));
        int bytes = CoefficientPacking.bytes(parameters.n(), DIGIT_BITS);
        int atF = in.skip("F", bytes);
        int atG = in.skip("g", bytes);
        in.end();
        int[] capitalF = new int[parameters.n()];
        int[] g = new int[parameters.n()];
        CoefficientPacking.unpack(encoded, atF, DIGIT_BITS, capitalF, DIGITS, "secret-key.F");
        CoefficientPacking.unpack(encoded, atG, DIGIT_BITS, g, DIGITS, "secret-key.g");
        shift(capitalF, -1, capitalF);
        shift(g, -1, g);
        return of(parameters, capitalF, g)
                .orElseThrow(() -> new MalformedEncodingException("secret-key", "f and g must be invertible"));
    }

    private static void shift(int[] digits, int by, int[] out) {
        for (int i = 0; i < out.length; i++) {
            out[i] = digits[i] + by;
        }
    }

    @Override
    public synchronized void destroy() {
        destroyed = true;
        Arrays.fill(capitalF, 0);
        Arrays.fill(g, 0);
        Arrays.fill(fHatMont, 0);
    }
}
