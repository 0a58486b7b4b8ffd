package dev.veilgate.abe.kp.gpsw06;

import dev.veilgate.math.pairing.Zr;
import dev.veilgate.secret.Erasable;
import dev.veilgate.secret.ErasableKey;
import dev.veilgate.secret.Secret;

/** The authority's secret, y: whoever has it opens every ciphertext. */
@Secret
public final class MasterKey extends ErasableKey {
    private final Erasable<Zr> y;

    MasterKey(Zr y) {
        Erasable<Zr> secret = new Erasable<>(y, Gpsw06Codec::encodeMasterKey);
        super(secret);
        this.y = secret;
    }

    Zr y() {
        return y.get();
    }
}
