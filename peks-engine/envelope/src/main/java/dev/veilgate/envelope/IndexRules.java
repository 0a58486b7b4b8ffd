package dev.veilgate.envelope;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * By which rules the keywords of an envelope were made of its records. It stands in the header, in clear and bound to
 * all else, so that whoever opens the envelope
 * can make the same keywords again, and a gateway can refuse rules that its tenant has given up. An envelope without
 * it is of rules 1 and of a profile that nobody names.
 *
 * @param rules     number of the rules of dev.veilgate.extract.ExtractorProfile; 0 if the caller gave the keywords
 * @param profileId first 16 bytes of SHA-256 of the encoded profile, of rules 1 and more; nothing of rules 0
 */
public record IndexRules(int rules, byte[] profileId) {
    /** Bytes of {@link #profileId}. */
    public static final int PROFILE_ID_BYTES = 16;

    /** The keywords are the caller's: nothing is known of how they were made. */
    public static final IndexRules OF_CALLER = new IndexRules(0, new byte[0]);

    /** @throws IllegalArgumentException for a negative number, or an id of another length */
    public IndexRules {
        if (rules < 0 || profileId.length != (rules == 0 ? 0 : PROFILE_ID_BYTES)) {
            throw new IllegalArgumentException(
                    "index rules have a number, and from 1 on a profile's id of " + PROFILE_ID_BYTES + " bytes");
        }
        profileId = profileId.clone();
    }

    /**
     * The rules of a profile.
     *
     * @param encodedProfile as it is in the bundle, byte for byte
     */
    public static IndexRules of(int rules, byte[] encodedProfile) {
        return new IndexRules(rules, Arrays.copyOf(Hashes.sha256(encodedProfile), PROFILE_ID_BYTES));
    }

    /** A copy of the id. */
    @Override
    public byte[] profileId() {
        return profileId.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IndexRules that && rules == that.rules && Arrays.equals(profileId, that.profileId);
    }

    @Override
    public int hashCode() {
        return 31 * rules + Arrays.hashCode(profileId);
    }

    @Override
    public String toString() {
        return "rules " + rules
                + (rules == 0 ? "" : " of profile " + HexFormat.of().formatHex(profileId));
    }
}
