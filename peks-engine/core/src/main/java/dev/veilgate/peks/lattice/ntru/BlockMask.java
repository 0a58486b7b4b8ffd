package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.math.ring.Modulus;
import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.math.ring.RingSampling;
import dev.veilgate.random.CoinStream;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The part of a ciphertext that needs no keyword: r ternary, kept for one use, and {@code A = r·h + e1}, e1 ternary and
 * already erased. An index block's is shifted before its first keyword: {@link Opened#shift}.
 *
 * <p>A mask is used once: of two ciphertexts under one r everybody can test guesses of keywords. {@link #open} works
 * once in its life, and a mask never leaves memory. It has no encoding, so no crash, retry or restored disk can bring a
 * used one back.
 */
final class BlockMask {
    private final NtruParameters parameters;
    private final int[] a;
    private final int[] rHatMont;
    private final AtomicBoolean opened = new AtomicBoolean();

    private BlockMask(NtruParameters parameters, int[] a, int[] rHatMont) {
        this.parameters = parameters;
        this.a = a;
        this.rHatMont = rHatMont;
    }

    /** A fresh mask; draws 2N ternary digits. */
    static BlockMask draw(PublicKey publicKey, CoinStream coins) {
        NtruParameters parameters = publicKey.parameters();
        NegacyclicNtt ring = parameters.ring();
        Modulus modulus = ring.modulus();
        int n = parameters.n();
        int[] rHat = ternary(parameters, coins);
        for (int i = 0; i < n; i++) {
            rHat[i] += rHat[i] >> 31 & modulus.q();
        }
        ring.forwardInPlace(rHat);
        int[] a = new int[n];
        ring.multiplyHat(a, rHat, publicKey.hHatMont());
        ring.inverseInPlace(a);
        int[] e1 = ternary(parameters, coins);
        for (int i = 0; i < n; i++) {
            int sum = a[i] + e1[i]; // -1 to q
            sum += sum >> 31 & modulus.q();
            int d = sum - modulus.q();
            a[i] = d + (d >> 31 & modulus.q());
        }
        Arrays.fill(e1, 0);
        ring.toMontInPlace(rHat);
        return new BlockMask(parameters, a, rHat);
    }

    private static int[] ternary(NtruParameters parameters, CoinStream coins) {
        int[] out = new int[parameters.n()];
        RingSampling.ternary(coins, out);
        return out;
    }

    /** A mask in use: r is erased at the end of it. */
    final class Opened implements AutoCloseable {
        private final long[] scratch = new long[parameters.n()];

        private Opened() {}

        /** A, in [0, q); before {@link #shift} it is A0. */
        int[] a() {
            return a;
        }

        /** Adds rho to r, and so rho·h to A. */
        void shift(PublicKey publicKey, byte[] binding) {
            NegacyclicNtt ring = parameters.ring();
            Modulus modulus = ring.modulus();
            int[] rhoHat = MaskShift.rhoHat(parameters, binding);
            int[] shift = new int[a.length];
            ring.multiplyHat(shift, rhoHat, publicKey.hHatMont());
            ring.inverseInPlace(shift);
            ring.toMontInPlace(rhoHat);
            for (int i = 0; i < a.length; i++) {
                a[i] = modulus.add(a[i], shift[i]);
                rHatMont[i] = modulus.add(rHatMont[i], rhoHat[i]);
            }
        }

        /** The transform, in the kept ring, of the L kept coefficients of r·u, u given by its transform. */
        void keptProductHat(int[] vHat, int[] uHat) {
            parameters.ring().foldHat(vHat, uHat, rHatMont, scratch);
        }

        /** r·u, in place: u's transform becomes the product's coefficients. */
        void productInPlace(int[] uHat) {
            NegacyclicNtt ring = parameters.ring();
            ring.multiplyHat(uHat, uHat, rHatMont);
            ring.inverseInPlace(uHat);
        }

        @Override
        public void close() {
            Arrays.fill(rHatMont, 0);
            Arrays.fill(scratch, 0);
        }
    }

    /** @throws IllegalStateException at the second call */
    Opened open() {
        if (!opened.compareAndSet(false, true)) {
            throw new IllegalStateException("a block mask is used once");
        }
        return new Opened();
    }

    @Override
    public String toString() {
        return "BlockMask[hidden]";
    }
}
