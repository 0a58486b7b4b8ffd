package dev.veilgate.math.lattice;

import dev.veilgate.secret.Secret;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;

/**
 * Solves {@code f·G - g·F = q} in Z[x]/(x^n + 1) for short F, G, by the tower of rings (Pornin, Prest, "More Efficient
 * Algorithms for the NTRU Key Generation using the Field Norm", PKC 2019): field norms down to Z, Bezout there, then
 * lifting, with Babai's reduction against (f, g) at each level.
 *
 * <p>The reduction works on the leading 53 bits in doubles and takes {@value #STEP_BITS} bits a step; it only chooses
 * which multiples of (f, g) are subtracted, exactly, so rounding can cost length, never correctness.
 */
@Secret
final class NtruEquation {
    private static final int STEP_BITS = 28;
    private static final int DOUBLE_BITS = 53;

    private final BigInteger q;
    private final ComplexFft fft;

    NtruEquation(int n, int q) {
        this.q = BigInteger.valueOf(q);
        this.fft = new ComplexFft(n);
    }

    /** F and G. */
    record Solution(BigInteger[] capitalF, BigInteger[] capitalG) {}

    /** @return nothing if the resultants of f and g with x^n + 1 are not coprime */
    Optional<Solution> solve(BigInteger[] f, BigInteger[] g) {
        if (f.length == 1) {
            return bezout(f[0], g[0]);
        }
        return solve(BigPolynomial.fieldNorm(f), BigPolynomial.fieldNorm(g)).map(below -> {
            BigInteger[] capitalF = BigPolynomial.lift(below.capitalF, g);
            BigInteger[] capitalG = BigPolynomial.lift(below.capitalG, f);
            reduce(f, g, capitalF, capitalG);
            return new Solution(capitalF, capitalG);
        });
    }

    /** u·f + v·g = 1, so F = -v·q, G = u·q. */
    private Optional<Solution> bezout(BigInteger f, BigInteger g) {
        if (f.signum() == 0 || g.signum() == 0 || !f.gcd(g).equals(BigInteger.ONE)) {
            return Optional.empty();
        }
        BigInteger modulus = g.abs();
        BigInteger u = modulus.equals(BigInteger.ONE) ? BigInteger.ZERO : f.modInverse(modulus);
        BigInteger v = BigInteger.ONE.subtract(u.multiply(f)).divide(g);
        return Optional.of(new Solution(new BigInteger[] {v.multiply(q).negate()}, new BigInteger[] {u.multiply(q)}));
    }

    /** (F, G) -= k·(f, g) with k the nearest to (F·f* + G·g*)/(f·f* + g·g*), in steps, until nothing is left to take. */
    private void reduce(BigInteger[] f, BigInteger[] g, BigInteger[] capitalF, BigInteger[] capitalG) {
        int n = f.length;
        int shortBits = Math.max(BigPolynomial.maxBitLength(f), BigPolynomial.maxBitLength(g));
        int shortShift = Math.max(0, shortBits - DOUBLE_BITS);
        double[] fFft = transform(f, shortShift);
        double[] gFft = transform(g, shortShift);
        double[] norm = new double[n];
        ComplexFft.multiplyAdjointAdd(norm, fFft, fFft);
        ComplexFft.multiplyAdjointAdd(norm, gFft, gFft);
        BigInteger[] k = new BigInteger[n];
        int before = Integer.MAX_VALUE;
        while (true) {
            int longBits = Math.max(BigPolynomial.maxBitLength(capitalF), BigPolynomial.maxBitLength(capitalG));
            int longShift = Math.max(0, longBits - DOUBLE_BITS);
            // k is computed in units of 2^unit: its leading STEP_BITS bits, or all of it in the last steps
            int unit = Math.max(0, longBits - shortBits - STEP_BITS);
            double[] quotient = new double[n];
            ComplexFft.multiplyAdjointAdd(quotient, transform(capitalF, longShift), fFft);
            ComplexFft.multiplyAdjointAdd(quotient, transform(capitalG, longShift), gFft);
            for (int j = 0; j < n / 2; j++) {
                quotient[j] /= norm[j];
                quotient[j + n / 2] /= norm[j];
            }
            fft.inverseInPlace(quotient);
            boolean zero = true;
            for (int j = 0; j < n; j++) {
                long rounded = StrictMath.round(Math.scalb(quotient[j], longShift - shortShift - unit));
                zero &= rounded == 0;
                k[j] = BigInteger.valueOf(rounded);
            }
            if (zero || longBits >= before) {
                return;
            }
            before = longBits;
            subtractShifted(capitalF, BigPolynomial.multiply(k, f), unit);
            subtractShifted(capitalG, BigPolynomial.multiply(k, g), unit);
        }
    }

    private double[] transform(BigInteger[] a, int shift) {
        double[] out = new double[a.length];
        for (int i = 0; i < a.length; i++) {
            out[i] = a[i].shiftRight(shift).doubleValue();
        }
        fft.forwardInPlace(out);
        return out;
    }

    private static void subtractShifted(BigInteger[] a, BigInteger[] b, int shift) {
        for (int i = 0; i < a.length; i++) {
            a[i] = a[i].subtract(b[i].shiftLeft(shift));
        }
    }

    /** The coefficients as ints, or nothing if one does not fit. */
    static Optional<int[]> toInts(BigInteger[] a) {
        if (BigPolynomial.maxBitLength(a) > 31) {
            return Optional.empty();
        }
        return Optional.of(Arrays.stream(a).mapToInt(BigInteger::intValueExact).toArray());
    }
}
