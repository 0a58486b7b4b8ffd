package dev.veilgate.abe.fabeo22;

import dev.veilgate.math.pairing.Zr;
import dev.veilgate.secret.Erasable;
import dev.veilgate.secret.ErasableKey;
import dev.veilgate.secret.Secret;

/** The authority's secret, alpha: whoever has it opens every ciphertext. */
@Secret
public final class MasterKey extends ErasableKey {
    private final Form form;
    private final Erasable<Zr> alpha;

    MasterKey(Form form, Zr alpha) {
        Erasable<Zr> secret = new Erasable<>(alpha, exponent -> Fabeo22Codec.encodeMasterKey(form, exponent));
        super(secret, form);
        this.form = form;
        this.alpha = secret;
    }

    /** Which scheme it is for. */
    public Form form() {
        return form;
    }

    Zr alpha() {
        return alpha.get();
    }
}
