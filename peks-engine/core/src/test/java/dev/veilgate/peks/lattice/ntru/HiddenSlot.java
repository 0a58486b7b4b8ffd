package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.peks.MessageContext;
import java.util.Arrays;

/**
 * A block of a holder of a keyword's trapdoor, who knows s: r0 has the signs of s, so that a coefficient of r·s
 * exceeds what Test allows for. The slot has the keyword, and its trapdoor does not find it. She tries rows and signs
 * until her own Test misses it.
 */
final class HiddenSlot {
    private final NtruParameters p;
    private final int[] t;
    private final int[] h1;
    private final int[] s;

    /** @param h1 coefficients of H1 of the keyword */
    HiddenSlot(PublicKey key, int[] t, int[] h1) {
        this.p = key.parameters();
        this.t = t;
        this.h1 = h1;
        int[] th = PlainTwin.product(p, key.h(), t);
        this.s = new int[p.n()];
        Arrays.setAll(s, i -> p.ring().modulus().centred(p.ring().modulus().subtract(h1[i], th[i])));
    }

    /** The block, with the keyword in slot 3. */
    ForgedBlock seal(PublicKey key, MessageContext context, int records) {
        for (int attempt = 0; attempt < 2 * p.kept(); attempt++) {
            int row = attempt / 2;
            int[] r0 = signs(row * p.stride(), 1 - 2 * (attempt % 2));
            ForgedBlock forged = ForgedBlock.shifted(key, context, 16, records, PlainTwin.product(p, key.h(), r0));
            int[] rho = PlainTwin.rho(p, forged.binding());
            int[] r = new int[p.n()];
            Arrays.setAll(r, i -> r0[i] + rho[i]);
            int[] u = PlainTwin.kept(p, PlainTwin.product(p, h1, r));
            int[] c = PlainTwin.kept(p, PlainTwin.product(p, forged.plain().a, t));
            int phase = HotBlock.phase(c[row], p.q());
            if (new TestKernel(p).speaks(phase) && TestKernel.impliedBit(phase) != PlainTwin.low(u[row], p.q())) {
                forged.seal(3, u);
                return forged;
            }
        }
        throw new AssertionError("of 512 attempts about a fifth succeed");
    }

    /** r0 with (r0·s)_at = sign·||s||_1. */
    private int[] signs(int at, int sign) {
        int[] r0 = new int[p.n()];
        for (int i = 0; i < r0.length; i++) {
            int to = at - i;
            int own = (s[i] >= 0 ? 1 : -1) * sign;
            r0[to >= 0 ? to : to + p.n()] = to >= 0 ? own : -own;
        }
        return r0;
    }
}
