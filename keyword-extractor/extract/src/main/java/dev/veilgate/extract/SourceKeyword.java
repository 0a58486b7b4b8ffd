package dev.veilgate.extract;

import dev.veilgate.peks.Keyword;
import java.util.Optional;

/**
 * The keyword {@code source:<name>} of where a record came from: the path of a file, a unit of the journal, standard input. It is what the sender says, not
 * what the record says, so no field of a record is indexed under this name.
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
}
