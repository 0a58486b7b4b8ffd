package dev.veilgate.abe;

import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import java.util.List;
import java.util.stream.Collectors;

/** The reader's key does not open this ciphertext. The policy and what it asks for are public; nothing of the key is said but what it lacks. */
public final class UnsatisfiedPolicyException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int MOST_NAMED = 8;
    private static final int MOST_CHARACTERS = 400;

    private final transient Policy policy;
    private final transient List<Policy> lacking;

    UnsatisfiedPolicyException(Policy policy, AttributeSet attributes) {
        this(policy, policy.lacking(attributes));
    }

    /**
     * Of a key and a ciphertext that do not fit.
     *
     * @param one   label of the key or of the ciphertext
     * @param other that of the other; one of the two is a policy, the other attributes
     * @throws IllegalArgumentException if both are of a kind
     */
    public static UnsatisfiedPolicyException of(Label one, Label other) {
        return switch (one) {
            case Label.OfPolicy policy
            when other instanceof Label.OfAttributes set ->
                new UnsatisfiedPolicyException(policy.policy(), set.attributes());
            case Label.OfAttributes set
            when other instanceof Label.OfPolicy policy ->
                new UnsatisfiedPolicyException(policy.policy(), set.attributes());
            default -> throw new IllegalArgumentException("two labels of a kind have nothing to satisfy");
        };
    }

    private UnsatisfiedPolicyException(Policy policy, List<Policy> lacking) {
        super("the policy " + shortened(policy.toString()) + " is not satisfied; not there: " + named(lacking));
        this.policy = policy;
        this.lacking = lacking;
    }

    private static String named(List<Policy> lacking) {
        String first = lacking.stream().limit(MOST_NAMED).map(Policy::toString).collect(Collectors.joining(", "));
        int more = lacking.size() - MOST_NAMED;
        return shortened(first) + (more > 0 ? " and " + more + " more" : "");
    }

    private static String shortened(String text) {
        return text.codePointCount(0, text.length()) <= MOST_CHARACTERS
                ? text
                : text.substring(0, text.offsetByCodePoints(0, MOST_CHARACTERS)) + "...";
    }

    /** That of the ciphertext, or, where keys have policies, of the key. */
    public Policy policy() {
        return policy;
    }

    /** The attributes and comparisons of the policy that do not hold; some of them would do. */
    public List<Policy> lacking() {
        return lacking;
    }
}
