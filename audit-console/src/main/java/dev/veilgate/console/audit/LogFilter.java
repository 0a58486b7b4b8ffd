package dev.veilgate.console.audit;

import dev.veilgate.console.http.ProblemException;
import dev.veilgate.issuing.DetailName;
import dev.veilgate.issuing.LogEntry;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Entries of the issuing log that somebody looks for: each part that is given must hold. Details that are sealed are
 * not looked into, by nobody: whether a word is in them would be told without an entry that says who asked.
 *
 * @param kind  as the interface names it
 * @param actor whole
 * @param scope one of those that an entry names, whole
 * @param text  some characters of the actor, the kind or a detail in clear, in capitals or not
 * @param from  not before
 * @param to    before
 */
record LogFilter(
        @Nullable String kind,
        @Nullable String actor,
        @Nullable String scope,
        @Nullable String text,
        @Nullable Instant from,
        @Nullable Instant to)
        implements Predicate<LogEntry> {
    private static final int MAX_TEXT = 200;

    /** @throws ProblemException 400 for a text that is too long, and for times the wrong way round */
    LogFilter {
        if (text != null && text.length() > MAX_TEXT) {
            throw ProblemException.malformed("text has at most " + MAX_TEXT + " characters");
        }
        if (from != null && to != null && !from.isBefore(to)) {
            throw ProblemException.malformed("from must be before to");
        }
    }

    @Override
    public boolean test(LogEntry entry) {
        return (kind == null || LogPages.kind(entry).equals(kind))
                && (actor == null || entry.actor().equals(actor))
                && (from == null || !entry.time().isBefore(from))
                && (to == null || entry.time().isBefore(to))
                && (scope == null || isOf(entry, scope))
                && (text == null || has(entry, text.strip().toLowerCase(Locale.ROOT)));
    }

    private static boolean isOf(LogEntry entry, String scope) {
        String scopes = entry.details().getOrDefault(DetailName.SCOPE, "");
        return Arrays.asList(scopes.split(" ")).contains(scope);
    }

    private static boolean has(LogEntry entry, String folded) {
        return Stream.concat(
                        Stream.of(entry.actor(), LogPages.kind(entry)),
                        entry.details().entrySet().stream()
                                .flatMap(detail -> Stream.of(detail.getKey(), detail.getValue())))
                .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains(folded));
    }

    @Override
    public String toString() {
        return "LogFilter[hidden]";
    }
}
