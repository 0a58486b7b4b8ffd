package dev.veilgate.extract;

import dev.veilgate.extract.QueryToken.Kind;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Queries that begin as a command of a shell or of a log store does: {@code journalctl -u sshd}, {@code -p err}, {@code search level=error}. */
final class ForeignCommands {
    private static final Set<String> SHELL =
            Set.of("journalctl", "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "kubectl", "docker", "tail");
    private static final Set<String> STORES = Set.of("search", "where", "filter");
    private static final Set<String> SIGNS = Set.of("=", "==", "!=", ">", ">=", "<", "<=");
    private static final String WHY =
            "begins as a command does; here terms stand without it, and its options are fields";

    private final String query;
    private final List<QueryToken> tokens;
    private final ForeignTerms terms;

    ForeignCommands(String query, List<QueryToken> tokens, ForeignTerms terms) {
        this.query = query;
        this.tokens = tokens;
        this.terms = terms;
    }

    /** The command, or null if the query begins with something else. */
    ForeignSyntax.@Nullable Finding find() {
        if (tokens.size() < 2 || !tokens.getFirst().is(Kind.TERM)) {
            return null;
        }
        String first = tokens.getFirst().text();
        if (STORES.contains(first) && isComparison(1)) {
            return finding(tokens.get(1).from(), List.of(""));
        }
        int option = SHELL.contains(first) ? 1 : 0;
        String name = tokens.get(option).text();
        if (name.matches("--(?:since|until|unit|identifier|priority|grep)(?:=.*+)?")) {
            return finding(query.length(), List.of());
        }
        boolean isOption = name.matches("-[A-Za-z]") && tokens.get(option).is(Kind.TERM);
        if (!isOption
                || option + 1 == tokens.size()
                || tokens.get(option + 1).from() == tokens.get(option).to()) {
            return null;
        }
        QueryToken value = tokens.get(option + 1);
        List<String> instead = option + 2 < tokens.size() ? List.of() : field(name, value);
        return finding(value.to(), instead);
    }

    private ForeignSyntax.Finding finding(int to, List<String> instead) {
        return new ForeignSyntax.Finding(tokens.getFirst().from(), to, WHY, instead);
    }

    /** What an option of journalctl asks for. */
    private List<String> field(String option, QueryToken value) {
        return switch (option) {
            case "-u" -> List.of("unit:" + value.text());
            case "-t" -> List.of("app:" + value.text());
            case "-p" -> terms.compared("level", ">=", value.text()).instead();
            default -> List.of();
        };
    }

    private boolean isComparison(int at) {
        boolean isApart =
                at + 1 < tokens.size() && SIGNS.contains(tokens.get(at + 1).text());
        return tokens.get(at).is(Kind.TERM)
                && (ForeignTerms.COMPARED.matcher(tokens.get(at).text()).matches()
                        || isApart && ForeignTerms.isName(tokens.get(at).text()));
    }
}
