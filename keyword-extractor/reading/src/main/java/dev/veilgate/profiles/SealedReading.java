package dev.veilgate.profiles;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.ExtractorProfile.WordPrefixes;
import dev.veilgate.extract.FieldNames;
import dev.veilgate.peks.DyadicIntervals;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.function.IntPredicate;

/**
 * Losses of a changed profile: records that were sealed by the one before, and would be searched otherwise. A search
 * reads its query by the present profile of each of the rules, so that a profile which is in use can only be added to.
 */
final class SealedReading {
    private SealedReading() {}

    /**
     * Reasons why records of the former profile would be searched otherwise.
     *
     * <p>Gives: if there is none, each query that the former profile understands asks for the same keywords by both.
     * Does not give: that sealed records are found by what is added.
     */
    static List<String> losses(ExtractorProfile former, ExtractorProfile changed) {
        List<String> losses = new ArrayList<>();
        if (former.rules() != changed.rules()) {
            losses.add("its rules are others");
        }
        if (!former.limits().equals(changed.limits())) {
            losses.add("its limits are others");
        }
        ofNetworks(former, changed, losses);
        ofFields(former, changed, losses);
        ofNumbers(former, changed, losses);
        if (!isWithin(former.wordPrefixes(), changed.wordPrefixes())) {
            losses.add("prefixes of words are left out");
        }
        SortedSet<String> languages = changed.stemLanguages(); // none: as detected
        if (!languages.isEmpty()
                && (former.stemLanguages().isEmpty() || !languages.containsAll(former.stemLanguages()))) {
            losses.add("languages of stems are left out");
        }
        return losses;
    }

    /** Networks that are not indexed are asked for by those in them that are, so that a length between may not come. */
    private static void ofNetworks(ExtractorProfile former, ExtractorProfile changed, List<String> losses) {
        ofLengths(former.ipPrefixes(), changed.ipPrefixes(), former::asksNetworks, "networks", losses);
        ofLengths(former.ip6Prefixes(), changed.ip6Prefixes(), former::asksNetworksOfIp6, "networks of IPv6", losses);
    }

    private static void ofLengths(
            SortedSet<Integer> former,
            SortedSet<Integer> changed,
            IntPredicate isAsked,
            String what,
            List<String> losses) {
        for (int bits : former) {
            if (!changed.contains(bits)) {
                losses.add(what + " of " + bits + " bits are left out");
            }
        }
        for (int bits : changed) {
            if (!former.contains(bits) && isAsked.test(bits)) {
                losses.add(what + " of " + bits + " bits are asked for by smaller ones, which sealed records have");
            }
        }
    }

    private static void ofFields(ExtractorProfile former, ExtractorProfile changed, List<String> losses) {
        for (String field : former.fields()) {
            if (!changed.fields().contains(field)) {
                losses.add("the field " + field + " is left out");
            }
        }
        boolean isEachIndexed = former.limits().fields() > 0;
        for (String field : changed.fields()) {
            if (!isEachIndexed
                    && !former.fields().contains(field)
                    && FieldNames.common(field).isPresent()) {
                losses.add("queries for " + field + " ask for "
                        + FieldNames.common(field).get() + ", and no longer once that field is listed");
            }
        }
    }

    /** A numeric field is asked for by ranges alone: a number that was indexed as a value is not found by them. */
    private static void ofNumbers(ExtractorProfile former, ExtractorProfile changed, List<String> losses) {
        for (DyadicIntervals field : former.numericFields()) {
            if (!changed.numericFields().contains(field)) {
                losses.add("the numeric field " + field.field() + " is left out or has another range");
            }
        }
        for (DyadicIntervals field : changed.numericFields()) {
            if (former.numericField(field.field()).isEmpty()) {
                losses.add("numbers of " + field.field()
                        + " are asked for by ranges once that field is numeric, which sealed records do not have");
            }
        }
    }

    private static boolean isWithin(WordPrefixes former, WordPrefixes changed) {
        return !former.enabled()
                || changed.enabled()
                        && changed.shortest() <= former.shortest()
                        && changed.longest() >= former.longest();
    }
}
