package dev.veilgate.abe.sharing;

import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.Zr;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Linear secret sharing along a policy: each leaf gets a share of a secret, and the shares of leaves that satisfy the policy, and of no others, determine it.
 *
 * <pre>
 *   gate n of n:   c_1, ..., c_(n-1) random, c_n = secret - c_1 - ... - c_(n-1);   secret = c_1 + ... + c_n
 *   gate 1 of n:   c_i = secret
 *   gate k of n:   c_i = f(i) of a random polynomial of degree k - 1 with f(0) = secret (Shamir);   secret = sum of l_i(0)·c_i over any k
 * </pre>
 *
 * Coefficients are 1 but under gates of the third form. A leaf has an index among the uses of its attribute, for schemes whose proofs ask that an attribute is used
 * once with each randomness.
 */
public final class SecretSharing {
    /**
     * A leaf.
     *
     * @param attribute what it asks for
     * @param use       how often the attribute came before it
     */
    public record Leaf(Attribute attribute, int use) {}

    /**
     * A leaf that takes part in finding the secret: the secret is the sum of coefficient times share over all parts.
     *
     * @param leaf        index into {@link #leaves}
     * @param coefficient public
     */
    public record Part(int leaf, Zr coefficient) {
        /** The element to the power of the coefficient. */
        public G1 weighted(G1 element) {
            return coefficient.equals(Zr.ONE) ? element : element.times(coefficient);
        }
    }

    private final Policy policy;
    private final List<Leaf> leaves;
    private final int uses;

    /** @throws IllegalArgumentException for a policy beyond the limits */
    public SecretSharing(Policy policy) {
        policy.requireWithinLimits();
        this.policy = policy;
        Map<Attribute, Integer> seen = new HashMap<>();
        List<Leaf> all = new ArrayList<>();
        int most = 0;
        for (Attribute attribute : policy.leaves()) {
            int count = seen.merge(attribute, 1, Integer::sum);
            all.add(new Leaf(attribute, count - 1));
            most = Math.max(most, count);
        }
        this.leaves = List.copyOf(all);
        this.uses = most;
    }

    /** Along which secrets are shared. */
    public Policy policy() {
        return policy;
    }

    /** In the order of the policy. */
    public List<Leaf> leaves() {
        return leaves;
    }

    /** How often the attribute that is used most is used. */
    public int uses() {
        return uses;
    }

    /**
     * Shares a secret.
     *
     * @param random uniform exponents; n - 1 of them for a gate n of n, k - 1 for a gate k of n
     * @return a share for each leaf
     */
    public List<Zr> share(Zr secret, Supplier<Zr> random) {
        List<Zr> shares = new ArrayList<>(leaves.size());
        share(policy, secret, random, shares);
        return shares;
    }

    private static void share(Policy policy, Zr secret, Supplier<Zr> random, List<Zr> shares) {
        if (!(policy instanceof Policy.Gate gate)) {
            shares.add(secret);
            return;
        }
        int n = gate.children().size();
        if (gate.threshold() == n) {
            Zr left = secret;
            for (int i = 0; i < n - 1; i++) {
                Zr child = random.get();
                left = left.minus(child);
                share(gate.children().get(i), child, random, shares);
            }
            share(gate.children().getLast(), left, random, shares);
        } else {
            List<Zr> polynomial = new ArrayList<>(List.of(secret));
            for (int i = 1; i < gate.threshold(); i++) {
                polynomial.add(random.get());
            }
            for (int i = 0; i < n; i++) {
                share(gate.children().get(i), at(polynomial, i + 1), random, shares);
            }
        }
    }

    /** The polynomial's value, by Horner. */
    private static Zr at(List<Zr> polynomial, int x) {
        Zr value = Zr.ZERO;
        for (Zr coefficient : polynomial.reversed()) {
            value = value.times(Zr.of(x)).plus(coefficient);
        }
        return value;
    }

    /**
     * The cheapest way to find the secret with these attributes: fewest leaves.
     *
     * @return empty if they do not satisfy the policy
     */
    public Optional<List<Part>> parts(AttributeSet attributes) {
        Cover cover = cover(policy, 0, attributes);
        if (cover == null) {
            return Optional.empty();
        }
        List<Part> parts = new ArrayList<>();
        cover.collect(Zr.ONE, parts);
        return Optional.of(parts);
    }

    /**
     * What of a policy is used.
     *
     * @param leaf       of a leaf, its index; else -1
     * @param children   of a gate
     * @param weights    of the children
     * @param leaves     how many leaves it takes
     */
    private record Cover(int leaf, List<Cover> children, List<Zr> weights, int leaves) {
        void collect(Zr weight, List<Part> parts) {
            if (leaf >= 0) {
                parts.add(new Part(leaf, weight));
            }
            for (int i = 0; i < children.size(); i++) {
                Zr below = weights.get(i);
                children.get(i).collect(below.equals(Zr.ONE) ? weight : weight.times(below), parts);
            }
        }
    }

    private static @Nullable Cover cover(Policy policy, int firstLeaf, AttributeSet attributes) {
        return switch (policy) {
            case Policy.Leaf leaf ->
                attributes.contains(leaf.attribute()) ? new Cover(firstLeaf, List.of(), List.of(), 1) : null;
            case Policy.Gate gate -> cover(gate, firstLeaf, attributes);
        };
    }

    private static @Nullable Cover cover(Policy.Gate gate, int firstLeaf, AttributeSet attributes) {
        Map<Integer, Cover> byPlace = new HashMap<>();
        int at = firstLeaf;
        for (int i = 0; i < gate.children().size(); i++) {
            Policy child = gate.children().get(i);
            Cover cover = cover(child, at, attributes);
            if (cover != null) {
                byPlace.put(i + 1, cover);
            }
            at += child.leaves().size();
        }
        if (byPlace.size() < gate.threshold()) {
            return null;
        }
        List<Integer> chosen = byPlace.entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<Integer, Cover> place) ->
                                place.getValue().leaves())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(gate.threshold())
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        boolean shamir =
                gate.threshold() > 1 && gate.threshold() < gate.children().size();
        List<Zr> weights = chosen.stream()
                .map(place -> shamir ? lagrange(place, chosen) : Zr.ONE)
                .toList();
        List<Cover> children = chosen.stream().map(byPlace::get).toList();
        int count = children.stream().mapToInt(Cover::leaves).sum();
        return new Cover(-1, children, weights, count);
    }

    /** l_i(0) = prod_(j != i) j / (j - i). */
    private static Zr lagrange(int i, List<Integer> places) {
        Zr above = Zr.ONE;
        Zr below = Zr.ONE;
        for (int j : places) {
            if (j != i) {
                above = above.times(Zr.of(j));
                below = below.times(Zr.of(j - i));
            }
        }
        return above.times(below.inverse());
    }
}
