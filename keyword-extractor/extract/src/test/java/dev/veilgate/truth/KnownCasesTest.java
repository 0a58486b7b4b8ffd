package dev.veilgate.truth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.Keyword;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The smallest cases that {@link QueryTruthLawsTest} found: wrong in silence once, and mended since. */
class KnownCasesTest {
    /** @param seen names of fields that records are known to have */
    private record Line(boolean isMail, int rules, Set<String> seen, String query, boolean isMeant, String record) {
        static Line of(String text) {
            String[] column = text.split("\t", -1);
            return new Line(
                    column[0].equals("mail"),
                    Integer.parseInt(column[1]),
                    Arrays.stream(column[2].split(" "))
                            .filter(name -> !name.isEmpty())
                            .collect(Collectors.toSet()),
                    column[3],
                    column[4].equals("found"),
                    column[5]);
        }

        Answer answer(String asked) {
            return isMail ? Answer.ofMails(asked, rules) : Answer.ofLogs(asked, rules, seen);
        }

        /** Tells if the answer is wrong and nothing says so, or if a suggestion finds what was not meant. */
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

    @Test
    void noneIsWrongInSilence() throws IOException {
        assertThat(lines().stream().filter(Line::isWrongInSilence)).isEmpty();
    }
}
