package dev.veilgate.profiles;

import dev.veilgate.authority.TenantProfiles;
import java.util.List;

/**
 * A change of a tenant's later rules that may be made.
 *
 * @param profiles  of the tenant after it
 * @param isChange  whether anything is other than before
 * @param done      what the issuing log says of it
 * @param situation what becomes of each epoch, a sentence each
 * @param notes     what has to be done or known, a sentence or two each
 */
public record RulesPlan(
        TenantProfiles profiles, boolean isChange, String done, List<String> situation, List<String> notes) {
    /** Copies the lists. */
    public RulesPlan {
        situation = List.copyOf(situation);
        notes = List.copyOf(notes);
    }
}
