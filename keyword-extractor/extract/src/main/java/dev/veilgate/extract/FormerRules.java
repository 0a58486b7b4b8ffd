package dev.veilgate.extract;

import dev.veilgate.peks.Keyword;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Kinds of keywords that records indexed by rules 1 do not have, although they tell of the same: only later rules make
 * these, and an index that was sealed before stays as it is.
 */
final class FormerRules {
    private FormerRules() {}

    /**
     * A sentence that names what is missing; empty if nothing is.
     *
     * @param latest how the query is read by later rules
     */
    static Optional<String> missing(KeywordQuery latest) {
        Set<String> kinds = new LinkedHashSet<>();
        Set<String> fields = new TreeSet<>();
        for (Keyword keyword : latest.keywords()) {
            switch (keyword.field()) {
                case "path" -> kinds.add("a path by a folder that it lies in");
                case SourceKeyword.FIELD -> kinds.add("a source by its last name, or by a folder that it lies in");
                case "time" -> kinds.add("the time of a line in a form that only later rules read");
                case "date" -> kinds.add("the date of a mail in an obsolete form");
                case "filename", "attachment-type" ->
                    kinds.add("an attachment whose name is in several parts or in a charset of its own");
                default -> {
                    if (UnspacedScripts.in(keyword.value())) {
                        kinds.add("a part of a text that has no spaces between its words, in a log");
                    } else if (KnownFields.isOfForms(keyword.field())) {
                        fields.add(keyword.field());
                    }
                }
            }
        }
        if (!fields.isEmpty()) {
            kinds.add("the " + String.join(", ", fields) + " of a line that is neither JSON nor pairs");
        }
        return kinds.isEmpty()
                ? Optional.empty()
                : Optional.of("Records that were indexed by rules 1 do not have all of this, and are not found by it: "
                        + String.join("; ", kinds) + ".");
    }
}
