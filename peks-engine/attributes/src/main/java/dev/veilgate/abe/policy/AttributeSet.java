package dev.veilgate.abe.policy;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The attributes of a key, or, where keys have policies, of a ciphertext. In a canonical order; immutable. */
public final class AttributeSet {
    /** Most attributes; a number takes 33. */
    public static final int MAX = Policy.MAX_LEAVES;

    private final SortedSet<Attribute> attributes;

    private AttributeSet(SortedSet<Attribute> attributes) {
        this.attributes = Collections.unmodifiableSortedSet(attributes);
    }

    /**
     * A set.
     *
     * @throws IllegalArgumentException for none, or too many, or a number with two values: its bits would be those of other numbers too
     */
    public static AttributeSet of(Collection<Attribute> attributes) {
        AttributeSet set = ofAny(attributes);
        contradiction(set.attributes).ifPresent(bit -> {
            throw new IllegalArgumentException("the number " + bit.name() + " has two values");
        });
        return set;
    }

    /**
     * A set in which a number may have two values: only for keys that an authority makes for itself, of all leaves of a policy, and erases. A range such as
     * {@code level >= 3 AND level <= 5} has leaves that contradict each other. {@link #read} refuses such a set.
     *
     * @throws IllegalArgumentException for none, or too many
     */
    public static AttributeSet ofAny(Collection<Attribute> attributes) {
        SortedSet<Attribute> sorted = new TreeSet<>(attributes);
        if (sorted.isEmpty() || sorted.size() > MAX) {
            throw new IllegalArgumentException("a set has 1 to " + MAX + " attributes, not " + sorted.size());
        }
        return new AttributeSet(sorted);
    }

    /** A number with two values, by one of its bits. */
    private static Optional<Attribute> contradiction(SortedSet<Attribute> attributes) {
        return attributes.stream()
                .filter(bit -> Comparison.contradicts(bit, attributes))
                .findFirst();
    }

    /**
     * Reads what people write: {@code role:auditor, site:plant-7, clearance = 5, until = 2026-12-31}. A number becomes an attribute for itself and one for each of its 32
     * bits, which comparisons ask for.
     *
     * @throws PolicySyntaxException with the place
     */
    public static AttributeSet parse(String text) throws PolicySyntaxException {
        SortedSet<Attribute> all = new TreeSet<>(new PolicyParser(text).set());
        if (all.size() > MAX) {
            throw new PolicySyntaxException("more than " + MAX + " attributes; a number takes 33", 0);
        }
        return new AttributeSet(all);
    }

    /** In their order. */
    public SortedSet<Attribute> attributes() {
        return attributes;
    }

    /** Whether it is one of them. */
    public boolean contains(Attribute attribute) {
        return attributes.contains(attribute);
    }

    /** The same with every attribute that has no epoch in this one: what is issued again for the next epoch. */
    public AttributeSet in(String epoch) {
        return of(attributes.stream().map(attribute -> attribute.in(epoch)).toList());
    }

    /** Canonical. */
    public byte[] encode() {
        ByteWriter out = new ByteWriter(32 * attributes.size());
        out.uint8(attributes.size() >> 8).uint8(attributes.size() & 0xff);
        attributes.forEach(attribute -> out.bytes(attribute.encode()));
        return out.toByteArray();
    }

    /**
     * Reads one; more may follow.
     *
     * @throws MalformedEncodingException naming what is wrong, such as an order that is not canonical
     */
    public static AttributeSet read(ByteReader in) throws MalformedEncodingException {
        int size = in.uint8("attributes") << 8 | in.uint8("attributes");
        if (size < 1 || size > MAX) {
            throw new MalformedEncodingException("attributes", "1 to " + MAX);
        }
        SortedSet<Attribute> read = new TreeSet<>();
        for (int i = 0; i < size; i++) {
            Attribute next = Attribute.read(in);
            if (!read.isEmpty() && read.last().compareTo(next) >= 0) {
                throw new MalformedEncodingException("attributes", "in their order, each once");
            }
            read.add(next);
        }
        if (contradiction(read).isPresent()) {
            throw new MalformedEncodingException("attributes", "each bit of a number once, as 0 or as 1");
        }
        return new AttributeSet(read);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AttributeSet that && attributes.equals(that.attributes);
    }

    @Override
    public int hashCode() {
        return attributes.hashCode();
    }

    /** As {@link #parse} reads it; the bits of numbers are left out. */
    @Override
    public String toString() {
        return attributes.stream()
                .filter(attribute -> !attribute.kind().isBit())
                .map(Attribute::toString)
                .collect(Collectors.joining(", "));
    }
}
