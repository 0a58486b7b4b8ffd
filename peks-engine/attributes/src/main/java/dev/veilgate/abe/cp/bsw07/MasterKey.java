package dev.veilgate.abe.cp.bsw07;

import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.secret.Erasable;
import dev.veilgate.secret.ErasableKey;
import dev.veilgate.secret.Secret;

/** The authority's secret: whoever has it opens every ciphertext. */
@Secret
public final class MasterKey extends ErasableKey {
    /**
     * Its elements.
     *
     * @param beta    not 0
     * @param g1Alpha g1^alpha
     */
    record Parts(Zr beta, G1 g1Alpha) {}

    private final Erasable<Parts> parts;

    MasterKey(Parts parts) {
        Erasable<Parts> secret = new Erasable<>(parts, Bsw07Codec::encode);
        super(secret);
        this.parts = secret;
    }

    Parts parts() {
        return parts.get();
    }
}
