package dev.veilgate.console.search;

import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.peks.Keyword;
import dev.veilgate.query.Expression;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Texts by which what was searched for is marked in what was found: those of terms that are not behind NOT. */
final class FoundMarks {
    private static final int MOST = 200;

    /**
     * A text that is marked where it stands as a whole word, whatever its case.
     *
     * @param isBeginning words that only begin with it, too
     */
    record Mark(String text, boolean isBeginning) {
        @Override
        public String toString() {
            return "Mark[hidden]";
        }
    }

    private FoundMarks() {}

    /** The marks of a query, each once; of very many the first. */
    static List<Mark> of(KeywordQuery query) {
        List<Integer> terms = new ArrayList<>();
        collect(query.expression(), terms);
        Set<Mark> marks = new LinkedHashSet<>();
        for (int term : terms) {
            for (Keyword keyword : query.terms().get(term)) {
                boolean isText = !keyword.isInterval() && !keyword.field().equals("template");
                if (isText && marks.size() < MOST) {
                    marks.add(mark(keyword));
                }
            }
        }
        return List.copyOf(marks);
    }

    private static Mark mark(Keyword keyword) {
        boolean isBeginning = switch (keyword.field()) {
            case "prefix", "ip-prefix", "stem" -> true;
            default -> false;
        };
        return new Mark(keyword.value(), isBeginning);
    }

    private static void collect(Expression expression, List<Integer> terms) {
        switch (expression) {
            case Expression.Term(int index) -> terms.add(index);
            case Expression.And(List<Expression> of) -> of.forEach(each -> collect(each, terms));
            case Expression.Or(List<Expression> of) -> of.forEach(each -> collect(each, terms));
            case Expression.Not _ -> {}
        }
    }
}
