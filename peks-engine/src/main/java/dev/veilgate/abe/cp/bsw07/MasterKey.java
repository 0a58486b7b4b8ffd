package dev.veilgate.abe.cp.bsw07;

import dev.veilgate.abe.kem.Erasable;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.Zr;
import org.jspecify.annotations.Nullable;

/** The authority's secret: whoever has it opens every ciphertext. */
public final class MasterKey implements AutoCloseable {
    /**
     * Its elements.
     *
     * @param beta    not 0
     * @param g1Alpha g1^alpha
     */
    record Parts(Zr beta, G1 g1Alpha) {}

    private final Erasable<Parts> parts;

    MasterKey(Parts parts) {
        this.parts = new Erasable<>(parts);
    }

    Parts parts() {
        return parts.get();
    }

    /** Forgets the key; every later use throws {@link IllegalStateException}. */
    public void destroy() {
        parts.destroy();
    }

    /** {@link #destroy}. */
    @Override
    public void close() {
        destroy();
    }

    /** Whether both are the same key, in constant time; a destroyed key equals only itself. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || other instanceof MasterKey that && parts.sameAs(that.parts, Bsw07Codec::encode);
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
