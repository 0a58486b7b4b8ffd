package dev.veilgate.console.keys;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.authority.TenantProfiles;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.profiles.LaterRules;
import dev.veilgate.profiles.ProfileParts;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * By which rules a tenant's keywords are made, as the interface has it.
 *
 * @param nextEpoch the first that has not begun
 * @param next      the later rules; absent if there are none
 * @param situation what becomes of each epoch, a sentence each
 * @param profile   of the later rules, or of rules 1 if there are none; absent if this software does not know it
 * @param room      how much of what is kept there is
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record KeywordRulesView(
        String nextEpoch,
        @Nullable Next next,
        List<String> situation,
        @Nullable Profile profile,
        Room room) {
    /**
     * Later rules.
     *
     * @param rules     their number; absent if this software does not know them
     * @param from      the first epoch of which they are used
     * @param aloneFrom the epoch from which on they are taken alone; absent if rules 1 are, too
     * @param used      whether their first epoch has begun
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Next(
            @Nullable Integer rules, String from, @Nullable String aloneFrom, boolean used) {}

    /** Number of former profiles that are kept, and bytes of all profiles, each with its bound. */
    record Room(int former, int mostFormer, int bytes, int mostBytes) {}

    /** Parts of a profile as an operator writes them; those that are absent stay as they are. */
    record Profile(
            @Nullable List<String> ipPrefixes,
            @Nullable List<String> fields,
            @Nullable List<String> numeric,
            @Nullable String wordPrefixes,
            @Nullable Boolean templates,
            @Nullable List<String> stems) {
        private static Profile of(ExtractorProfile profile) {
            ProfileParts parts = ProfileParts.of(profile);
            return new Profile(
                    parts.ipPrefixes(),
                    parts.fields(),
                    parts.numeric(),
                    parts.wordPrefixes(),
                    parts.templates(),
                    parts.stems());
        }
    }

    static KeywordRulesView of(TenantKeys keys, Instant now) {
        LaterRules rules = LaterRules.of(keys, now);
        TenantProfiles profiles = keys.profiles();
        Optional<NextProfile> next = profiles.next();
        Optional<ExtractorProfile> shown = next.isPresent() ? rules.profile() : first(profiles.first());
        return new KeywordRulesView(
                keys.epochs().at(keys.epochs().at(now).to()).name(),
                next.map(later -> next(later, rules)).orElse(null),
                rules.situation(),
                shown.map(Profile::of).orElse(null),
                new Room(
                        profiles.former().size(),
                        TenantProfiles.MAX_FORMER,
                        profiles.bytes(),
                        TenantProfiles.MAX_BYTES));
    }

    private static Next next(NextProfile later, LaterRules rules) {
        Epoch alone = later.onlyFrom();
        return new Next(
                rules.profile().map(ExtractorProfile::rules).orElse(null),
                later.from().name(),
                alone == null ? null : alone.name(),
                rules.isUsed());
    }

    private static Optional<ExtractorProfile> first(byte[] encoded) {
        try {
            return Optional.of(encoded.length == 0 ? ExtractorProfile.defaults() : ExtractorProfile.decode(encoded));
        } catch (MalformedEncodingException e) {
            return Optional.empty(); // of later software
        }
    }
}
