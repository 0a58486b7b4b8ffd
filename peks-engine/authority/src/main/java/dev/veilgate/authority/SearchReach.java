package dev.veilgate.authority;

import dev.veilgate.abe.policy.Policy;
import dev.veilgate.peks.KeyId;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How far a search by attributes reaches: which index keys of attribute-based keyword search it leaves out, because their policies are not satisfied or no key was issued.
 *
 * @param isNothing whether it reaches nothing at all
 * @param gaps      what it leaves out
 */
public record SearchReach(boolean isNothing, List<Gap> gaps) {
    /** Nothing is left out. */
    public static final SearchReach WHOLE = new SearchReach(false, List.of());

    private static final int MOST_TEXTS = 4;

    /**
     * An index key under which a search does not look.
     *
     * @param policy  who may search
     * @param epochs  in which it does not look, one at least
     * @param lacking what of the policy does not hold in the last of them; empty if the attributes are there, but no key for them
     */
    public record Gap(KeyId key, Policy policy, List<String> epochs, List<Policy> lacking) {
        /** Copies. */
        public Gap {
            epochs = List.copyOf(epochs);
            lacking = List.copyOf(lacking);
        }

        /** For people: what is left out, and why. */
        @Override
        public String toString() {
            String all = epochs.size() <= MOST_TEXTS
                    ? String.join(", ", epochs)
                    : epochs.getFirst() + " .. " + epochs.getLast();
            String why = lacking.isEmpty()
                    ? "no searcher's key was issued for it"
                    : lacking.stream().limit(MOST_TEXTS).map(Policy::toString).collect(Collectors.joining(" or "))
                            + (lacking.size() > MOST_TEXTS ? " or others" : "") + " is missing";
            return "what is sealed in " + all + " under the index key " + key + ", which is for " + policy + ": " + why;
        }
    }

    /** Copies. */
    public SearchReach {
        gaps = List.copyOf(gaps);
    }

    /** The gaps, for people. */
    public List<String> texts() {
        return gaps.stream().map(Gap::toString).toList();
    }
}
