package dev.veilgate.extract.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.MalformedQueryException;
import dev.veilgate.extract.QueryReadings;
import dev.veilgate.extract.ReadQuery;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Queries for the fields that forms of rules 2 have. */
class FormFieldsTest {
    private static final ExtractorProfile FIRST = ExtractorProfile.defaults();
    private static final ExtractorProfile LATER = FIRST.withRules(2);

    /** Named by the records of the table themselves, and by no form; and the time, whose parts a query cannot name. */
    private static final Set<String> OTHERS =
            Set.of("payload.user", "payload.code", "code", "jsonpayload.user", "rule", "time");

    /** A keyword of each field in the table of forms. */
    static Stream<Map.Entry<String, String>> fields() throws IOException {
        Map<String, String> fields = new TreeMap<>();
        FormTable.forms().stream()
                .flatMap(form -> form.lines().stream())
                .flatMap(line -> line.wanted().stream())
                .forEach(keyword -> fields.putIfAbsent(
                        keyword.substring(0, keyword.indexOf(':')), keyword.substring(keyword.indexOf(':') + 1)));
        fields.keySet().removeAll(OTHERS);
        return fields.entrySet().stream();
    }

    private static List<String> warnings(List<ExtractorProfile> profiles, String query) throws MalformedQueryException {
        return QueryReadings.read(profiles, profile -> KeywordQuery.read(query, profile)).shown().warnings().stream()
                .map(ReadQuery.Warning::message)
                .filter(warning -> warning.startsWith("no "))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("fields")
    void aFieldOfAFormIsKnownWhereRules2AreAsked(Map.Entry<String, String> field) throws Exception {
        String query = field.getKey() + ":\"" + field.getValue() + '"';
        assertThat(warnings(List.of(LATER, FIRST), query)).isEmpty();
        assertThat(warnings(List.of(LATER), query)).isEmpty();
    }

    @Test
    void aFieldOfFormsAloneIsNotKnownToRules1() throws Exception {
        assertThat(warnings(List.of(FIRST), "component:kernel")).hasSize(1);
        assertThat(warnings(List.of(LATER, FIRST), "colour:red"))
                .as("of no form")
                .hasSize(1);
    }

    @Test
    void aMistakeInTheNameOfAFieldOfFormsIsNoticed() throws Exception {
        assertThat(warnings(List.of(LATER, FIRST), "componnet:kernel"))
                .singleElement()
                .asString()
                .contains("the nearest is component");
    }

    /** Where one of the rules refused what the other takes for text, half of the records would be left out. */
    @ParameterizedTest
    @MethodSource("fields")
    void bothRulesRefuseAndTakeTheSame(Map.Entry<String, String> field) {
        for (String sign : List.of("::", "=", "!=", ">", "-", ": ")) {
            String query = "disk " + field.getKey() + sign + field.getValue();
            assertThat(isTaken(query, LATER)).as(query).isEqualTo(isTaken(query, FIRST));
        }
    }

    private static boolean isTaken(String query, ExtractorProfile profile) {
        try {
            KeywordQuery.read(query, profile);
            return true;
        } catch (MalformedQueryException e) {
            return false;
        }
    }
}
