package dev.veilgate.truth;

import dev.veilgate.peks.Keyword;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A question in the syntax of a product, over some records.
 *
 * @param seen names of fields that are known to the reader
 */
record Case(Syntax syntax, Meaning meaning, String query, int rules, Set<String> seen, List<Target> records) {
    /** A record or mail, and what is true of it. */
    record Target(String form, String text, boolean isMail, Function<Meaning, Verdict> truth, Set<Keyword> keywords) {}

    /** Outcome of a query for one record. */
    enum Outcome {
        /** Found, and meant; or neither. */
        RIGHT,
        /** Refused, and what is suggested first is right. */
        MENDED,
        /** Refused, and what is suggested first finds less than was meant. */
        LESS,
        /** Refused without a suggestion. */
        REFUSED,
        /** Not right, and a warning said that it may be so. */
        WARNED,
        /** Not right, and nothing said so. */
        WRONG,
        /** Nothing is promised of such a record. */
        OPEN
    }

    /** A record that is found and should not be, or the other way round, and nothing said so. */
    record Wrong(Case of, Target record, String asked, Kind kind) {
        @Override
        public String toString() {
            return "%s\t%s\trules %d%s\t%s\t%s\t%s\t%s"
                    .formatted(
                            kind,
                            of.syntax.product,
                            of.rules,
                            of.seen.isEmpty() ? "" : " seen",
                            record.form,
                            asked.equals(of.query) ? of.query : of.query + "  ->  " + asked,
                            record.text.replace("\n", "\\n").replace("\t", "\\t"),
                            of.meaning);
        }
    }

    /** In which way an answer is wrong. */
    enum Kind {
        /** A record that was meant is not found. */
        MISSES,
        /** A record that was not meant is found. */
        FINDS,
        /** A suggestion finds a record that was not meant. */
        SUGGESTS
    }

    Answer answer(String text) {
        return records.getFirst().isMail() ? Answer.ofMails(text, rules) : Answer.ofLogs(text, rules, seen);
    }

    Outcome outcome(Answer answer, Target record) {
        Verdict truth = record.truth().apply(meaning);
        if (answer.isRefused() && answer.suggestions().isEmpty()) {
            return Outcome.REFUSED;
        }
        if (truth == Verdict.OPEN) {
            return Outcome.OPEN;
        }
        if (answer.isRefused()) {
            boolean isFound = answer(answer.suggestions().getFirst()).finds(record.keywords());
            return isFound && truth == Verdict.NO
                    ? Outcome.WRONG
                    : isFound == (truth == Verdict.YES) ? Outcome.MENDED : Outcome.LESS;
        }
        boolean isRight = answer.finds(record.keywords()) == (truth == Verdict.YES);
        return isRight ? Outcome.RIGHT : answer.isWarned() ? Outcome.WARNED : Outcome.WRONG;
    }

    /** The wrong answer of one record, if there is one. */
    Optional<Wrong> wrong(Answer answer, Target record) {
        if (!answer.isRefused() && outcome(answer, record) == Outcome.WRONG) {
            Kind kind = answer.finds(record.keywords()) ? Kind.FINDS : Kind.MISSES;
            return Optional.of(new Wrong(this, record, query, kind));
        }
        boolean isMeant = record.truth().apply(meaning) != Verdict.NO;
        if (isMeant || answer.suggestions().isEmpty()) {
            return Optional.empty();
        }
        String first = answer.suggestions().getFirst();
        Answer suggested = answer(first);
        boolean isFound = !suggested.isRefused() && !suggested.isWarned() && suggested.finds(record.keywords());
        return isFound && !isAmbiguous(answer)
                ? Optional.of(new Wrong(this, record, first, Kind.SUGGESTS))
                : Optional.empty();
    }

    /**
     * Whether a text that was copied may as well be a question of another product, and what reads it as a text is
     * offered behind what reads it as that question.
     */
    private boolean isAmbiguous(Answer answer) {
        boolean isCopied = meaning.all().anyMatch(Meaning.Copied.class::isInstance);
        return isCopied
                && answer.suggestions().stream()
                        .skip(1)
                        .map(this::answer)
                        .anyMatch(other -> records.stream().allMatch(record -> findsNoMore(other, record)));
    }

    private boolean findsNoMore(Answer answer, Target record) {
        return record.truth().apply(meaning) != Verdict.NO || !answer.finds(record.keywords());
    }
}
