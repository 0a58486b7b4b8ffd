package dev.veilgate.console.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.console.rules.Rule.InvalidRuleException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

class RuleTest {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    {"effect": "allow"}                                                     | name
                    {"name": " ", "effect": "allow"}                                        | name
                    {"name": "r"}                                                           | effect
                    {"name": "r", "effect": "allow", "roles": ["admin"]}                    | roles
                    {"name": "r", "effect": "allow", "roles": [null]}                       | roles
                    {"name": "r", "effect": "allow", "attributes": "role:dpo AND"}          | attributes
                    {"name": "r", "effect": "allow", "scopes": [""]}                        | scopes
                    {"name": "r", "effect": "allow", "purposes": ["export"]}                | purposes
                    {"name": "r", "effect": "allow", "epochsBack": -1}                      | epochsBack
                    {"name": "r", "effect": "allow", "perHour": 0}                          | perHour
                    {"name": "r", "effect": "approve", "approvalHours": 721}                | approvalHours
                    """)
    void saysWhatIsWrong(String json, String property) {
        assertThatThrownBy(() -> JSON.readValue(json, Rule.class))
                .rootCause()
                .isInstanceOf(InvalidRuleException.class)
                .hasMessageContaining(property);
    }

    @Test
    void aMisspeltConditionIsNoRule() {
        assertThatThrownBy(() ->
                        JSON.readValue("{\"name\": \"r\", \"effect\": \"allow\", \"scope\": [\"a\"]}", Rule.class))
                .isInstanceOf(JacksonException.class);
    }

    @Test
    void comesBackAsItWas() {
        for (Rule rule : DefaultRules.rules()) {
            assertThat(JSON.readValue(JSON.writeValueAsString(rule), Rule.class))
                    .isEqualTo(rule);
        }
    }

    @Test
    void twoOfANameAreRefused() {
        List<Rule> rules = DefaultRules.rules();
        assertThatThrownBy(() -> new Rules(1, List.of(rules.getFirst(), rules.getFirst())))
                .isInstanceOf(InvalidRuleException.class)
                .hasMessageContaining(rules.getFirst().name());
    }
}
