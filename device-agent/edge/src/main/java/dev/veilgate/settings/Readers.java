package dev.veilgate.settings;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.envelope.PolicyKey;
import java.util.List;

/** Policies in settings. */
final class Readers {
    private static final String LONGEST_EPOCH = "2026-11-21";

    private Readers() {}

    /** Refuses what is no policy; nothing is one. */
    static void check(String where, String policy) throws SettingsException {
        if (!policy.isEmpty()) {
            try {
                requireRoom(Policy.parse(policy));
            } catch (PolicySyntaxException | IllegalArgumentException e) {
                throw new SettingsException(where + ": " + e.getMessage());
            }
        }
    }

    /**
     * Refuses what no scheme could seal for, long before anything is sealed; what the bundle's scheme makes of it, the bundle says.
     *
     * @throws IllegalArgumentException naming the sizes
     */
    static void requireRoom(Policy policy) {
        PolicyKey.requireRoom(new Label.OfPolicy(policy).in(LONGEST_EPOCH));
    }

    /** Those who may read by each of some policies; the empty ones do not count. */
    static String ofAll(List<String> policies) {
        List<String> different =
                policies.stream().filter(policy -> !policy.isEmpty()).distinct().toList();
        return different.size() < 2 ? String.join("", different) : "(" + String.join(") AND (", different) + ")";
    }
}
