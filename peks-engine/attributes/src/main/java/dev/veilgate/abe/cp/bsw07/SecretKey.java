package dev.veilgate.abe.cp.bsw07;

import dev.veilgate.abe.kem.ReaderKey;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.secret.Secret;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** A reader's key, for the ciphertexts whose policies its attributes satisfy. */
@Secret
public final class SecretKey extends ReaderKey<AttributeSet, SecretKey.Parts> {
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

    SecretKey(Parts parts) {
        super(AttributeSet.ofAny(parts.components().keySet()), parts, Bsw07Codec::encode);
    }

    Parts parts() {
        return held();
    }
}
