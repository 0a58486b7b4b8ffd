package dev.veilgate.extract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.extract.ExtractorProfile.WordPrefixes;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.peks.DyadicIntervals;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.query.Expression;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeywordQueryTest {
    private static final DyadicIntervals TEMPERATURE = new DyadicIntervals("temp", -64, 8);
    private static final ExtractorProfile PROFILE =
            ExtractorProfile.defaults().withNumericFields(TEMPERATURE).withIpPrefixes(8);

    /** AND by a blank, keywords of a term with bars between them, the rest as in a query. */
    private static String read(String query, ExtractorProfile profile) throws MalformedQueryException {
        KeywordQuery parsed = KeywordQuery.parse(query, profile);
        return text(parsed, parsed.expression());
    }

    private static String text(KeywordQuery query, Expression expression) {
        return switch (expression) {
            case Expression.Term term ->
                query.terms().get(term.index()).stream()
                        .map(k -> k.field() + ":" + k.value())
                        .collect(Collectors.joining("|"));
            case Expression.And and ->
                and.of().stream().map(e -> inner(query, e)).collect(Collectors.joining(" "));
            case Expression.Or or -> or.of().stream().map(e -> inner(query, e)).collect(Collectors.joining(" OR "));
            case Expression.Not not -> "NOT " + inner(query, not.of());
        };
    }

    private static String inner(KeywordQuery query, Expression expression) {
        boolean group = expression instanceof Expression.And || expression instanceof Expression.Or;
        return group ? "(" + text(query, expression) + ")" : text(query, expression);
    }

    private static String read(String query) throws MalformedQueryException {
        return read(query, PROFILE);
    }

    @Test
    void bareTextIsCutAsRecordsAre() throws Exception {
        assertThat(read("OverHeat")).isEqualTo("word:overheat");
        assertThat(read("42")).isEqualTo("number:42|pid:42");
        assertThat(read(" 10.0.0.1  /var/log ")).isEqualTo("ip:10.0.0.1 path:/var/log");
        assertThat(read("press-4")).isEqualTo("word:press number:4|pid:4");
        assertThat(read("\"disk full\" disk")).isEqualTo("word:disk word:full");
        assertThat(read("fe80::1 C:\\a\\b")).isEqualTo("ip:fe80::1 path:c:\\a\\b");
    }

    @Test
    void fieldsAreNormalisedAsInRecords() throws Exception {
        assertThat(read("Level:WARNING host:Press-4")).isEqualTo("level:warn host:press-4");
        assertThat(read("unit:\"Disk \\\"1\\\"\"")).isEqualTo("unit:disk \"1\"");
        assertThat(read("ip:FE80:0::1 ip:10.1.2.3/8")).isEqualTo("ip:fe80::1 ip-prefix:10.0.0.0/8");
        assertThat(read("time:2026-11-21T12:23"))
                .isEqualTo("time:2026-11|time:--11 time:d21 time:t12 time:m2x time:mx3");
        assertThat(read("time:2026-11")).isEqualTo("time:2026-11|time:--11");
        assertThat(read("time:11-21T12")).isEqualTo("time:--11 time:d21 time:t12");
    }

    /** Syslog of RFC 3164 names no year, and whoever searches has one in mind. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aTimeWithAYearFindsLinesWithoutOne(int rules) throws Exception {
        ExtractorProfile profile = ExtractorProfile.defaults().withRules(rules);
        byte[] line = "Nov 28 02:13:01 gate sshd[71]: Failed password".getBytes(StandardCharsets.UTF_8);
        Set<Keyword> found = Set.copyOf(
                LogExtractor.of(profile, LogFormat.AUTO).extract(line).keywords());
        for (String query : List.of("time:2026-11", "time:2026-11-28", "time:2026-11-28T02", "time:2026-11-28T02:13")) {
            assertThat(KeywordQuery.parse(query, profile).matches(found::contains))
                    .as(query)
                    .isTrue();
        }
        for (String query : List.of("time:2026-10", "time:2026-11-27", "time:2026-11-28T03", "time:2026-11-28T02:14")) {
            assertThat(KeywordQuery.parse(query, profile).matches(found::contains))
                    .as(query)
                    .isFalse();
        }
    }

    @Test
    void operatorsJoinTerms() throws Exception {
        assertThat(read("level:error AND (unit:sshd OR ip:10.0.0.7) AND NOT user:root"))
                .isEqualTo("level:error (unit:sshd OR ip:10.0.0.7) NOT user:root");
        assertThat(read("a b OR c d")).isEqualTo("(word:a word:b) OR (word:c word:d)");
        assertThat(read("a AND b OR c AND (d OR e)")).isEqualTo("(word:a word:b) OR (word:c (word:d OR word:e))");
        assertThat(read("a NOT b")).isEqualTo(read("a AND NOT b")).isEqualTo("word:a NOT word:b");
        assertThat(read("NOT \"disk full\" a")).isEqualTo("NOT (word:disk word:full) word:a");
        assertThat(read("a AND NOT(b OR c)")).isEqualTo("word:a NOT (word:b OR word:c)");
        assertThat(read("a NOT NOT b")).isEqualTo("word:a word:b");
        assertThat(read("(((a)))")).isEqualTo("word:a");
        assertThat(read("a OR (b OR a) OR a")).isEqualTo("word:a OR word:b");
        assertThat(read("(a OR b) AND (a OR c)")).isEqualTo("(word:a OR word:b) (word:a OR word:c)");
        assertThat(KeywordQuery.parse("(a OR b) AND (a OR c)", PROFILE).terms()).hasSize(3);
    }

    @Test
    void quotedAndOtherWordsAreNoOperators() throws Exception {
        assertThat(read("\"NOT\" \"AND\" \"or\" android ORACLE"))
                .isEqualTo("word:not word:and word:or word:android word:oracle");
        assertThat(read("unit:\"a) OR (b\" word:AND")).isEqualTo("unit:a) or (b word:and");
        assertThat(read("main() f(x)(y) (f(x) OR g)"))
                .isEqualTo("word:main word:f word:x word:y ((word:f word:x) OR word:g)");
    }

    @Test
    void matchesAreThoseOfTheOperators() throws Exception {
        KeywordQuery query =
                KeywordQuery.parse("level:error AND (unit:sshd OR ip:10.0.0.7) AND NOT user:root", PROFILE);
        Set<Keyword> record = new HashSet<>(Set.of(Keyword.text("level", "error"), Keyword.text("unit", "sshd")));
        assertThat(query.matches(record::contains)).isTrue();
        record.add(Keyword.text("user", "root"));
        assertThat(query.matches(record::contains)).isFalse();
        assertThat(query.matches(Set.of(Keyword.text("level", "error"), Keyword.text("ip", "10.0.0.7"))::contains))
                .isTrue();
        assertThat(query.matches(Set.of(Keyword.text("unit", "sshd"))::contains))
                .isFalse();
        assertThat(query.matches(Set.of(Keyword.text("level", "error"))::contains))
                .isFalse();
    }

    @Test
    void aNotStandsBesideSomethingPositive() {
        for (String query : List.of(
                "NOT a",
                "a OR NOT b",
                "NOT a NOT b",
                "a (NOT b NOT c)",
                "a OR (b (NOT c OR d))",
                "NOT (a NOT b)",
                "(NOT a)")) {
            assertThatThrownBy(() -> read(query))
                    .isInstanceOf(MalformedQueryException.class)
                    .hasMessageContaining("beside NOT");
        }
    }

    private static OptionalInt placeOfError(String query) {
        try {
            KeywordQuery.parse(query, PROFILE);
            throw new AssertionError(query + " is understood");
        } catch (MalformedQueryException e) {
            return e.at();
        }
    }

    @Test
    void anErrorSaysWhereItIs() {
        assertThat(placeOfError("a AND (b OR !!)")).hasValue(12);
        assertThat(placeOfError("a AND OR b")).hasValue(6);
        assertThat(placeOfError("a (b c")).hasValue(2);
        assertThat(placeOfError("a b) c")).hasValue(3);
        assertThat(placeOfError("a \"b c")).hasValue(2);
        assertThat(placeOfError("NOT a")).as("the query as a whole").isEmpty();
    }

    @Test
    void operatorsWithoutTermsAndOpenParenthesesAreRefused() {
        for (String query : List.of(
                "AND a",
                "a AND",
                "a OR",
                "OR a",
                "a AND OR b",
                "a NOT",
                "()",
                "(a",
                "a)",
                "a (b",
                "(a OR) b",
                "NOT",
                "((a)",
                "(".repeat(9) + "a" + ")".repeat(9),
                "(".repeat(8000),
                "NOT ".repeat(2000),
                "a NOT AND b")) {
            assertThatThrownBy(() -> read(query))
                    .as(query)
                    .isInstanceOf(MalformedQueryException.class)
                    .hasMessageContaining("query");
        }
    }

    /** Whole, however long a field's value may be. */
    @Test
    void sourcesAreThoseOfSenders() throws Exception {
        assertThat(read("source:/var/log/App.log")).isEqualTo("source:/var/log/app.log");
        assertThat(read("source:\"C:\\\\My Logs\\\\a.log\"")).isEqualTo("source:c:\\my logs\\a.log");
        for (String name : List.of("/srv/" + "a".repeat(60) + "/b.log", "/srv/" + "\u00e9".repeat(300), "stdin")) {
            assertThat(KeywordQuery.parse("source:" + name, PROFILE).terms())
                    .containsExactly(List.of(SourceKeyword.of(name, PROFILE).orElseThrow()));
        }
        assertThat(SourceKeyword.of(" \n", PROFILE)).isEmpty();
    }

    @Test
    void longFieldValuesAreFoundByTheirWords() throws Exception {
        assertThat(read("msg:\"" + "disk full ".repeat(10) + "\"")).isEqualTo("word:disk word:full");
    }

    @Test
    void rangesAreIntervals() throws Exception {
        KeywordQuery query = KeywordQuery.parse("temp:-5..70", PROFILE);
        assertThat(query.terms()).hasSize(1);
        for (int number = -64; number <= TEMPERATURE.last(); number++) {
            List<Keyword> keywords = TEMPERATURE.keywordsOf(number);
            assertThat(query.matches(keywords::contains)).isEqualTo(number >= -5 && number <= 70);
        }
        assertThat(KeywordQuery.parse("temp:7", PROFILE).matches(TEMPERATURE.keywordsOf(7)::contains))
                .isTrue();
        assertThat(read("temp:none")).isEqualTo("temp:none");
    }

    @Test
    void prefixesWhereTheProfileHasThem() throws Exception {
        ExtractorProfile profile = PROFILE.withWordPrefixes(new WordPrefixes(3, 6));
        assertThat(read("OverH*", profile)).isEqualTo("prefix:overh");
        assertThatThrownBy(() -> read("ov*", profile)).isInstanceOf(MalformedQueryException.class);
        assertThatThrownBy(() -> read("overh*")).isInstanceOf(MalformedQueryException.class);
    }

    @Test
    void errorsNeverRepeatTheQuery() {
        for (String query : List.of(
                "",
                "  ",
                "---",
                "secret:\"",
                "secret:",
                "\"secret",
                "ip:secret",
                "ip:10.0.0.0/16",
                "time:secret",
                "temp:9..1",
                "temp:900..1000",
                "temp:secret..3",
                "x".repeat(9000))) {
            assertThatThrownBy(() -> read(query))
                    .isInstanceOf(MalformedQueryException.class)
                    .hasMessageNotContaining("secret")
                    .hasMessageContaining("query");
        }
    }

    @Test
    void evaluatesOverRecordSets() throws Exception {
        Map<Keyword, RecordSet> found = Map.of(
                Keyword.text("word", "disk"), RecordSet.of(1, 2, 3),
                Keyword.text("number", "7"), RecordSet.of(3),
                Keyword.text("pid", "7"), RecordSet.of(2, 9));
        KeywordQuery query = KeywordQuery.parse("disk 7", PROFILE);
        assertThat(query.evaluate(k -> found.getOrDefault(k, RecordSet.of()))).isEqualTo(RecordSet.of(2, 3));
        assertThat(query.keywords()).hasSize(3);
        assertThat(query.toString()).doesNotContain("disk");
    }
}
