package dev.veilgate.abe.ks.zxa14;

import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.secret.Erasable;
import dev.veilgate.secret.ErasableKey;
import dev.veilgate.secret.Secret;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A searcher's key: makes tokens for every keyword, under every policy that its attributes satisfy. Never printed; equality takes constant time for the same
 * attributes.
 */
@Secret
public final class SecretKey extends ErasableKey {
    private static final int VERSION = 1;
    private static final int PAIR_BYTES = G1.BYTES + G2.BYTES;

    /**
     * Of one attribute j.
     *
     * @param a A_j = g1^r · H1(j)^r_j
     * @param b B_j = g2^r_j
     */
    record Component(G1 a, G2 b) {}

    /**
     * A key of one secret z, ac or d, with an r of its own.
     *
     * @param a          A = g1^((z - r)/b)
     * @param components by attribute, one or more
     */
    record Half(G1 a, SortedMap<Attribute, Component> components) {
        Half {
            components = Collections.unmodifiableSortedMap(new TreeMap<>(components));
        }
    }

    /**
     * Both, of the same attributes.
     *
     * @param masking of ac: its power s is what a token hides the other half under
     * @param opening of d: what a match brings to light
     */
    record Parts(Half masking, Half opening) {}

    private final AttributeSet attributes;
    private final Erasable<Parts> parts;

    SecretKey(Parts parts) {
        Erasable<Parts> secret = new Erasable<>(parts, SecretKey::encode);
        AttributeSet names = AttributeSet.ofAny(parts.masking.components.keySet());
        super(secret, names);
        this.attributes = names;
        this.parts = secret;
    }

    /** What its owner is. */
    public AttributeSet attributes() {
        return attributes;
    }

    Parts parts() {
        return parts.get();
    }

    /** 97 + 288·m bytes for m attributes, and these. */
    private static byte[] encode(Parts parts) {
        AttributeSet attributes = AttributeSet.ofAny(parts.masking.components.keySet());
        byte[] names = attributes.encode();
        ByteWriter out = new ByteWriter(
                        1 + names.length + 2 * halfBytes(attributes.attributes().size()))
                .uint8(VERSION)
                .bytes(names);
        for (Half half : new Half[] {parts.masking, parts.opening}) {
            out.bytes(half.a.encode());
            half.components.values().forEach(pair -> out.bytes(pair.a.encode()).bytes(pair.b.encode()));
        }
        return out.toSecretBytes();
    }

    private static int halfBytes(int attributes) {
        return G1.BYTES + attributes * PAIR_BYTES;
    }

    /** The inverse of {@link #encode}: refuses wrong lengths before the first point, whatever is no element of its group, and identities. */
    public static SecretKey decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("secret-key", encoded);
        in.expect("version", VERSION);
        AttributeSet attributes = AttributeSet.read(in);
        in.requireLeft(2 * halfBytes(attributes.attributes().size()));
        return new SecretKey(new Parts(half(attributes, in), half(attributes, in)));
    }

    private static Half half(AttributeSet attributes, ByteReader in) throws MalformedEncodingException {
        G1 a = G1.read(in, "a");
        SortedMap<Attribute, Component> components = new TreeMap<>();
        for (Attribute attribute : attributes.attributes()) {
            components.put(attribute, new Component(G1.read(in, "a-j"), G2.read(in, "b-j")));
        }
        return new Half(a, components);
    }
}
