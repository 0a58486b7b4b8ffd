package dev.veilgate.settings;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.envelope.EnvelopeDraft;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Who may read mail besides its recipients, by the recipients' domain: {@code acme.example = role:dpo; * = role:auditor AND site:plant-7}.
 *
 * @param byDomain policies, in lower case; {@code *} for all others
 */
public record MailReaders(Map<String, Policy> byDomain) {
    /** Whoever has the tenant's key. */
    public static final MailReaders NONE = new MailReaders(Map.of());

    private static final String OTHERS = "*";

    /** Copies. */
    public MailReaders {
        byDomain = Map.copyOf(byDomain);
    }

    /** @throws SettingsException naming the domain and the place */
    static MailReaders parse(String where, String text) throws SettingsException {
        Map<String, Policy> policies = new LinkedHashMap<>();
        for (String entry : entries(text)) {
            int sign = entry.indexOf('=');
            String domain = sign < 0 ? "" : entry.substring(0, sign).strip().toLowerCase(Locale.ROOT);
            if (domain.isEmpty() || domain.contains(" ") || domain.contains(":")) {
                throw new SettingsException(
                        where + "must be DOMAIN = POLICY, with ; between several, * for all other domains");
            }
            try {
                Policy policy = Policy.parse(entry.substring(sign + 1));
                Readers.requireRoom(policy);
                if (policies.put(domain, policy) != null) {
                    throw new SettingsException(where + domain + " is there twice");
                }
            } catch (PolicySyntaxException | IllegalArgumentException e) {
                throw new SettingsException(where + domain + ": " + e.getMessage());
            }
        }
        requireTogether(where, policies.values());
        return new MailReaders(policies);
    }

    /** A mail to all domains must be possible, and an envelope is for so many policies. */
    private static void requireTogether(String where, Collection<Policy> policies) throws SettingsException {
        try {
            int counted = 0;
            for (Policy policy : united(policies.stream().distinct().toList())) {
                Readers.requireRoom(policy);
                counted += new Label.OfPolicy(policy).epochs().size();
            }
            if (counted > EnvelopeDraft.MAX_LABELS) {
                throw new IllegalArgumentException("an envelope is for at most " + EnvelopeDraft.MAX_LABELS
                        + " policies, of which one that names several epochs counts for each, and these count "
                        + counted);
            }
        } catch (IllegalArgumentException e) {
            throw new SettingsException(where + "a mail to all these domains: " + e.getMessage());
        }
    }

    /** The same readers by as many policies as an envelope may be for: those that are too many become one, each part of which is enough. */
    private static List<Policy> united(List<Policy> policies) {
        int most = EnvelopeDraft.MAX_LABELS;
        if (policies.size() <= most) {
            return policies;
        }
        List<Policy> united = new ArrayList<>(policies.subList(0, most - 1));
        Policy rest = Policy.or(policies.subList(most - 1, policies.size()).toArray(Policy[]::new));
        rest.requireWithinLimits();
        united.add(rest);
        return united;
    }

    /** Between semicolons that are not in quotes. */
    private static List<String> entries(String text) {
        List<String> entries = new ArrayList<>();
        boolean quoted = false;
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || text.charAt(i) == ';' && !quoted) {
                if (!text.substring(start, i).isBlank()) {
                    entries.add(text.substring(start, i));
                }
                start = i + 1;
            } else if (text.charAt(i) == '"' && (i == 0 || text.charAt(i - 1) != '\\')) {
                quoted = !quoted;
            }
        }
        return entries;
    }

    /** The policies of a mail to several recipients: each alone is enough. None if no recipient's domain has one. */
    public List<Policy> of(List<String> recipients) {
        return united(recipients.stream()
                .map(address -> address.substring(address.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT))
                .map(domain -> byDomain.getOrDefault(domain, byDomain.get(OTHERS)))
                .filter(policy -> policy != null)
                .distinct()
                .toList());
    }
}
