package dev.veilgate.math.lattice;

import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.secret.Secret;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * The secret basis ((g, -f), (G, -F)) of the NTRU lattice {(u, v) : u + v·h = 0 mod q}, h = g/f: short polynomials with
 * {@code f·G - g·F = q} in Z[x]/(x^N + 1).
 *
 * <p>Secret: never printed, erased by {@link #destroy}.
 */
@Secret
public final class NtruBasis {
    /** The bound on the Gram-Schmidt norm in units of sqrt(q) that a basis meets (Ducas, Lyubashevsky, Prest 2014, 5.2). */
    public static final double GRAM_SCHMIDT_FACTOR = 1.17;

    private final int[] f;
    private final int[] g;
    private final int[] capitalF;
    private final int[] capitalG;
    private boolean destroyed;

    /** Takes over the arrays. */
    public NtruBasis(int[] f, int[] g, int[] capitalF, int[] capitalG) {
        this.f = f;
        this.g = g;
        this.capitalF = capitalF;
        this.capitalG = capitalG;
    }

    /** f; the array itself. */
    public int[] f() {
        requireAlive();
        return f;
    }

    /** g; the array itself. */
    public int[] g() {
        requireAlive();
        return g;
    }

    /** F; the array itself. */
    public int[] capitalF() {
        requireAlive();
        return capitalF;
    }

    /** G; the array itself. */
    public int[] capitalG() {
        requireAlive();
        return capitalG;
    }

    /** Whether f·G - g·F = q, exactly, over the integers. */
    public boolean satisfiesNtruEquation(int q) {
        requireAlive();
        BigInteger[] left = BigPolynomial.multiply(big(f), big(capitalG));
        BigInteger[] right = BigPolynomial.multiply(big(g), big(capitalF));
        for (int i = 0; i < left.length; i++) {
            BigInteger expected = i == 0 ? BigInteger.valueOf(q) : BigInteger.ZERO;
            if (!left[i].subtract(right[i]).equals(expected)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The Gram-Schmidt norm of the basis: the longer of (g, -f) and q·(f*, g*)/(f·f* + g·g*), which is as long as the last
     * orthogonalised vector.
     */
    public double gramSchmidtNorm(int q) {
        requireAlive();
        return gramSchmidtNorm(f, g, q, new ComplexFft(f.length));
    }

    static double gramSchmidtNorm(int[] f, int[] g, int q, ComplexFft fft) {
        int n = f.length;
        double first = 0;
        for (int i = 0; i < n; i++) {
            first += (double) f[i] * f[i] + (double) g[i] * g[i];
        }
        double[] norm = new double[n];
        double[] fFft = transform(f, fft);
        double[] gFft = transform(g, fft);
        ComplexFft.multiplyAdjointAdd(norm, fFft, fFft);
        ComplexFft.multiplyAdjointAdd(norm, gFft, gFft);
        double inverses = 0;
        for (int j = 0; j < n / 2; j++) {
            inverses += 1 / norm[j];
        }
        double second = (double) q * q * inverses * 2 / n;
        Arrays.fill(fFft, 0);
        Arrays.fill(gFft, 0);
        Arrays.fill(norm, 0);
        return Math.sqrt(Math.max(first, second));
    }

    static double[] transform(int[] a, ComplexFft fft) {
        double[] out = new double[a.length];
        for (int i = 0; i < a.length; i++) {
            out[i] = a[i];
        }
        fft.forwardInPlace(out);
        return out;
    }

    /**
     * The public polynomial h = g·f^-1 mod q, coefficients in [0, q).
     *
     * @return null if f is not invertible mod q
     */
    public int @org.jspecify.annotations.Nullable [] publicPolynomial(NegacyclicNtt ntt) {
        requireAlive();
        int[] fHat = canonical(f, ntt);
        int[] h = canonical(g, ntt);
        ntt.forwardInPlace(fHat);
        if (!ntt.invertHatInPlace(fHat)) {
            return null;
        }
        ntt.toMontInPlace(fHat);
        ntt.forwardInPlace(h);
        ntt.multiplyHat(h, h, fHat);
        ntt.inverseInPlace(h);
        Arrays.fill(fHat, 0);
        return h;
    }

    static int[] canonical(int[] a, NegacyclicNtt ntt) {
        int[] out = new int[a.length];
        for (int i = 0; i < a.length; i++) {
            out[i] = ntt.modulus().canonical(a[i]);
        }
        return out;
    }

    static BigInteger[] big(int[] a) {
        return Arrays.stream(a).mapToObj(BigInteger::valueOf).toArray(BigInteger[]::new);
    }

    /** Erases the polynomials; every later use throws {@link IllegalStateException}. */
    public void destroy() {
        destroyed = true;
        Arrays.fill(f, 0);
        Arrays.fill(g, 0);
        Arrays.fill(capitalF, 0);
        Arrays.fill(capitalG, 0);
    }

    private void requireAlive() {
        if (destroyed) {
            throw new IllegalStateException("the basis was destroyed");
        }
    }

    @Override
    public String toString() {
        return "NtruBasis[secret]";
    }
}
