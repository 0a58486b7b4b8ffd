package dev.veilgate.abe;

import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a key or a ciphertext says of itself: a policy or attributes. A scheme has one of them in its keys and the other in its ciphertexts ({@link
 * AttributeKem#keysHavePolicies}). Public: whoever sees a ciphertext reads its label.
 */
public sealed interface Label {
    /** Who may read, or what a key opens. */
    record OfPolicy(Policy policy) implements Label {
        /** @throws IllegalArgumentException for a policy beyond the limits */
        public OfPolicy {
            policy.requireWithinLimits();
        }

        @Override
        public Label in(String epoch) {
            return new OfPolicy(policy.in(epoch));
        }

        @Override
        public byte[] encode() {
            byte[] encoded = policy.encode();
            return new ByteWriter(1 + encoded.length)
                    .uint8(POLICY)
                    .bytes(encoded)
                    .toByteArray();
        }

        /** As {@link Policy#parse} reads it. */
        @Override
        public String toString() {
            return policy.toString();
        }
    }

    /** What a reader is, or what a ciphertext is about. */
    record OfAttributes(AttributeSet attributes) implements Label {
        @Override
        public Label in(String epoch) {
            return new OfAttributes(attributes.in(epoch));
        }

        @Override
        public byte[] encode() {
            byte[] encoded = attributes.encode();
            return new ByteWriter(1 + encoded.length)
                    .uint8(ATTRIBUTES)
                    .bytes(encoded)
                    .toByteArray();
        }

        /** As {@link AttributeSet#parse} reads it. */
        @Override
        public String toString() {
            return attributes.toString();
        }
    }

    /** First byte of an encoded policy. */
    int POLICY = 1;
    /** First byte of encoded attributes. */
    int ATTRIBUTES = 2;

    /** @throws PolicySyntaxException with the place */
    static Label policy(String text) throws PolicySyntaxException {
        return new OfPolicy(Policy.parse(text));
    }

    /** @throws PolicySyntaxException with the place */
    static Label attributes(String text) throws PolicySyntaxException {
        return new OfAttributes(AttributeSet.parse(text));
    }

    /** The same with every attribute that has no epoch in this one. */
    Label in(String epoch);

    /** The epochs that its attributes name, ascending; one that is in none counts as the empty text. */
    default SortedSet<String> epochs() {
        Collection<Attribute> named = switch (this) {
            case OfPolicy of -> of.policy().leaves();
            case OfAttributes of -> of.attributes().attributes();
        };
        return named.stream().map(Attribute::epoch).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Canonical: {@code 1 policy} or {@code 2 attributes}. */
    byte[] encode();

    /**
     * Fewest attributes that would have to be added for a key with one of two labels to open a ciphertext with the other, by plain logic: 0 if it opens it.
     *
     * @throws IllegalArgumentException if both are policies, or both attributes
     */
    default int distance(Label other) {
        return switch (this) {
            case OfPolicy of
            when other instanceof OfAttributes set -> of.policy().distance(set.attributes());
            case OfAttributes set
            when other instanceof OfPolicy of -> of.policy().distance(set.attributes());
            default -> throw new IllegalArgumentException("two labels of a kind do not open each other");
        };
    }

    /** How many attributes it names: what it takes to compare it with another. */
    default int size() {
        return switch (this) {
            case OfPolicy of -> of.policy().leaves().size();
            case OfAttributes of -> of.attributes().attributes().size();
        };
    }

    /** @throws MalformedEncodingException unless it is the encoding of one label and nothing else */
    static Label decode(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("label", bytes);
        Label label = switch (in.uint8("form")) {
            case POLICY -> new OfPolicy(Policy.read(in));
            case ATTRIBUTES -> new OfAttributes(AttributeSet.read(in));
            default -> throw new MalformedEncodingException("label.form", "1 for a policy, 2 for attributes");
        };
        in.end();
        return label;
    }
}
