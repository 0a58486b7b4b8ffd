package dev.veilgate.abe.cp.bsw07;

import dev.veilgate.abe.kem.Erasable;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A reader's key, for the ciphertexts whose policies its attributes satisfy. */
public final class SecretKey implements AutoCloseable {
    /**
     * Of one attribute u.
     *
     * @param d      D_u = g1^r · H(u)^r_u
     * @param dPrime D'_u = g2^r_u
     */
    record Component(G1 d, G2 dPrime) {}

    /**
     * Its elements.
     *
     * @param d          D = g1^((alpha + r)/beta)
     * @param components by attribute, one or more
     */
    record Parts(G1 d, SortedMap<Attribute, Component> components) {
        Parts {
            components = Collections.unmodifiableSortedMap(new TreeMap<>(components));
        }
    }

    private final AttributeSet attributes;
    private final Erasable<Parts> parts;

    SecretKey(Parts parts) {
        this.attributes = AttributeSet.ofAny(parts.components().keySet());
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
        return this == other || other instanceof SecretKey that && parts.sameAs(that.parts, Bsw07Codec::encode);
    }

    @Override
    public int hashCode() {
        return attributes.hashCode();
    }

    @Override
    public String toString() {
        return "SecretKey[hidden, " + attributes + "]";
    }
}
