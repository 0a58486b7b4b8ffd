package dev.veilgate.truth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.Keyword;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The smallest cases that {@link QueryTruthLawsTest} found: wrong in silence by a known cause, or mended since. */
class KnownCasesTest {
    /** @param cause {@code -} if none is known */
    private record Line(
            String cause, boolean isMail, int rules, Set<String> seen, String query, boolean isMeant, String record) {
        static Line of(String text) {
            String[] column = text.split("\t", -1);
            return new Line(
                    column[0],
                    column[1].equals("mail"),
                    Integer.parseInt(column[2]),
                    Arrays.stream(column[3].split(" "))
                            .filter(name -> !name.isEmpty())
                            .collect(Collectors.toSet()),
                    column[4],
                    column[5].equals("found"),
                    column[6]);
        }

        Answer answer(String asked) {
            return isMail ? Answer.ofMails(asked, rules) : Answer.ofLogs(asked, rules, seen);
        }

        /** Whether neither the answer is right, nor anything is said, or what is suggested finds what was not meant. */
        boolean isWrongInSilence() {
            Set<Keyword> keywords =
                    isMail ? Answer.ofMail(record.replace("\\n", "\n"), rules) : Answer.ofLine(record, rules);
            Answer answer = answer(query);
            if (!answer.isRefused() && !answer.isWarned() && answer.finds(keywords) != isMeant) {
                return true;
            }
            return !isMeant
                    && answer.suggestions().stream()
                            .limit(1)
                            .map(this::answer)
                            .anyMatch(suggested ->
                                    !suggested.isRefused() && !suggested.isWarned() && suggested.finds(keywords));
        }
    }

    private static List<Line> lines() throws IOException {
        try (InputStream in = KnownCasesTest.class.getResourceAsStream("known-cases.tsv")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Line::of)
                    .toList();
        }
    }

    private static List<Line> linesThat(Predicate<Line> are) throws IOException {
        return lines().stream().filter(are).toList();
    }

    @Test
    void noAnswerWithoutAKnownCauseIsWrongInSilence() throws IOException {
        assertThat(linesThat(line -> line.cause().equals("-") && line.isWrongInSilence()))
                .isEmpty();
    }

    /** A line that is right now is marked with a hyphen, and its cause, if it was the last one, is taken out. */
    @Test
    void eachKnownCauseIsWrongInSilence() throws IOException {
        assertThat(linesThat(line -> !line.cause().equals("-") && !line.isWrongInSilence()))
                .isEmpty();
    }

    @Test
    void eachKnownCauseHasALine() throws IOException {
        Set<KnownCause> withLines = lines().stream()
                .filter(line -> !line.cause().equals("-"))
                .map(line -> KnownCause.valueOf(line.cause()))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(KnownCause.class)));
        assertThat(withLines).containsExactlyInAnyOrder(KnownCause.values());
    }
}
