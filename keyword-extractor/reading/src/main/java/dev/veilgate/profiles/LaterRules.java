package dev.veilgate.profiles;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.authority.TenantProfiles;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.IndexRules;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.extract.ExtractorProfile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A tenant's later rules of keywords at a time: what they are, and how they may be changed. Immutable, nothing secret.
 *
 * <p>Gives: what was sealed in an epoch that has begun stays asked for. The first epoch of a profile that was used is
 * neither moved nor taken away, rules 1 are not given up in an epoch that has begun, and a profile that was used is
 * only added to. As long as no bundle was made, nobody has sealed, and all may be changed. Does not give: that senders
 * have the latest bundle; one that has the bundle before goes on by it until it expires.
 */
public final class LaterRules {
    private static final String HOW_TO_ISSUE = " (veilgate route renew, or the console's page Routes).";

    private final TenantProfiles profiles;
    private final EpochPolicy epochs;
    private final boolean isGivenOut;
    private final Instant now;

    private LaterRules(TenantProfiles profiles, EpochPolicy epochs, boolean isGivenOut, Instant now) {
        this.profiles = profiles;
        this.epochs = epochs;
        this.isGivenOut = isGivenOut;
        this.now = now;
    }

    /**
     * Makes the newest rules those of a tenant that is new, from the present epoch on. Those of 1 stay beside them, for
     * senders whose software does not know the newest, until an epoch is named from which on these are alone.
     *
     * @param keys of which no bundle was made yet
     * @throws IllegalStateException if a bundle was made, by which somebody may have sealed
     */
    public static void begin(TenantKeys keys, Instant now) throws MalformedEncodingException {
        String present = keys.epochs().at(now).name();
        RulesRequest newest = new RulesRequest(ExtractorProfile.NEWEST_RULES, present, null, false, ProfileParts.NONE);
        keys.setProfiles(of(keys, now).plan(newest).profiles());
    }

    /** The later rules of a key folder. */
    public static LaterRules of(TenantKeys keys, Instant now) {
        return new LaterRules(keys.profiles(), keys.epochs(), keys.serial() > 0, now);
    }

    /** The profile of later rules; empty if there is none, or this software does not know its rules. */
    public Optional<ExtractorProfile> profile() {
        return profiles.next().flatMap(LaterRules::known);
    }

    /** Whether records may have been sealed by the later profile: its first epoch has begun. */
    public boolean isUsed() {
        return isGivenOut
                && profiles.next().filter(next -> hasBegun(next.from())).isPresent();
    }

    /** Sentences on what senders do and searches ask in each epoch, and on how many profiles are kept. */
    public List<String> situation() {
        return situation(profiles);
    }

    /**
     * The tenant's profiles after a change.
     *
     * @throws IllegalArgumentException if what is asked for is not written as it must be
     * @throws IllegalStateException    if it would hide what was sealed; the message says what can be done instead
     */
    public RulesPlan plan(RulesRequest wanted) throws MalformedEncodingException {
        NextProfile present = profiles.next().orElse(null);
        if (wanted.withdraw()) {
            return withdrawn(wanted, present);
        }
        List<String> notes = new ArrayList<>();
        byte[] encoded = encoded(wanted, present, notes);
        Epoch from = from(wanted.from(), present, notes);
        Epoch alone = alone(wanted.aloneFrom(), present, notes);
        if (alone != null && alone.from().isBefore(from.from())) {
            throw new IllegalArgumentException(
                    "epoch " + alone.name() + ", from which on the rules are alone, is before " + from.name()
                            + ", in which they are used for the first time");
        }
        NextProfile next = new NextProfile(encoded, from, alone);
        boolean isNew = present == null || !Arrays.equals(present.encoded(), encoded);
        String done = "keywords by "
                + number(next)
                        .map(number -> IndexRules.of(number, encoded).toString())
                        .orElse("later rules")
                + " from epoch " + from.name() + (alone == null ? "" : ", alone from epoch " + alone.name());
        if (isNew && isUsed()) {
            notes.add("Routes that were issued before do not ask for what is added, until they are issued again"
                    + HOW_TO_ISSUE);
        } else if (isNew) {
            notes.addAll(ofNewProfile(from));
        }
        if (alone != null && alone.equals(from) && !hasBegun(from)) {
            notes.add("No epoch takes both: who has not the new bundle and software that knows the rules when epoch "
                    + from.name() + " begins, is refused.");
        }
        return planned(next, done, notes);
    }

    private RulesPlan planned(@Nullable NextProfile next, String done, List<String> notes) {
        TenantProfiles changed;
        try {
            changed = profiles.withNext(next);
        } catch (IllegalArgumentException e) { // more than are kept
            throw new IllegalStateException(e.getMessage(), e);
        }
        boolean isChange = !changed.equals(profiles);
        return new RulesPlan(changed, isChange, done, situation(changed), isChange ? notes : List.of());
    }

    private RulesPlan withdrawn(RulesRequest wanted, @Nullable NextProfile present) {
        if (wanted.rules() != null
                || wanted.from() != null
                || wanted.aloneFrom() != null
                || !wanted.parts().isNone()) {
            throw new IllegalArgumentException("to withdraw the later rules stands alone");
        }
        if (present == null) {
            throw new IllegalStateException("the tenant has no later rules");
        }
        if (isUsed()) {
            throw new IllegalStateException(named(present) + " are used since epoch "
                    + present.from().name() + " and stay: searches would ask by rules 1 alone for what was sealed by"
                    + " them, and miss it");
        }
        List<String> notes = new ArrayList<>();
        if (isGivenOut) {
            notes.add(before(present));
        }
        return planned(null, "no later rules of keywords", notes);
    }

    private byte[] encoded(RulesRequest wanted, @Nullable NextProfile present, List<String> notes)
            throws MalformedEncodingException {
        if (present == null) {
            if (wanted.rules() == null) {
                throw new IllegalArgumentException("the tenant has no later rules; name their number, "
                        + ExtractorProfile.NEWEST_RULES + " at most");
            }
            byte[] first = profiles.first();
            ExtractorProfile base = first.length == 0 ? ExtractorProfile.defaults() : ExtractorProfile.decode(first);
            int number = checked(wanted.rules());
            boolean isNewest = number == ExtractorProfile.NEWEST_RULES;
            return wanted.parts()
                    .in(isNewest ? base.upgraded() : base.withRules(number))
                    .encode();
        }
        if (wanted.rules() == null && wanted.parts().isNone()) {
            return present.encoded();
        }
        ExtractorProfile former = known(present)
                .orElseThrow(() -> new IllegalStateException(
                        "the later profile is of rules that this software does not know;" + " update it"));
        int number = wanted.rules() == null ? former.rules() : checked(wanted.rules());
        ExtractorProfile changed = wanted.parts().in(former.withRules(number));
        if (changed.equals(former)) {
            return present.encoded();
        }
        if (isUsed()) {
            List<String> losses = SealedReading.losses(former, changed);
            if (!losses.isEmpty()) {
                throw new IllegalStateException(
                        "the profile is used since epoch " + present.from().name()
                                + ", and can only be added to: " + String.join("; ", losses)
                                + ". Searches would miss records that were sealed by it, or say that their"
                                + " senders lied");
            }
            notes.add("What was sealed before has no keywords of what is added: it is not found by these. A search with"
                    + " NOT for one of them says of such records that their senders lied or had another profile.");
        }
        return changed.encode();
    }

    private static int checked(int number) {
        if (number <= ExtractorProfile.RULES || number > ExtractorProfile.NEWEST_RULES) {
            throw new IllegalArgumentException("later rules are "
                    + (ExtractorProfile.RULES + 1 == ExtractorProfile.NEWEST_RULES
                            ? "rules " + ExtractorProfile.NEWEST_RULES
                            : "rules " + (ExtractorProfile.RULES + 1) + " to " + ExtractorProfile.NEWEST_RULES)
                    + "; rules 1 stay beside them until an epoch is named from which on those are alone");
        }
        return number;
    }

    private Epoch from(@Nullable String name, @Nullable NextProfile present, List<String> notes) {
        if (name == null) {
            return present == null ? nextEpoch() : present.from();
        }
        Epoch wanted = epochs.named(name);
        if (present != null && present.from().equals(wanted)) {
            return wanted;
        }
        if (present != null && isUsed()) {
            throw new IllegalStateException(named(present) + " are used since epoch "
                    + present.from().name() + ", which cannot be moved: searches would ask by rules 1 alone for what"
                    + " was sealed by them, and miss it");
        }
        if (isGivenOut && hasBegun(wanted)) {
            throw new IllegalStateException("epoch " + wanted.name() + " has begun, and senders have no bundle with"
                    + " these rules; the first that can be named is "
                    + nextEpoch().name());
        }
        if (present != null
                && isGivenOut
                && wanted.from().isAfter(present.from().from())) {
            notes.add(before(present));
        }
        return wanted;
    }

    private @Nullable Epoch alone(@Nullable String name, @Nullable NextProfile present, List<String> notes) {
        Epoch before = present == null ? null : present.onlyFrom();
        Epoch wanted = name == null ? before : name.isBlank() ? null : epochs.named(name);
        boolean isLoosened = false;
        if (before != null) {
            isLoosened = wanted == null || wanted.from().isAfter(before.from());
        }
        if (before != null && isLoosened && isGivenOut && hasBegun(before)) {
            notes.add("Envelopes with keywords of rules 1 are taken again in epochs from " + before.name() + " on"
                    + (wanted == null ? "" : " and before " + wanted.name())
                    + "; who searches with a bundle of before does not ask for them.");
        }
        if (wanted == null || wanted.equals(before)) {
            return wanted;
        }
        if (!isLoosened && isGivenOut && hasBegun(wanted)) {
            throw new IllegalStateException(
                    "epoch " + wanted.name() + " has begun, and searches would no longer ask for"
                            + " what was sealed in it by rules 1; the first epoch that can be named is "
                            + nextEpoch().name());
        }
        notes.add("Nobody should make keywords by rules 1 any more when epoch " + wanted.name()
                + " begins: veilgate senders and the console's page Senders say who last did. Gateways"
                + " refuse what comes"
                + " by rules 1 then, and agents keep it.");
        return wanted;
    }

    private List<String> ofNewProfile(Epoch from) {
        List<String> notes = new ArrayList<>();
        String when = hasBegun(from) ? "senders have the bundle" : "epoch " + from.name() + " begins";
        notes.add("Update gateways, consoles and commands before " + when
                + ", then agents and mail proxies: software that does not know the rules goes on by rules 1, and"
                + " whoever searches with it misses what these find otherwise.");
        notes.add("Routes that were issued before miss it too, until they are issued again" + HOW_TO_ISSUE);
        if (profiles.next().isEmpty() && profiles.former().isEmpty()) {
            notes.add("Software of before does not open the key folder any more; the folder of before this change is"
                    + " beside it, keys.vgk.previous.");
        }
        return notes;
    }

    private String before(NextProfile present) {
        return "A sender that has a bundle of before makes keywords by " + named(present) + " from epoch "
                + present.from().name() + " on, and searches would not ask for them: see that all senders have the new"
                + " bundle before that epoch begins.";
    }

    private List<String> situation(TenantProfiles of) {
        List<String> said = new ArrayList<>();
        NextProfile next = of.next().orElse(null);
        if (next == null) {
            said.add("Senders make keywords by rules 1, and searches ask rules 1.");
        } else {
            ofEpochs(next, said);
        }
        int kept = of.former().size();
        said.add("%s kept, of %,d at most; all profiles take %,d of %,d bytes."
                .formatted(
                        kept == 1 ? "1 former profile is" : kept + " former profiles are",
                        TenantProfiles.MAX_FORMER,
                        of.bytes(),
                        TenantProfiles.MAX_BYTES));
        return said;
    }

    private void ofEpochs(NextProfile next, List<String> said) {
        String rules = named(next);
        String first = next.from().name();
        Epoch alone = next.onlyFrom();
        said.add(
                hasBegun(next.from())
                        ? "Before epoch " + first
                                + " senders made keywords by rules 1, and searches of those epochs ask" + " rules 1."
                        : "Before epoch " + first + " senders make keywords by rules 1, and searches ask rules 1.");
        if (alone == null || !alone.equals(next.from())) {
            said.add((alone == null ? "From epoch " + first + " on" : "From epoch " + first + " to " + last(alone))
                    + " senders that know " + rules + " and have the bundle make keywords by them, all others by rules"
                    + " 1; gateways take both, and searches ask both.");
        }
        said.add(
                alone == null
                        ? "No epoch is named from which on they are taken alone."
                        : "From epoch " + alone.name()
                                + " on gateways refuse what has keywords of rules 1, and searches" + " ask " + rules
                                + " alone.");
        said.add("A search of several epochs asks the rules of each of them.");
    }

    private String last(Epoch alone) {
        return epochs.at(alone.from().minusMillis(1)).name();
    }

    /** The first epoch that has not begun: senders have a new bundle before. */
    private Epoch nextEpoch() {
        return epochs.at(epochs.at(now).to());
    }

    private boolean hasBegun(Epoch epoch) {
        return !epoch.from().isAfter(now);
    }

    private static String named(NextProfile next) {
        return number(next).map(number -> "rules " + number).orElse("later rules, which this software does not know,");
    }

    private static Optional<Integer> number(NextProfile next) {
        return known(next).map(ExtractorProfile::rules);
    }

    private static Optional<ExtractorProfile> known(NextProfile next) {
        try {
            return Optional.of(ExtractorProfile.decode(next.encoded()));
        } catch (MalformedEncodingException e) {
            return Optional.empty(); // of later software
        }
    }
}
