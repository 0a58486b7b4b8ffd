package dev.veilgate.extract;

import dev.veilgate.extract.ForeignSyntax.Finding;
import dev.veilgate.extract.QueryToken.Kind;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Braces round a part of a query: labels of log stores, and terms of which one must be there of mail programs. */
final class ForeignBraces {
    private static final Pattern BRACES = Pattern.compile("\\{([^{}]*+)\\}");
    private static final Pattern EITHER = Pattern.compile("(?<![^\\s(-])\\{([^{}()]++)\\}(?![^\\s)])");
    private static final Pattern LABEL = Pattern.compile("^([\\p{L}_][\\p{L}\\p{N}_.-]*+)\\s*+(=~|!~|!=|=)\\s*+"
            + "(?:\"([^\"\\\\]++)\"|'([^'\"\\\\]++)'|`([^`\"\\\\]++)`)");
    private static final String BRACED =
            "begins with braces, as queries of other log stores do: here fields and words stand without them";

    private final String query;
    private final ForeignTerms terms;
    private final KeywordQuery.Fields own;

    ForeignBraces(String query, ForeignTerms terms, KeywordQuery.Fields own) {
        this.query = query;
        this.terms = terms;
        this.own = own;
    }

    /** Finds braces, with what may be written in their place; null if there are none that would be read otherwise. */
    @Nullable
    Finding find() {
        boolean isOfMails = own.keywords("from", "x").isPresent();
        Finding either = isOfMails ? either() : null;
        Matcher braces = BRACES.matcher(query);
        return either == null && braces.lookingAt() ? braces(braces) : either;
    }

    /** <code>{app="sshd", host="press-4"}</code> of log stores, <code>{a b}</code> of mail programs. */
    private Finding braces(Matcher found) {
        StringBuilder fields = new StringBuilder();
        for (String part : found.group(1).split(",")) {
            Matcher label = LABEL.matcher(part.strip());
            List<String> instead = label.matches() ? label(label) : List.of();
            if (instead.isEmpty()) {
                return new Finding(found.start(1) - 1, found.end(), BRACED, List.of());
            }
            fields.append(fields.isEmpty() ? "" : " AND ").append(instead.getFirst());
        }
        return new Finding(found.start(1) - 1, found.end(), BRACED, List.of(fields.toString()));
    }

    /** Mail programs have braces round terms of which one must be there. */
    private @Nullable Finding either() {
        Matcher braces = EITHER.matcher(query);
        if (!braces.find()
                || QueryToken.of(query.substring(0, braces.start())).stream().anyMatch(ForeignBraces::isOpenQuote)) {
            return null;
        }
        StringBuilder each = new StringBuilder();
        int end = 0;
        for (QueryToken token : QueryToken.of(braces.group(1))) {
            each.append(each.isEmpty() ? "(" : token.from() > end ? " OR " : "").append(token.text());
            end = token.to();
        }
        List<String> instead =
                each.isEmpty() ? List.of() : List.of(each.append(')').toString());
        return new Finding(braces.start(), braces.end(), BRACED, instead);
    }

    private static boolean isOpenQuote(QueryToken token) {
        return token.is(Kind.QUOTED)
                && (token.text().length() == 1 || !token.text().endsWith("\""));
    }

    /** A name, a sign and a value in one of three kinds of quotes; a star in it is no wildcard there. */
    private List<String> label(Matcher label) {
        String value =
                label.group(3) != null ? label.group(3) : label.group(4) != null ? label.group(4) : label.group(5);
        String quoted = '"' + value + '"';
        return switch (label.group(2)) {
            case "=" -> List.of(label.group(1) + ":" + quoted);
            case "!=" -> List.of("NOT " + label.group(1) + ":" + quoted);
            default -> terms.compared(label.group(1), label.group(2), quoted).instead();
        };
    }
}
