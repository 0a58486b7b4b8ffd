package dev.veilgate.peks.lattice.ntru;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Forged blocks from an ideal of norm 2P, for a prime P = 1 mod 2L: A_(S·i+r) = round(q·((u_r·z^-i mod P)/P + 1/2)), with z a primitive root of
 * y^L + 1 modulo P and any u_r. The kept coefficients of A·t are q·((s·z^-j mod P)/P + h/2) for one s modulo P and one bit h, whatever t is, so that a slot matches one
 * trapdoor in 2P. Blocks whose u_r are multiples of each other have multiples for s, and so share out its values.
 */
final class ShiftedIdeal {
    private final NtruParameters p;
    private final long prime;
    private final long inverseRoot;
    private final long[] parts;

    /**
     * Chooses z and the u_r at random.
     *
     * @param prime P, 1 modulo 2L
     */
    ShiftedIdeal(NtruParameters p, int prime, SplittableRandom random) {
        this.p = p;
        this.prime = prime;
        long root = 0;
        while (root == 0) {
            long r = ForgeryAttackTest.power(2 + random.nextInt(prime - 2), (prime - 1) / (2L * p.kept()), prime);
            root = ForgeryAttackTest.power(r, p.kept(), prime) == prime - 1 ? r : 0;
        }
        this.inverseRoot = ForgeryAttackTest.power(root, prime - 2L, prime);
        this.parts = random.longs(p.stride(), 1, prime).toArray();
    }

    /** A of the block whose u_r are these times a factor. */
    int[] mask(long factor) {
        int[] a = new int[p.n()];
        for (int r = 0; r < parts.length; r++) {
            long u = parts[r] * factor % prime;
            for (int i = 0; i < p.kept(); i++) {
                a[p.stride() * i + r] = scaled(u, 1);
                u = u * inverseRoot % prime;
            }
        }
        return a;
    }

    /** The full block of that A which matches where factor 1 has {@code first} <= s < first + slots/2. */
    ForgedBlock block(long factor, int first) {
        int slots = BlockPayload.paddedSlots(p.maxKeywords());
        ForgedBlock forged = new ForgedBlock(p, slots, 1, mask(factor));
        for (int slot = 0; slot < slots; slot++) {
            long s = (first + slot / 2) % prime * factor % prime;
            int[] v = new int[p.kept()];
            for (int j = 0; j < v.length; j++) {
                v[j] = scaled(s, slot % 2);
                s = s * inverseRoot % prime;
            }
            forged.seal(slot, v);
        }
        return forged;
    }

    /** Full blocks, each with another A, that match as many trapdoors together as they can. */
    ForgedBlock[] envelope(int blocks) {
        int values = BlockPayload.paddedSlots(p.maxKeywords()) / 2;
        return IntStream.range(0, blocks)
                .mapToObj(b -> block(ForgeryAttackTest.power(3, b, prime), b * values))
                .toArray(ForgedBlock[]::new);
    }

    /** round(q·(u/P + halves/2)) modulo q. */
    private int scaled(long u, int halves) {
        long q = p.q();
        return (int) ((2 * u * q + halves * q * prime + prime) / (2 * prime) % q);
    }
}
