package dev.veilgate.envelope;

import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.peks.IndexBlock;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A profile of later rules in a bundle, beside the profile of rules 1 that software of before goes on indexing by. Who
 * knows its rules makes keywords by it.
 *
 * @param encoded  the profile, as dev.veilgate.extract.ExtractorProfile encodes it; opaque here
 * @param from     the first epoch whose keywords are made by it
 * @param onlyFrom the epoch from which on these rules alone are taken; null if those of before are, too
 */
public record NextProfile(
        byte[] encoded, Epoch from, @Nullable Epoch onlyFrom) {
    /** @throws IllegalArgumentException for no bytes, or too many, or epochs in another order */
    public NextProfile {
        PublicBundleContent.check(
                encoded.length > 0 && encoded.length <= PublicBundleContent.MAX_PROFILE_BYTES,
                "next-profile: must have 1 to " + PublicBundleContent.MAX_PROFILE_BYTES + " bytes");
        PublicBundleContent.check(
                onlyFrom == null || !onlyFrom.from().isBefore(from.from()) && isNotBefore(onlyFrom.name(), from.name()),
                "next-profile: must be used before it is used alone");
        encoded = encoded.clone();
    }

    /** A copy of the profile. */
    @Override
    public byte[] encoded() {
        return encoded.clone();
    }

    /** Whether keywords of an epoch may be made by it. */
    public boolean isUsedIn(String epoch) {
        return isNotBefore(epoch, from.name());
    }

    /** Whether keywords of an epoch are made by it alone. */
    public boolean isAloneIn(String epoch) {
        return onlyFrom != null && isNotBefore(epoch, onlyFrom.name());
    }

    /**
     * Why an envelope is not taken: its keywords are of rules that searches of its epoch do not ask any more.
     *
     * <p>Gives: an envelope that says rules 1, or nothing, is named if a block of its index or its last record is of
     * {@link #onlyFrom} or later. Does not give: that the keywords are made by what the envelope says; a sender that
     * lies is found when its records are opened.
     *
     * @return what to do, in a sentence; empty if it is taken
     */
    public Optional<String> refusalOf(Envelope envelope) {
        Epoch first = onlyFrom;
        if (first == null || envelope.index().isEmpty()) {
            return Optional.empty();
        }
        boolean isOfFirstRules = envelope.indexRules().map(IndexRules::rules).orElse(1) == 1;
        boolean isLate = !envelope.last().isBefore(first.from())
                || envelope.index().stream().map(IndexBlock::epoch).anyMatch(this::isAloneIn);
        return isOfFirstRules && isLate
                ? Optional.of("its keywords are made by rules 1, which are not taken from epoch " + first.name()
                        + " on: update the software of its sender and give it the latest bundle")
                : Optional.empty();
    }

    /** By names, which sort by time where they are equally long, as those of one tenant are. */
    private static boolean isNotBefore(String epoch, String first) {
        return epoch.length() == first.length() && epoch.compareTo(first) >= 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NextProfile that
                && Arrays.equals(encoded, that.encoded)
                && from.equals(that.from)
                && Objects.equals(onlyFrom, that.onlyFrom);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encoded);
    }
}
