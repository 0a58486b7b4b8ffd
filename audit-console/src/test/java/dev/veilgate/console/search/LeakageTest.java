package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.console.query.Intent;
import dev.veilgate.console.query.QueryText;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.QueryReadings;
import dev.veilgate.query.Filter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What a user is told of what the gateway learns is so many sentences about numbers and names, and none about words.
 */
class LeakageTest {
    private static final Instant FROM = Instant.parse("2026-10-05T00:00:00Z");
    private static final Instant TO = Instant.parse("2026-11-06T00:00:00Z");

    private static String told(String query, List<String> epochs, Filter filter, int trapdoors) throws Exception {
        QueryText text = new QueryText(query, "plant-7", false, null, null, null, null);
        ExtractorProfile profile = ExtractorProfile.defaults();
        QueryReadings readings = QueryReadings.of(KeywordQuery.parse(query, profile), profile);
        Intent intent = new Intent(text, readings, filter, epochs, Intent.Purpose.SEARCH);
        return String.join("\n", Leakage.of(intent, trapdoors));
    }

    @Test
    void aSimpleSearchIsOneOfEach() throws Exception {
        assertThat(told("zanzibar", List.of("2026-11"), Filter.NONE, 1))
                .contains("It gets one trapdoor for one term, and how they are joined (1)")
                .contains("in the scope plant-7 and in the epoch 2026-11, on what")
                .doesNotContain("the senders")
                .doesNotContain("few values");
    }

    @Test
    void countsTermsTrapdoorsAndEpochs() throws Exception {
        assertThat(told(
                        "(zanzibar OR quagga) AND NOT user:ocelot",
                        List.of("2026-09", "2026-10", "2026-11"),
                        Filter.NONE,
                        9))
                .contains("It gets 9 trapdoors for 3 terms, and how they are joined ((1 OR 2) AND NOT 3)")
                .contains("in the 3 epochs from 2026-09 to 2026-11, on what");
    }

    @Test
    void namesTheFilter() throws Exception {
        Filter filter = new Filter(Optional.of(FROM), Optional.of(TO), Set.of("press-4"));
        assertThat(told("zanzibar", List.of("2026-10", "2026-11"), filter, 2))
                .contains("the time of reading and the senders that it is asked for: from " + FROM
                        + ", before 2026-12-07T00:00:00Z, press-4. That is 31 days longer");
        assertThat(told("zanzibar", List.of("2026-11"), new Filter(Optional.of(FROM), Optional.empty(), Set.of()), 1))
                .contains("asked for: from " + FROM + ".")
                .doesNotContain("31 days");
    }

    @Test
    void warnsOfFieldsWithFewValues() throws Exception {
        assertThat(told("level:error", List.of("2026-11"), Filter.NONE, 1)).contains("easy to guess");
        assertThat(told("unit:quagga", List.of("2026-11"), Filter.NONE, 1)).doesNotContain("easy to guess");
    }

    @Test
    void noWordOfTheQueryIsInIt() throws Exception {
        String told = told(
                "level:fatal AND (unit:quagga OR zanzibar) AND NOT ip:10.9.8.7 AND status:4711 AND NOT status:4713",
                List.of("2026-11"),
                Filter.NONE,
                5);
        assertThat(told).doesNotContainIgnoringCase("fatal");
        for (String word : List.of("quagga", "zanzibar", "10.9.8.7", "4711", "4713", "unit:", "status")) {
            assertThat(told).doesNotContain(word);
        }
    }

    @Test
    void aSearchThatWasNotAskedSaysSo() {
        assertThat(Leakage.ASKED_NOTHING).hasSize(1).first().asString().startsWith("It learned nothing");
    }
}
