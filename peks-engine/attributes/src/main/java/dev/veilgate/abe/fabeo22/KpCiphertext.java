package dev.veilgate.abe.fabeo22;

import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A ciphertext with attributes.
 *
 * @param ct1 g2^s
 * @param ct2 H(u)^s for each attribute u, at least one
 */
public record KpCiphertext(G2 ct1, SortedMap<Attribute, G1> ct2) {
    /** Copies the map. */
    public KpCiphertext {
        ct2 = Collections.unmodifiableSortedMap(new TreeMap<>(ct2));
    }

    /** What it says of its content. */
    public AttributeSet attributes() {
        return AttributeSet.of(ct2.keySet());
    }
}
