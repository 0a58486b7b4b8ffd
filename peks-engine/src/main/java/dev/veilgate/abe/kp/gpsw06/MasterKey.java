package dev.veilgate.abe.kp.gpsw06;

import dev.veilgate.abe.kem.Erasable;
import dev.veilgate.math.pairing.Zr;
import org.jspecify.annotations.Nullable;

/** The authority's secret, y: whoever has it opens every ciphertext. */
public final class MasterKey implements AutoCloseable {
    private final Erasable<Zr> y;

    MasterKey(Zr y) {
        this.y = new Erasable<>(y);
    }

    Zr y() {
        return y.get();
    }

    /** Forgets the key; every later use throws {@link IllegalStateException}. */
    public void destroy() {
        y.destroy();
    }

    /** {@link #destroy}. */
    @Override
    public void close() {
        destroy();
    }

    /** Whether both are the same key, in constant time; a destroyed key equals only itself. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || other instanceof MasterKey that && y.sameAs(that.y, Zr::encode);
    }

    @Override
    public int hashCode() {
        return MasterKey.class.hashCode(); // of what is secret, nothing
    }

    @Override
    public String toString() {
        return "MasterKey[hidden]";
    }
}
