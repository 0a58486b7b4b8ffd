package dev.veilgate.abe.kp.gpsw06;

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
 * @param e0 E_0 = g2^s
 * @param e  E_u = H(u)^s by attribute u, one or more
 */
public record Ciphertext(G2 e0, SortedMap<Attribute, G1> e) {
    /** Copies. */
    public Ciphertext {
        e = Collections.unmodifiableSortedMap(new TreeMap<>(e));
    }

    /** What it is about. */
    public AttributeSet attributes() {
        return AttributeSet.of(e.keySet());
    }
}
