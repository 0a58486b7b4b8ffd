package dev.veilgate.archive.words;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.Ask;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseExpression;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Questions become the keywords that documents have. */
class ArchiveQueryTest {
    private static final Set<Ask> ALL = Set.of(Ask.values());

    private static SseExpression parse(String query) throws RefusedException {
        return ArchiveQuery.parse(query, ALL);
    }

    private static SseExpression word(String field, String value) {
        return new SseExpression.Word(Keyword.text(field, value));
    }

    private static SseExpression all(SseExpression... parts) {
        return new SseExpression.AllOf(List.of(parts));
    }

    @Test
    void wordsAreFoldedAndOfTheText() throws Exception {
        assertThat(parse("Owl")).isEqualTo(word("text", "owl"));
        assertThat(parse("word:OWL")).isEqualTo(word("text", "owl"));
        assertThat(parse("text:42")).isEqualTo(word("text", "42"));
        assertThat(parse(" 10.0.0.1 ")).isEqualTo(word("text", "10.0.0.1"));
        assertThat(parse("MÜNCHEN")).isEqualTo(word("text", "münchen"));
        assertThat(parse("fe80::1")).isEqualTo(word("text", "fe80::1"));
    }

    @Test
    void fieldsOfMailsAndTablesAreTold() throws Exception {
        assertThat(parse("subject:Owl")).isEqualTo(word("subject", "owl"));
        assertThat(parse("from:Ada@Example.org")).isEqualTo(word("from", "ada@example.org"));
        assertThat(parse("from:@münchen.example")).isInstanceOf(SseExpression.Word.class);
        assertThat(parse("filename:*.pdf")).isEqualTo(word("filename", "*.pdf"));
        assertThat(parse("message-id:<1@a.example>")).isEqualTo(word("message-id", "1@a.example"));
        assertThat(parse("date:2026-11-21")).isEqualTo(word("date", "2026-11-21"));
        assertThat(parse("City:Lima")).isEqualTo(word("city", "lima"));
    }

    @Test
    void severalWordsMustAllBeThere() throws Exception {
        assertThat(parse("owl AND root  owl")).isEqualTo(all(word("text", "owl"), word("text", "root")));
        assertThat(parse("subject:\"Night Owl\"")).isEqualTo(all(word("subject", "night"), word("subject", "owl")));
        assertThat(parse("\"night owl\"")).isEqualTo(all(word("text", "night"), word("text", "owl")));
        assertThat(parse("from:\"ada.lovelace\"")).isEqualTo(all(word("from", "ada"), word("from", "lovelace")));
    }

    @Test
    void starsAskForBeginningsAndPatterns() throws Exception {
        assertThat(parse("Ow*")).isEqualTo(new SseExpression.Prefix(Keyword.text("text", "ow")));
        assertThat(parse("subject:ow*")).isEqualTo(new SseExpression.Prefix(Keyword.text("subject", "ow")));
        assertThat(parse("from:ada@*")).isEqualTo(new SseExpression.Prefix(Keyword.text("from", "ada@")));
        assertThat(parse("o*L")).isEqualTo(new SseExpression.Pattern("text", "o", "l"));
        assertThat(parse("*l")).isEqualTo(new SseExpression.Pattern("text", "", "l"));
        assertThat(ArchiveQuery.parse("ow*", Set.of(Ask.PATTERN)))
                .isEqualTo(new SseExpression.Pattern("text", "ow", ""));
        assertThat(ArchiveQuery.parse("ow*", Set.of(Ask.WORD))).isInstanceOf(SseExpression.Prefix.class);
    }

    @Test
    void rankingTakesWordsOnly() throws Exception {
        assertThat(ArchiveQuery.best("owl subject:root", 3))
                .isEqualTo(new SseExpression.Best(
                        List.of(Keyword.text("text", "owl"), Keyword.text("subject", "root")), 3));
        assertThatThrownBy(() -> ArchiveQuery.best("ow*", 3)).isInstanceOf(RefusedException.class);
    }

    @Test
    void whatNoSchemeAnswersIsRefusedWithoutRepeatingIt() {
        String many = "w%d ".repeat(65).formatted((Object[])
                IntStream.range(0, 65).boxed().toArray(Integer[]::new));
        for (String query : new String[] {
            "",
            "  ",
            "AND",
            "!!",
            "strix OR bubo",
            "NOT strix",
            "(strix)",
            "strix*bubo*",
            "*",
            "strix:*",
            "st-x*",
            "\"strix",
            many,
            "x".repeat(8193)
        }) {
            assertThatThrownBy(() -> parse(query))
                    .as(query)
                    .isInstanceOf(RefusedException.class)
                    .hasMessageNotContaining("strix");
        }
    }

    /** A value that is typed as it stands in a table finds its row. */
    @Test
    void everyValueIsFoundByWhatItIs() throws Exception {
        String[] values = {
            "Lima",
            "New York",
            "ada@example.org",
            "10.0.0.1",
            "2026-11-21",
            "/var/log/syslog",
            "東京都",
            "3.14",
            "a_b-c",
            "Straße",
            "C3PO",
            "<1@x.example>",
            "user@[10.0.0.1]"
        };
        for (String column :
                new String[] {"City", "from", "subject", "date", "filename", "message-id", "text", "list-id"}) {
            for (String value : values) {
                Set<Keyword> words = new DocumentWords()
                        .value(column, value)
                        .counts()
                        .toMap()
                        .keySet();
                SseExpression question = parse(column + ":\"" + value + "\"");
                List<SseExpression> parts =
                        question instanceof SseExpression.AllOf all ? all.parts() : List.of(question);
                assertThat(parts)
                        .as(column + ":" + value)
                        .allSatisfy(part -> assertThat(words).contains(((SseExpression.Word) part).word()));
            }
        }
    }
}
