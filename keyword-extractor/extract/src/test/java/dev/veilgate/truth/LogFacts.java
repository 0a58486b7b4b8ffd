package dev.veilgate.truth;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Content of a log record, known before it was written in a form.
 *
 * @param form   in which it is written
 * @param line   as it is written
 * @param fields in the order in which they were written
 * @param text   the message
 * @param time   {@code 2026-11-21T12:23} in UTC, or {@code --11-21T12:23} if the form has no year
 * @param read   the first rules that promise to read the form by its fields
 * @param open   roles of which the form may give the record further values
 */
record LogFacts(String form, String line, List<Fact> fields, String text, String time, int read, Set<Role> open) {
    /** Common meaning of a field. */
    enum Role {
        LEVEL,
        HOST,
        APP,
        PID,
        USER,
        NONE
    }

    /**
     * A field of a record.
     *
     * @param name by which the record has it; empty for a column of a header
     * @param read the first rules that promise its role
     */
    record Fact(String name, String value, Role role, int read) {
        Fact(String name, String value, Role role) {
            this(name, value, role, 1);
        }
    }

    /** Names of its fields, in small letters. */
    Set<String> names() {
        return fields.stream()
                .map(fact -> fact.name().toLowerCase(Locale.ROOT))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
    }

    LogFacts {
        fields = List.copyOf(fields);
        open = Set.copyOf(open);
    }
}
