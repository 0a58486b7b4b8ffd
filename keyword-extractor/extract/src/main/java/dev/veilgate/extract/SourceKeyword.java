package dev.veilgate.extract;

import dev.veilgate.peks.Keyword;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The keyword {@code source:<name>} of where a record came from: the path of a file, a unit of the journal, standard
 * input. It is what the sender says, not what the record says, so no field of a record is indexed under this name. By
 * rules 2 a source is also found by its last name ({@code auth.log}) and by each folder that it lies in.
 */
public final class SourceKeyword {
    /** Its field. */
    public static final String FIELD = "source";

    private SourceKeyword() {}

    /** The keyword of a name, normalised and cut as every value; empty for a name of white space. */
    public static Optional<Keyword> of(String name, ExtractorProfile profile) {
        String value = KeywordText.value(name, profile.limits().valueBytes());
        return value.isEmpty() ? Optional.empty() : Optional.of(Keyword.text(FIELD, value));
    }

    /** All keywords of the name of where a record came from, that of the whole name first; none for white space. */
    public static Set<Keyword> ofRecord(String name, ExtractorProfile profile) {
        Set<Keyword> all = new LinkedHashSet<>();
        of(name, profile).ifPresent(all::add);
        if (profile.rules() == ExtractorProfile.RULES) {
            return all;
        }
        int most = Math.min(name.length(), profile.limits().valueBytes());
        for (int at = 1; at < most; at++) {
            if (isSeparator(name.charAt(at)) && !isSeparator(name.charAt(at - 1))) {
                of(name.substring(0, at), profile).ifPresent(all::add);
            }
        }
        int last = Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\'));
        of(name.substring(last + 1), profile).ifPresent(all::add);
        return all;
    }

    private static boolean isSeparator(char c) {
        return c == '/' || c == '\\';
    }
}
