package dev.veilgate.authority;

import dev.veilgate.abe.ks.zxa14.IndexPublicKey;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Attributes that somebody has, against the policies of index keys. What has no epoch is held for ever and in each of the given epochs. */
final class HeldAttributes {
    private HeldAttributes() {}

    /**
     * The attributes that a policy asks for and somebody has.
     *
     * @param policy as it is in the epochs
     * @param held   without epochs, or with their own
     */
    private static Set<Attribute> asked(Policy policy, Collection<Attribute> held, Collection<String> epochs) {
        Set<Attribute> all = new LinkedHashSet<>(held);
        for (String epoch : epochs) {
            held.forEach(attribute -> all.add(attribute.in(epoch)));
        }
        Set<Attribute> asked = new LinkedHashSet<>(policy.leaves());
        asked.retainAll(all);
        return asked;
    }

    /**
     * The attributes of a key that makes trapdoors under an index key: those that its policy asks for.
     *
     * @param epoch  of the trapdoors
     * @param epochs for which the attributes are held
     * @return empty if they do not satisfy the policy
     */
    static Optional<AttributeSet> satisfying(
            IndexPublicKey index, String epoch, Collection<Attribute> held, Collection<String> epochs) {
        Policy policy = index.policyIn(epoch);
        Set<Attribute> asked = asked(policy, held, epochs);
        return asked.isEmpty()
                ? Optional.empty()
                : Optional.of(AttributeSet.ofAny(asked)).filter(policy::isSatisfiedBy);
    }

    /** Why somebody does not search under an index key in some epochs. */
    static SearchReach.Gap gap(IndexPublicKey index, List<String> missing, Collection<Attribute> held) {
        String last = missing.getLast();
        Policy policy = index.policyIn(last);
        Set<Attribute> asked = asked(policy, held, List.of(last));
        List<Policy> lacking = asked.isEmpty() ? List.of(policy) : policy.lacking(AttributeSet.ofAny(asked));
        return new SearchReach.Gap(index.id(), index.policy(), missing, lacking);
    }
}
