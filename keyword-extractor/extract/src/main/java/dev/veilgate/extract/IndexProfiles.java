package dev.veilgate.extract;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.IndexRules;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.envelope.PublicBundle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The profiles by which a tenant's keywords are made: one of rules 1, and perhaps one of later rules. By these a
 * sender indexes, a search reads its query, and a record that was found is
 * read again. Immutable.
 */
public final class IndexProfiles {
    private final Used first;
    private final @Nullable NextProfile next;
    private final @Nullable Used later;

    /**
     * A profile, and how an envelope names it.
     *
     * @param rules to be written into envelopes whose keywords are made by it
     */
    public record Used(ExtractorProfile profile, IndexRules rules) {
        private static Used decode(byte[] encoded) throws MalformedEncodingException {
            ExtractorProfile profile = ExtractorProfile.decode(encoded);
            return new Used(profile, IndexRules.of(profile.rules(), encoded));
        }
    }

    private IndexProfiles(Used first, @Nullable NextProfile next, @Nullable Used later) {
        this.first = first;
        this.next = next;
        this.later = later;
    }

    /**
     * The profiles of a tenant.
     *
     * @param first encoded; none of its bytes for {@link ExtractorProfile#defaults()}
     * @param next  of later rules, if there is one; if this software does not know its rules, {@link #isOutdated}
     *              says so
     * @throws MalformedEncodingException if the first is none that this software follows
     */
    public static IndexProfiles of(byte[] first, Optional<NextProfile> next) throws MalformedEncodingException {
        Used used = Used.decode(first.length == 0 ? ExtractorProfile.defaults().encode() : first);
        return new IndexProfiles(used, next.orElse(null), next.isPresent() ? known(next.get()) : null);
    }

    /**
     * The profiles of a bundle.
     *
     * @throws MalformedEncodingException as {@link #of(byte[], Optional)}
     */
    public static IndexProfiles of(PublicBundle bundle) throws MalformedEncodingException {
        return of(bundle.extractorProfile(), bundle.nextProfile());
    }

    /** A single profile, of rules 1. */
    public static IndexProfiles of(ExtractorProfile profile) {
        return new IndexProfiles(new Used(profile, IndexRules.of(profile.rules(), profile.encode())), null, null);
    }

    private static @Nullable Used known(NextProfile next) {
        try {
            return Used.decode(next.encoded());
        } catch (MalformedEncodingException e) {
            return null; // of later software; one that is signed and damaged is no worse
        }
    }

    /**
     * Whether records of some epochs may be indexed by rules that this software does not know: they are found by their
     * other keywords alone.
     *
     * @param epochs by name
     */
    public boolean isOutdatedIn(Collection<String> epochs) {
        return next != null && later == null && epochs.stream().anyMatch(next::isUsedIn);
    }

    /** The profile that a sender indexes by: of the latest rules that it knows and that are used in the epoch. */
    public Used toSeal(String epoch) {
        return later != null && next != null && next.isUsedIn(epoch) ? later : first;
    }

    /**
     * The profiles by which records of some epochs may have been indexed, the latest first: a search asks what a
     * query means by each.
     *
     * @param epochs by name
     */
    public List<ExtractorProfile> ofEpochs(Collection<String> epochs) {
        List<ExtractorProfile> asked = new ArrayList<>();
        if (later != null && next != null && epochs.stream().anyMatch(next::isUsedIn)) {
            asked.add(later.profile());
        }
        if (later == null || next == null || !epochs.stream().allMatch(next::isAloneIn)) {
            asked.add(first.profile());
        }
        return asked;
    }

    /** All profiles, the latest rules first. */
    public List<ExtractorProfile> all() {
        return later == null ? List.of(first.profile()) : List.of(later.profile(), first.profile());
    }

    /** The profile of the latest rules that are known here. */
    public ExtractorProfile latest() {
        return later == null ? first.profile() : later.profile();
    }

    /** The profile of rules 1. */
    public ExtractorProfile first() {
        return first.profile();
    }

    /** The present profile of the rules by which an envelope was indexed; one that does not say so was by rules 1. */
    public ExtractorProfile ofEnvelope(Envelope envelope) {
        int rules = envelope.indexRules().map(IndexRules::rules).orElse(ExtractorProfile.RULES);
        return later != null && later.profile().rules() == rules ? later.profile() : first.profile();
    }
}
