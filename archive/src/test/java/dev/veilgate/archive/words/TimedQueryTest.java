package dev.veilgate.archive.words;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.segments.Question;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** All of a query is of the span of time, whatever brackets its words have. */
class TimedQueryTest {
    private static final Optional<Instant> FROM = Optional.of(Instant.parse("2026-11-01T00:00:00Z"));
    private static final String SPAN = "time:>=2026-11-01t00:00";

    private static String timed(String query) throws RefusedException {
        return TimedQuery.of(query, FROM, Optional.empty());
    }

    @Test
    void wordsWithBracketsAreAskedWithTheTime() throws RefusedException {
        for (String query : new String[] {"owl", "owl OR lark", "main(", "main()", "owl main(", "(owl OR main())"}) {
            assertThat(ArchiveQuestion.parse(timed(query)))
                    .as(query)
                    .isEqualTo(new Question.And(List.of(ArchiveQuestion.parse(query), ArchiveQuestion.parse(SPAN))));
        }
    }

    @Test
    void noBracketOfAWordEndsThoseAroundTheQuery() {
        for (String query : new String[] {"owl) OR lark", "owl) OR lark)", "owl) (lark OR root)", "owl) (lark))"}) {
            assertThatThrownBy(() -> timedQuestion(query)).as(query).isInstanceOf(RefusedException.class);
        }
    }

    private static Question timedQuestion(String query) throws RefusedException {
        return ArchiveQuestion.parse(timed(query));
    }
}
