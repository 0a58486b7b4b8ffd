package dev.veilgate.extract;

import dev.veilgate.extract.ForeignSyntax.Finding;
import dev.veilgate.extract.QueryToken.Kind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Makes a query that can be read of one that cannot, as its author may have meant it. */
final class QueryRepair {
    /** How often what was put in place is looked at again: {@code -user=root} takes two. */
    private static final int ROUNDS = 4;

    private static final int MOST = 3;

    private final ExtractorProfile profile;
    private final KeywordQuery.Fields own;

    QueryRepair(ExtractorProfile profile, KeywordQuery.Fields own) {
        this.profile = profile;
        this.own = own;
    }

    /** Queries that can be read, the likeliest first; none if there is no telling. */
    List<String> of(String query) {
        Set<String> suggestions = new LinkedHashSet<>();
        for (int choice = 0; choice < MOST; choice++) {
            Optional<String> suggestion = rewritten(query, choice).flatMap(this::completed);
            if (choice == 0 && suggestion.isEmpty()) {
                break; // where the likeliest cannot be written, the others would find something else
            }
            suggestion.ifPresent(suggestions::add);
        }
        suggestions.remove(query);
        return List.copyOf(suggestions);
    }

    /** @param choice which of the ways to write something, where there are several */
    private Optional<String> rewritten(String query, int choice) {
        String now = query;
        for (int round = 0; round < ROUNDS; round++) {
            List<Finding> findings = new ForeignSyntax(now, profile, own).find();
            if (findings.isEmpty()) {
                return Optional.of(now);
            }
            StringBuilder next = new StringBuilder();
            int from = 0;
            for (Finding finding : findings) {
                if (finding.instead().isEmpty()) {
                    return Optional.empty();
                }
                next.append(now, from, finding.from());
                next.append(
                        finding.instead().get(Math.min(choice, finding.instead().size() - 1)));
                from = finding.to();
                boolean leavesSpaces = next.isEmpty() || QueryToken.isSpace(next.charAt(next.length() - 1));
                if (finding.from() < finding.to()
                        && leavesSpaces
                        && from < now.length()
                        && QueryToken.isSpace(now.charAt(from))) {
                    from++;
                }
            }
            now = next.append(now.substring(from)).toString();
            if (now.length() > KeywordQuery.MAX_CHARACTERS) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** As it is, or without operators at its ends, or with what closes its quotes and parentheses. */
    private Optional<String> completed(String query) {
        String text = query.strip();
        return Stream.of(text, trimmed(text), text + '"', trimmed(text) + closing(text))
                .filter(this::isRead)
                .findFirst();
    }

    private static String trimmed(String query) {
        List<QueryToken> tokens = new ArrayList<>(QueryToken.of(query));
        while (!tokens.isEmpty() && tokens.getLast().is(Kind.OPERATOR)) {
            tokens.removeLast();
        }
        while (!tokens.isEmpty()
                && tokens.getFirst().is(Kind.OPERATOR)
                && !tokens.getFirst().text().equals("NOT")) {
            tokens.removeFirst();
        }
        return tokens.isEmpty()
                ? ""
                : query.substring(tokens.getFirst().from(), tokens.getLast().to());
    }

    private static String closing(String query) {
        int open = 0;
        for (QueryToken token : QueryToken.of(query)) {
            open += token.is(Kind.OPEN) ? 1 : token.is(Kind.CLOSE) ? -1 : 0;
        }
        return ")".repeat(Math.clamp(open, 0, QueryParser.MAX_OPEN));
    }

    /** Whether a query can be read. */
    boolean isRead(String query) {
        try {
            new QueryParser(query, profile, own).parse();
            return true;
        } catch (MalformedQueryException e) {
            return false;
        }
    }
}
