package dev.veilgate.math.pairing;

import supranational.blst.Pairing;

/**
 * A product of pairings: {@code e(p1, q1) · e(p2, q2) · ... }, with one final exponentiation for all, and the squarings of the Miller loops shared by eight. Used
 * once, by one thread.
 */
public final class PairingProduct {
    private final Pairing pairing = new Pairing(true, "");
    private boolean empty = true;

    /** · e(p, q). */
    public PairingProduct times(G1 p, G2 q) {
        if (!p.isIdentity() && !q.isIdentity()) {
            pairing.raw_aggregate(q.affine(), p.affine());
            empty = false;
        }
        return this;
    }

    /** / e(p, q). */
    public PairingProduct over(G1 p, G2 q) {
        return times(p.negate(), q);
    }

    /** The product. */
    public Gt value() {
        if (empty) {
            return Gt.ONE;
        }
        pairing.commit();
        return new Gt(pairing.as_fp12().final_exp());
    }
}
