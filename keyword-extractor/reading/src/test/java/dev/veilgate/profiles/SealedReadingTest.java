package dev.veilgate.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.ExtractorProfile.Limits;
import dev.veilgate.extract.ExtractorProfile.WordPrefixes;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.MalformedQueryException;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.peks.DyadicIntervals;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Profiles that are in use, changed: what is allowed changes no query of before, and what is refused does. */
class SealedReadingTest {
    private static final ExtractorProfile USED = ExtractorProfile.defaults()
            .withRules(2)
            .withIpPrefixes(8, 16)
            .withFields("unit", "user")
            .withNumericFields(new DyadicIntervals("temp", 0, 8))
            .withWordPrefixes(new WordPrefixes(3, 6))
            .withStemLanguages("de", "en");

    private static final List<String> QUERIES = List.of(
            "overheat",
            "unit:west",
            "user:bob overheat",
            "overheat NOT user:bob",
            "temp:70",
            "temp:70..90",
            "load:70",
            "load:90000",
            "severity:error",
            "ip:10.0.0.0/8",
            "ip:10.1.0.0/16",
            "ip:10.0.0.0/12",
            "ove*",
            "overhe*",
            "template:abc",
            "msg:\"a value that is longer than thirty-two bytes are\"",
            "unit:" + "west".repeat(17));

    private static final List<String> RECORDS = List.of(
            "2026-11-21T11:00:00Z press-4 pump[7]: level=error unit=west user=bob temp=70 overheat at 10.1.2.3",
            "the pump unit=west of bob stops",
            "{\"level\":\"error\",\"unit\":\"west\",\"user\":\"bob\",\"temp\":70,\"load\":70,\"severity\":\"error\"}");

    private record Change(String name, UnaryOperator<ExtractorProfile> of) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<Change> ADDITIONS = List.of(
            new Change("nothing", used -> used),
            new Change("networks", used -> used.withIpPrefixes(8, 16, 24)),
            new Change("fields", used -> used.withFields("unit", "user", "pump")),
            new Change("a field of another name", used -> used.withFields("unit", "user", "severity")),
            new Change("prefixes", used -> used.withWordPrefixes(new WordPrefixes(2, 8))),
            new Change("no templates", used -> used.withTemplates(false)),
            new Change("languages", used -> used.withStemLanguages("de", "en", "fr")),
            new Change("all languages", ExtractorProfile::withStemLanguages));

    private static final List<Change> LOSSES = List.of(
            new Change("networks", used -> used.withIpPrefixes(8)),
            new Change("a network between", used -> used.withIpPrefixes(8, 12, 16)),
            new Change("fields", used -> used.withFields("user")),
            new Change("numbers", ExtractorProfile::withNumericFields),
            new Change("other numbers", used -> used.withNumericFields(new DyadicIntervals("temp", -50, 8))),
            new Change(
                    "more numbers",
                    used -> used.withNumericFields(used.numericFields().getFirst(), new DyadicIntervals("load", 0, 8))),
            new Change("no prefixes", used -> used.withWordPrefixes(WordPrefixes.NONE)),
            new Change("shorter prefixes", used -> used.withWordPrefixes(new WordPrefixes(3, 5))),
            new Change("longer prefixes", used -> used.withWordPrefixes(new WordPrefixes(4, 8))),
            new Change("limits", used -> with(used, new Limits(8192, 256, 32, 64, 1 << 20))));

    private static ExtractorProfile with(ExtractorProfile used, Limits limits) {
        return new ExtractorProfile(
                used.rules(),
                limits,
                used.ipPrefixes(),
                used.fields(),
                used.numericFields(),
                used.wordPrefixes(),
                used.templates(),
                used.stemLanguages(),
                used.ip6Prefixes());
    }

    /** Empty if it is not understood. */
    private static Optional<KeywordQuery> read(String query, ExtractorProfile profile) {
        try {
            return Optional.of(KeywordQuery.parse(query, profile));
        } catch (MalformedQueryException e) {
            return Optional.empty();
        }
    }

    @ParameterizedTest
    @FieldSource("ADDITIONS")
    void additionsReadAllQueriesAsBefore(Change change) {
        ExtractorProfile changed = change.of().apply(USED);
        assertThat(SealedReading.losses(USED, changed)).isEmpty();
        for (String query : QUERIES) {
            read(query, USED)
                    .ifPresent(read -> assertThat(read(query, changed))
                            .as("%s", query)
                            .get()
                            .extracting(KeywordQuery::terms, KeywordQuery::expression)
                            .containsExactly(read.terms(), read.expression()));
        }
        for (String record : RECORDS) { // whoever opens it makes its keywords again
            byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
            assertThat(LogExtractor.of(changed, LogFormat.AUTO).extract(bytes).keywords())
                    .containsAll(
                            LogExtractor.of(USED, LogFormat.AUTO).extract(bytes).keywords());
        }
    }

    /** Without fields of records a query for such a name asks for ours. */
    @Test
    void aFieldOfAnotherNameIsALossWhereRecordsHaveNoFields() throws Exception {
        ExtractorProfile none = with(USED, new Limits(8192, 256, 64, 0, 1 << 20));
        ExtractorProfile listed = none.withFields("unit", "user", "severity");
        assertThat(SealedReading.losses(none, listed))
                .singleElement()
                .asString()
                .contains("severity", "level");
        assertThat(KeywordQuery.parse("severity:error", none).terms())
                .isNotEqualTo(KeywordQuery.parse("severity:error", listed).terms());
    }

    @ParameterizedTest
    @FieldSource("LOSSES")
    void lossesReadAQueryOtherwiseOrMakeFewerKeywords(Change change) {
        ExtractorProfile changed = change.of().apply(USED);
        assertThat(SealedReading.losses(USED, changed)).isNotEmpty();
        boolean isReadOtherwise = QUERIES.stream()
                .anyMatch(query -> read(query, USED)
                        .filter(read ->
                                !read(query, changed).map(KeywordQuery::terms).equals(Optional.of(read.terms())))
                        .isPresent());
        boolean isFewer = RECORDS.stream()
                .map(record -> record.getBytes(StandardCharsets.UTF_8))
                .anyMatch(record -> !LogExtractor.of(changed, LogFormat.AUTO)
                        .extract(record)
                        .keywords()
                        .containsAll(LogExtractor.of(USED, LogFormat.AUTO)
                                .extract(record)
                                .keywords()));
        assertThat(isReadOtherwise || isFewer).isTrue();
    }

    @ParameterizedTest
    @FieldSource("LANGUAGES")
    void languagesAreNotLeftOut(List<String> languages) {
        ExtractorProfile fewer = USED.withStemLanguages(languages.toArray(String[]::new));
        assertThat(SealedReading.losses(USED, fewer)).containsExactly("languages of stems are left out");
        assertThat(SealedReading.losses(USED.withStemLanguages(), USED))
                .as("all were")
                .isNotEmpty();
        assertThat(new TreeSet<>(languages)).isNotEqualTo(USED.stemLanguages());
    }

    private static final List<List<String>> LANGUAGES = List.of(List.of("de"), List.of("fr"), List.of("en", "fr"));
}
