package dev.veilgate.abe.fabeo22;

import dev.veilgate.abe.kem.Erasable;
import dev.veilgate.math.pairing.Zr;
import org.jspecify.annotations.Nullable;

/** The authority's secret, alpha: whoever has it opens every ciphertext. */
public final class MasterKey implements AutoCloseable {
    private final Form form;
    private final Erasable<Zr> alpha;

    MasterKey(Form form, Zr alpha) {
        this.form = form;
        this.alpha = new Erasable<>(alpha);
    }

    /** Which scheme it is for. */
    public Form form() {
        return form;
    }

    Zr alpha() {
        return alpha.get();
    }

    /** Forgets the key; every later use throws {@link IllegalStateException}. */
    public void destroy() {
        alpha.destroy();
    }

    /** {@link #destroy}. */
    @Override
    public void close() {
        destroy();
    }

    /** Whether both are the same key, in constant time; a destroyed key equals only itself. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof MasterKey that && form == that.form && alpha.sameAs(that.alpha, Zr::encode);
    }

    @Override
    public int hashCode() {
        return form.hashCode();
    }

    @Override
    public String toString() {
        return "MasterKey[hidden, " + form + "]";
    }
}
