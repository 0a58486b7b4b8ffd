package dev.veilgate.profiles;

import org.jspecify.annotations.Nullable;

/**
 * A change of a tenant's later rules as an operator asks for it.
 *
 * @param rules     number of the later rules; null for those that there are
 * @param from      name of the first epoch whose keywords are made by them; null as it is, or for the next epoch
 * @param aloneFrom name of the epoch from which on they are taken alone; null as it is, blank for none
 * @param withdraw  whether the later profile is taken away; nothing else is named then
 * @param parts     of its profile; of the profile of rules 1, if there is no later one yet
 */
public record RulesRequest(
        @Nullable Integer rules,
        @Nullable String from,
        @Nullable String aloneFrom,
        boolean withdraw,
        ProfileParts parts) {
    /** Whether nothing is asked for. */
    public boolean isEmpty() {
        return rules == null && from == null && aloneFrom == null && !withdraw && parts.isNone();
    }
}
