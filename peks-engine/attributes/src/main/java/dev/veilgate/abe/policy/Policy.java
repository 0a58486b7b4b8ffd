package dev.veilgate.abe.policy;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A monotone policy: attributes under threshold gates. AND of n is the gate n of n, OR is 1 of n. Comparisons are policies over bits already ({@code clearance >= 3}).
 * Immutable.
 */
public sealed interface Policy {
    /** Deepest nesting of gates: two comparisons of 32 bits within each other's place, and what people write around them. */
    int MAX_DEPTH = 64;
    /** Most leaves. */
    int MAX_LEAVES = 4096;
    /** Most products in the field that sharing along a policy takes: the sum of {@code k * n} over its gates {@code k of n}, AND and OR aside. */
    int MAX_THRESHOLD_WORK = 1 << 16;

    /** The attribute is there. */
    record Leaf(Attribute attribute) implements Policy {
        @Override
        public String toString() {
            return Comparison.text(this).orElseGet(attribute::toString);
        }
    }

    /**
     * So many of the children hold.
     *
     * @param threshold 1 to the number of children
     * @param children  2 or more
     */
    record Gate(int threshold, List<Policy> children) implements Policy {
        /** @throws IllegalArgumentException naming what is wrong */
        public Gate {
            children = List.copyOf(children);
            if (children.size() < 2 || threshold < 1 || threshold > children.size()) {
                throw new IllegalArgumentException(
                        "a gate of " + children.size() + " takes a threshold from 1 to that, and 2 or more");
            }
        }

        @Override
        public String toString() {
            return Comparison.text(this).orElseGet(this::composed);
        }

        private String composed() {
            String operator = threshold == children.size() ? " AND " : threshold == 1 ? " OR " : ", ";
            String inner = children.stream().map(Policy::toString).collect(Collectors.joining(operator));
            return operator.equals(", ") ? threshold + " of (" + inner + ")" : "(" + inner + ")";
        }
    }

    /** All hold. */
    static Policy and(Policy... children) {
        return new Gate(children.length, List.of(children));
    }

    /** One holds. */
    static Policy or(Policy... children) {
        return new Gate(1, List.of(children));
    }

    /**
     * Reads what people write: {@code (role:auditor AND site:plant-7) OR role:dpo}, {@code 2 of (a:x, b:y, c:z)}, {@code clearance >= 3}, {@code until < 2027-01-01},
     * {@code "name":"any text"}, {@code site:plant-7@2026-11} for an epoch. AND binds closer than OR.
     *
     * @throws PolicySyntaxException with the place
     */
    static Policy parse(String text) throws PolicySyntaxException {
        return new PolicyParser(text).policy();
    }

    /** Whether a key with these attributes may read, by plain logic: what cryptography must agree with. */
    default boolean isSatisfiedBy(AttributeSet attributes) {
        return switch (this) {
            case Leaf leaf -> attributes.contains(leaf.attribute());
            case Gate gate ->
                gate.children().stream()
                                .filter(child -> child.isSatisfiedBy(attributes))
                                .count()
                        >= gate.threshold();
        };
    }

    /**
     * Fewest attributes that would have to be added for the policy to hold; 0 if it is satisfied. An attribute that stands there twice counts twice. Asks for each leaf once.
     */
    default int distance(AttributeSet attributes) {
        return switch (this) {
            case Leaf leaf -> attributes.contains(leaf.attribute()) ? 0 : 1;
            case Gate gate ->
                gate.children().stream()
                        .mapToInt(child -> child.distance(attributes))
                        .sorted()
                        .limit(gate.threshold())
                        .sum();
        };
    }

    /**
     * What of the policy does not hold and would help: attributes, and comparisons as a whole. Empty if it is satisfied.
     *
     * @return in the order of the text
     */
    default List<Policy> lacking(AttributeSet attributes) {
        List<Policy> lacking = new ArrayList<>();
        isSatisfied(this, attributes, lacking);
        return lacking;
    }

    /** Whether it is; if not, what is lacking is added. Each leaf is asked once, for the policy may be a stranger's. */
    private static boolean isSatisfied(Policy policy, AttributeSet attributes, List<Policy> lacking) {
        if (!(policy instanceof Gate gate)) {
            boolean there = policy.isSatisfiedBy(attributes);
            if (!there) {
                lacking.add(policy);
            }
            return there;
        }
        List<Policy> below = new ArrayList<>();
        int satisfied = 0;
        for (Policy child : gate.children()) {
            satisfied += isSatisfied(child, attributes, below) ? 1 : 0;
        }
        if (satisfied >= gate.threshold()) {
            return true;
        }
        if (Comparison.text(policy).isEmpty()) {
            lacking.addAll(below);
        } else {
            lacking.add(policy);
        }
        return false;
    }

    /** The same with every attribute that has no epoch in this one. */
    default Policy in(String epoch) {
        return switch (this) {
            case Leaf leaf -> new Leaf(leaf.attribute().in(epoch));
            case Gate gate ->
                new Gate(
                        gate.threshold(),
                        gate.children().stream().map(child -> child.in(epoch)).toList());
        };
    }

    /** The attributes, in the order of the text, as often as they stand there. */
    default List<Attribute> leaves() {
        List<Attribute> leaves = new ArrayList<>();
        collect(this, leaves);
        return leaves;
    }

    private static void collect(Policy policy, List<Attribute> leaves) {
        switch (policy) {
            case Leaf leaf -> leaves.add(leaf.attribute());
            case Gate gate -> gate.children().forEach(child -> collect(child, leaves));
        }
    }

    /** How deep gates are nested; 0 for a leaf. */
    default int depth() {
        return switch (this) {
            case Leaf leaf -> 0;
            case Gate gate ->
                1 + gate.children().stream().mapToInt(Policy::depth).max().orElse(0);
        };
    }

    /**
     * Throws unless it is within the limits.
     *
     * @throws IllegalArgumentException naming the limit
     */
    default void requireWithinLimits() {
        if (depth() > MAX_DEPTH) {
            throw new IllegalArgumentException("a policy is nested at most " + MAX_DEPTH + " deep");
        }
        int leaves = leaves().size();
        if (leaves > MAX_LEAVES) {
            throw new IllegalArgumentException("a policy has at most " + MAX_LEAVES + " attributes, not " + leaves);
        }
        long work = thresholdWork();
        if (work > MAX_THRESHOLD_WORK) {
            throw new IllegalArgumentException("the gates 'k of n' of a policy may have k times n of "
                    + MAX_THRESHOLD_WORK + " together, not " + work);
        }
    }

    /** Sum of {@code k * n} over the gates {@code k of n} that are neither AND nor OR: products in the field that their sharing takes. */
    default long thresholdWork() {
        if (!(this instanceof Gate gate)) {
            return 0;
        }
        long below = gate.children().stream().mapToLong(Policy::thresholdWork).sum();
        return below + thresholdWork(gate.threshold(), gate.children().size());
    }

    /** Of one gate. */
    static long thresholdWork(int threshold, int size) {
        return threshold > 1 && threshold < size ? (long) threshold * size : 0;
    }

    /** Canonical: {@code 0 attribute}, or {@code 1 threshold children} (2 bytes each, big-endian) and the children. */
    default byte[] encode() {
        ByteWriter out = new ByteWriter(256);
        write(this, out);
        return out.toByteArray();
    }

    private static void write(Policy policy, ByteWriter out) {
        switch (policy) {
            case Leaf leaf -> out.uint8(0).bytes(leaf.attribute().encode());
            case Gate gate -> {
                out.uint8(1);
                write16(out, gate.threshold());
                write16(out, gate.children().size());
                gate.children().forEach(child -> write(child, out));
            }
        }
    }

    private static void write16(ByteWriter out, int value) {
        out.uint8(value >> 8).uint8(value & 0xff);
    }

    /**
     * Reads one policy; more may follow it.
     *
     * @throws MalformedEncodingException naming what is wrong
     */
    static Policy read(ByteReader in) throws MalformedEncodingException {
        return new PolicyReader(in).policy();
    }
}
