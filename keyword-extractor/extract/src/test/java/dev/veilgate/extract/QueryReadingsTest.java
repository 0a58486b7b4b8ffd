package dev.veilgate.extract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.peks.Keyword;
import dev.veilgate.query.Expression;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A query as several rules read it. */
class QueryReadingsTest {
    private static final ExtractorProfile FIRST = ExtractorProfile.defaults();
    private static final ExtractorProfile LATER = FIRST.withRules(2);
    private static final List<ExtractorProfile> BOTH = List.of(LATER, FIRST);

    /** Rules 2 are made to read words that begin with "other" otherwise, whatever they do else. */
    private static QueryReadings read(String query) throws MalformedQueryException {
        return QueryReadings.read(
                BOTH,
                profile -> KeywordQuery.read(
                        query,
                        profile,
                        (field, value) -> value.startsWith("other") && profile.rules() == 2
                                ? Optional.of(List.of(List.of(Keyword.text("word", value + "-2"))))
                                : Optional.empty()));
    }

    private static KeywordQuery of(String query, ExtractorProfile profile) throws MalformedQueryException {
        return KeywordQuery.parse(query, profile);
    }

    @Test
    void whatAllReadAlikeIsAskedOnce() throws Exception {
        QueryReadings readings = read("disk AND (full OR failed) AND NOT test");
        assertThat(readings.asked()).isEqualTo(of("disk AND (full OR failed) AND NOT test", FIRST));
        assertThat(readings.shown().notes())
                .isEqualTo(KeywordQuery.read("disk", FIRST).notes());
    }

    @Test
    void onlyKeywordsThatDifferAreAskedMore() throws Exception {
        QueryReadings readings = read("disk AND other1 AND other2");
        assertThat(readings.asked().terms()).hasSize(3);
        assertThat(readings.asked().keywords()).hasSize(5);
        assertThat(readings.shown().notes()).last().asString().contains("2 keywords more", "gateway");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "path:/var/lib              | a path by a folder that it lies in",
                "source:auth.log            | a source by its last name",
                "NOT time:2026-11-28 login  | the time of a line",
                "空间                       | a part of a text that has no spaces",
                "status:404 OR method:get   | the method, status of a line",
            })
    void whatRecordsOfFormerRulesDoNotHaveIsNamed(String query, String missing) throws Exception {
        assertThat(read(query).shown().notes())
                .last()
                .asString()
                .contains("indexed by rules 1 do not have all of this")
                .contains(missing);
        assertThat(KeywordQuery.read(query, LATER).notes()).noneMatch(note -> note.contains("rules 1"));
        assertThat(read("disk level:error 10.0.0.7 user:ada").shown().notes())
                .noneMatch(note -> note.contains("rules 1"));
    }

    @Test
    void whatOneReadsAndTheOtherDoesNotIsAskedForTheOne() throws Exception {
        QueryReadings readings = QueryReadings.read(BOTH, profile -> {
            if (profile.rules() == 2) {
                throw new MalformedQueryException(1, "cannot be read");
            }
            return KeywordQuery.read("disk", profile);
        });
        assertThat(readings.asked()).isEqualTo(of("disk", FIRST));
        assertThat(readings.shown().warnings().getLast().message()).contains("rules 2 are not found");
        assertThatThrownBy(() -> read("(")).isInstanceOf(MalformedQueryException.class);
    }

    @Test
    void aQueryThatIsTooLargeWithBothIsRefusedBeforeAnythingIsAsked() {
        String words = "disk OR "
                + java.util.stream.IntStream.range(0, 600)
                        .mapToObj(i -> "other" + i)
                        .collect(Collectors.joining(" OR "));
        assertThatThrownBy(() -> read(words))
                .isInstanceOf(MalformedQueryException.class)
                .hasMessageContaining("1024 keywords");
    }

    /** Random queries with NOT, and random records. */
    @Test
    void whateverAReadingFindsIsFound() throws Exception {
        Random random = new Random(58);
        List<String> words = List.of("disk", "full", "other1", "other2", "test");
        int found = 0;
        for (int i = 0; i < 4_000; i++) {
            QueryReadings readings = read(query(words, random, 0));
            assertThat(readings.readings()).hasSize(2);
            Set<Keyword> all = new HashSet<>();
            readings.readings().forEach(each -> all.addAll(each.read().query().keywords()));
            Set<Keyword> record =
                    all.stream().filter(each -> random.nextBoolean()).collect(Collectors.toSet());
            boolean isAsked = readings.asked().matches(record::contains);
            for (QueryReadings.Reading each : readings.readings()) {
                boolean isWanted = each.read().query().matches(record::contains);
                assertThat(isAsked || !isWanted).isTrue();
                found += isWanted ? 1 : 0;
            }
            readings.asked().expression().requireUsable(readings.asked().terms().size());
        }
        assertThat(found).isGreaterThan(1_000);
    }

    private static String query(List<String> words, Random random, int depth) {
        int form = depth > 2 ? 0 : random.nextInt(4);
        return switch (form) {
            case 0 -> words.get(random.nextInt(words.size()));
            case 1 -> "(" + query(words, random, depth + 1) + " OR " + query(words, random, depth + 1) + ")";
            case 2 -> "(" + query(words, random, depth + 1) + " AND " + query(words, random, depth + 1) + ")";
            default -> "(" + query(words, random, depth + 1) + " AND NOT " + query(words, random, depth + 1) + ")";
        };
    }

    /** A keyword of one reading under NOT must not hide what the other finds. */
    @Test
    void whatStandsUnderNotIsNotPutTogether() throws Exception {
        KeywordQuery asked = read("disk AND NOT other1").asked();
        List<Keyword> ofRules1 =
                new ArrayList<>(of("disk AND NOT other1", FIRST).keywords());
        assertThat(asked.matches(ofRules1::contains)).as("rules 2 find it").isTrue();
        assertThat(asked.expression()).isInstanceOf(Expression.Or.class);
    }
}
