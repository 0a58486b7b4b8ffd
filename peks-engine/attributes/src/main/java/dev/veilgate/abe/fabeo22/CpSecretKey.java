package dev.veilgate.abe.fabeo22;

import dev.veilgate.abe.kem.ReaderKey;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.secret.Secret;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** A reader's key with attributes, for ciphertexts with policies. */
@Secret
public final class CpSecretKey extends ReaderKey<AttributeSet, CpSecretKey.Parts> {
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

    CpSecretKey(Parts parts) {
        super(AttributeSet.ofAny(parts.sk2().keySet()), parts, Fabeo22Codec::encode);
    }

    Parts parts() {
        return held();
    }
}
