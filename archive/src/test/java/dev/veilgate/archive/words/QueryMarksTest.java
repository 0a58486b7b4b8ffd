package dev.veilgate.archive.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.sse.RefusedException;
import dev.veilgate.testing.ProcessorTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Words of a query are marked where a text has them, whatever their case. */
class QueryMarksTest {
    private static String marked(String query, String text) throws RefusedException {
        StringBuilder marked = new StringBuilder();
        int at = 0;
        for (QueryMarks.Mark mark : new QueryMarks(query).in(text)) {
            marked.append(text, at, mark.from())
                    .append('[')
                    .append(text, mark.from(), mark.to())
                    .append(']');
            at = mark.to();
        }
        return marked.append(text.substring(at)).toString();
    }

    @Test
    void wholeWordsAreMarkedInAnyCase() throws Exception {
        assertThat(marked("owl lark", "Owl, owls and LARK-owl")).isEqualTo("[Owl], owls and [LARK]-[owl]");
        assertThat(marked("text:\"night owl\"", "the night owl, the owl")).isEqualTo("the [night] [owl], the [owl]");
    }

    @Test
    void wordsOfAShapeAreMarked() throws Exception {
        assertThat(marked("ow* ?ark", "owls, lark, bark, park1")).isEqualTo("[owls], [lark], [bark], park1");
        assertThat(marked("*wl*", "fowler owl hawk")).isEqualTo("[fowler] [owl] hawk");
    }

    @Test
    void whatMustBeAbsentIsNotMarked() throws Exception {
        assertThat(marked("owl NOT lark wren", "owl lark wren")).isEqualTo("[owl] lark [wren]");
        assertThat(marked("owl NOT (lark OR (wren heron)) crane", "owl lark wren heron crane"))
                .isEqualTo("[owl] lark wren heron [crane]");
    }

    @Test
    void piecesOfWordsWithoutSpacesAreMarked() throws Exception {
        assertThat(marked("東京", "は東京都です")).isEqualTo("は[東京]都です");
    }

    @Test
    void manyStarsAndALongLineTakeNoLongTime() throws Exception {
        String text = "a".repeat(1 << 20);
        ProcessorTime.bounded(Duration.ofSeconds(20), () -> new QueryMarks("a" + "*a".repeat(50) + "*b").in(text));
    }
}
