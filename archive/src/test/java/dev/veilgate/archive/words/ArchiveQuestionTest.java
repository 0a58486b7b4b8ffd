package dev.veilgate.archive.words;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.segments.Question;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Typed queries become questions of words, patterns and operators. */
class ArchiveQuestionTest {
    private static final Question OWL = word("text", "owl");
    private static final Question LARK = word("text", "lark");
    private static final Question WREN = word("text", "wren");

    private static Question word(String field, String value) {
        return new Question.Word(Keyword.text(field, value));
    }

    private static Question and(Question... parts) {
        return new Question.And(List.of(parts));
    }

    private static Question or(Question... parts) {
        return new Question.Or(List.of(parts));
    }

    private static Question not(Question part) {
        return new Question.Not(part);
    }

    private static Question parse(String query) throws RefusedException {
        return ArchiveQuestion.parse(query);
    }

    @Test
    void wordsSideBySideMustAllBeThere() throws Exception {
        assertThat(parse("Owl")).isEqualTo(OWL);
        assertThat(parse("owl LARK")).isEqualTo(and(OWL, LARK)).isEqualTo(parse("owl AND lark"));
        assertThat(parse("\"owl lark\" wren")).isEqualTo(and(and(OWL, LARK), WREN));
        assertThat(parse("subject:owl")).isEqualTo(word("subject", "owl"));
        assertThat(parse("subject:\"owl*\"")).isEqualTo(word("subject", "owl"));
    }

    @Test
    void notBindsCloserThanAndAndAndCloserThanOr() throws Exception {
        assertThat(parse("owl OR lark wren")).isEqualTo(or(OWL, and(LARK, WREN)));
        assertThat(parse("(owl OR lark) wren")).isEqualTo(and(or(OWL, LARK), WREN));
        assertThat(parse("owl NOT lark")).isEqualTo(and(OWL, not(LARK)));
        assertThat(parse("NOT owl OR lark")).isEqualTo(or(not(OWL), LARK));
        assertThat(parse("NOT NOT owl")).isEqualTo(not(not(OWL)));
        assertThat(parse("NOT (owl AND lark)")).isEqualTo(not(and(OWL, LARK)));
        assertThat(parse("((owl)(lark))")).isEqualTo(and(OWL, LARK));
        assertThat(parse("(\"owl\")")).isEqualTo(OWL);
        assertThat(parse("(subject:\"owl\" OR lark)")).isEqualTo(or(word("subject", "owl"), LARK));
    }

    @Test
    void starsAndQuestionMarksStandForLetters() throws Exception {
        assertThat(parse("Ow*")).isEqualTo(new Question.Pattern("text", "ow*"));
        assertThat(parse("*ow?l*")).isEqualTo(new Question.Pattern("text", "*ow?l*"));
        assertThat(parse("from:ada@*")).isEqualTo(new Question.Pattern("from", "ada@*"));
        assertThat(parse("filename:*.pdf")).isInstanceOf(Question.Word.class);
    }

    @Test
    void bracketsWithinATermAreText() throws Exception {
        assertThat(parse("main() owl")).isEqualTo(and(word("text", "main"), OWL));
        assertThat(parse("(main() OR owl)")).isEqualTo(or(word("text", "main"), OWL));
        assertThat(parse("owl)")).isEqualTo(OWL);
    }

    @Test
    void whatCannotBeReadIsRefusedWithoutRepeatingIt() {
        for (String query : new String[] {
            "",
            " ",
            "!!",
            "AND",
            "strix AND OR bubo",
            "strix OR",
            "strix AND",
            "(strix AND) bubo",
            "NOT",
            "()",
            "(strix",
            ")",
            "-strix",
            "bubo !strix",
            "*",
            "?*",
            "st-x*",
            "strix:*",
            "\"strix",
            "(".repeat(4000) + "strix" + ")".repeat(4000),
            "NOT ".repeat(2000) + "strix",
            "x".repeat(8193)
        }) {
            assertThatThrownBy(() -> parse(query))
                    .as(query)
                    .isInstanceOf(RefusedException.class)
                    .hasMessageNotContaining("strix");
        }
    }
}
