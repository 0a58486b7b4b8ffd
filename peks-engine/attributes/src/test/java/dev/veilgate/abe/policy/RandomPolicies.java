package dev.veilgate.abe.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Policies and attribute sets for tests, over few attributes, so that policies repeat them and sets often satisfy them. */
public final class RandomPolicies {
    /** Attributes that occur. */
    public static final List<Attribute> UNIVERSE = List.of(
            Attribute.of("role", "auditor"),
            Attribute.of("role", "dpo"),
            Attribute.of("site", "plant-7"),
            Attribute.of("site", "Zürich 東京"),
            Attribute.of("team", "a\"b\\c"),
            Attribute.of("shift", "night").in("2026-11"));

    private final SplittableRandom random;

    /** @param random decides everything */
    public RandomPolicies(SplittableRandom random) {
        this.random = random;
    }

    /** With gates nested at most so deep, and at most so many leaves. */
    public Policy next(int maxDepth, int maxLeaves) {
        if (maxDepth == 0 || maxLeaves < 2) {
            return new Policy.Leaf(UNIVERSE.get(random.nextInt(UNIVERSE.size())));
        }
        int size = random.nextInt(2, Math.min(4, maxLeaves) + 1);
        int left = maxLeaves;
        List<Policy> children = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int share = Math.max(1, left - (size - 1 - i));
            int most = random.nextInt(1, share + 1);
            Policy child = next(random.nextInt(maxDepth), most);
            left -= child.leaves().size();
            children.add(child);
        }
        return new Policy.Gate(random.nextInt(1, size + 1), children);
    }

    /** Nested exactly so deep. */
    public Policy ofDepth(int depth, int maxLeaves) {
        if (depth == 0) {
            return next(0, 1);
        }
        List<Policy> children = new ArrayList<>(List.of(ofDepth(depth - 1, maxLeaves - 1)));
        do {
            children.add(next(Math.min(1, depth - 1), Math.max(1, (maxLeaves - depth) / 3)));
        } while (children.size() < 3 && random.nextBoolean());
        return new Policy.Gate(random.nextInt(1, children.size() + 1), children);
    }

    /** Some of the attributes, each with this probability; at least one. */
    public AttributeSet someAttributes(double probability) {
        List<Attribute> some = new ArrayList<>();
        while (some.isEmpty()) {
            for (Attribute attribute : UNIVERSE) {
                if (random.nextDouble() < probability) {
                    some.add(attribute);
                }
            }
        }
        return AttributeSet.of(some);
    }
}
