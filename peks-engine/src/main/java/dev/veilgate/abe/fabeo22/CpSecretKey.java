package dev.veilgate.abe.fabeo22;

import dev.veilgate.abe.kem.Erasable;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A reader's key with attributes, for ciphertexts with policies. */
public final class CpSecretKey implements AutoCloseable {
    /**
     * Its elements.
     *
     * @param sk1 g1^alpha · B^r
     * @param sk2 H(u)^r for each attribute u
     * @param sk3 g2^r
     */
    record Parts(G1 sk1, SortedMap<Attribute, G1> sk2, G2 sk3) {
        Parts {
            sk2 = Collections.unmodifiableSortedMap(new TreeMap<>(sk2));
        }
    }

    private final AttributeSet attributes;
    private final Erasable<Parts> parts;

    CpSecretKey(Parts parts) {
        this.attributes = AttributeSet.ofAny(parts.sk2().keySet());
        this.parts = new Erasable<>(parts);
    }

    /** What its owner is. */
    public AttributeSet attributes() {
        return attributes;
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

    /** Whether both are the same key, in constant time for the same attributes; a destroyed key equals only itself. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || other instanceof CpSecretKey that && parts.sameAs(that.parts, Fabeo22Codec::encode);
    }

    @Override
    public int hashCode() {
        return attributes.hashCode();
    }

    @Override
    public String toString() {
        return "CpSecretKey[hidden, " + attributes + "]";
    }
}
