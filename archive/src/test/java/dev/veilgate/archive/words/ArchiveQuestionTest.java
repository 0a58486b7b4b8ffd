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

    private static Question between(String field, String from, String below) {
        return new Question.Between(field, from, below);
    }

    @Test
    void rangesOfNumbersAreOfTheirFieldInOrder() throws Exception {
        assertThat(parse("status:500..599")).isEqualTo(between("status:", "p5025", "p502599\u0001"));
        assertThat(parse("status:>=500")).isEqualTo(between("status:", "p5025", "q"));
        assertThat(parse("status:>500")).isEqualTo(between("status:", "p5025\u0001", "q"));
        assertThat(parse("status:<500")).isEqualTo(between("status:", "n", "p5025"));
        assertThat(parse("seconds:-0.25..0")).isEqualTo(between("seconds:", "n50074~", "o\u0001"));
        assertThat(parse("seconds:-1")).isEqualTo(between("seconds:", "n4998~", "n4998~\u0001"));
        assertThat(parse("message-id:<1@example.org>")).isEqualTo(word("message-id", "1@example.org"));
        assertThat(parse("(status:>=500)")).isEqualTo(parse("status:500.."));
        assertThat(parse("file:../owl")).isEqualTo(word("file", "owl"));
    }

    @Test
    void timesAreAllOfTheirYearMonthDayHourOrMinute() throws Exception {
        assertThat(parse("time:2026")).isEqualTo(between("time:", "2026-01-01", "2027-01-01"));
        assertThat(parse("time:2026-12")).isEqualTo(between("time:", "2026-12-01", "2027-01-01"));
        assertThat(parse("@timestamp:>=2026-02-28")).isEqualTo(between("time:", "2026-02-28", "a"));
        assertThat(parse("time:2026-02-28..2026-02-28T12"))
                .isEqualTo(between("time:", "2026-02-28", "2026-02-28t13:00"));
        assertThat(parse("time:\"2026-11\"")).isInstanceOf(Question.And.class);
        assertThat(parse("time:<2026-11-27T12:59")).isEqualTo(between("time:", "0", "2026-11-27t12:59"));
        assertThat(parse("time:>2026-11-27T12:59")).isEqualTo(between("time:", "2026-11-27t13:00", "a"));
        assertThat(parse("created:2026-11..2026-12-24")).isEqualTo(between("created:", "2026-11-01", "2026-12-25"));
        assertThat(parse("date:2026-11-27"))
                .isEqualTo(or(between("time:", "2026-11-27", "2026-11-28"), word("date", "2026-11-27")));
    }

    @Test
    void levelsAreOrderedAndHaveOtherNames() throws Exception {
        assertThat(parse("level:ERR")).isEqualTo(word("level", "error"));
        assertThat(parse("level:>=alert"))
                .isEqualTo(or(word("level", "alert"), word("level", "emergency"), word("level", "fatal")));
        assertThat(parse("severity:warning..error")).isEqualTo(or(word("level", "warn"), word("level", "error")));
        assertThat(parse("severity:error")).isEqualTo(or(word("level", "error"), word("severity", "error")));
        assertThat(parse("host:press-4")).isEqualTo(word("host", "press-4"));
        assertThat(parse("host:press-*")).isEqualTo(new Question.Pattern("host", "press-*"));
        assertThat(parse("10.0.*")).isEqualTo(new Question.Pattern("text", "10.0.*"));
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
            "strix:1..x",
            "strix:9..1",
            "strix:>owl",
            "strix:>=",
            "strix>=500",
            "time:strix",
            "time:2026-13",
            "time:2026-12..2026-11",
            "level:>fatal",
            "level:>=strix",
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
