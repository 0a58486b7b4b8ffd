package dev.veilgate.settings;

import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.PolicySyntaxException;
import java.util.List;

/** Policies in settings. */
final class Readers {
    private Readers() {}

    /** Refuses what is no policy; nothing is one. */
    static void check(String where, String policy) throws SettingsException {
        if (!policy.isEmpty()) {
            try {
                Policy.parse(policy);
            } catch (PolicySyntaxException e) {
                throw new SettingsException(where + ": " + e.getMessage());
            }
        }
    }

    /** Those who may read by each of some policies; the empty ones do not count. */
    static String ofAll(List<String> policies) {
        List<String> different =
                policies.stream().filter(policy -> !policy.isEmpty()).distinct().toList();
        return different.size() < 2 ? String.join("", different) : "(" + String.join(") AND (", different) + ")";
    }
}
