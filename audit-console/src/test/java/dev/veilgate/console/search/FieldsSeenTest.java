package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Fields that records have are known once somebody has opened one of them. */
class FieldsSeenTest extends ScriptedGateway {
    private JsonNode warnings(String scope) throws Exception {
        String checked = send("/api/queries/check", query("batch:42", scope)).getContentAsString();
        return new JsonMapper().readTree(checked).get("warnings");
    }

    @Test
    void aFieldIsUnknownUntilARecordThatHasItWasOpenedByTheSameUserInTheSameScope() throws Exception {
        assertThat(warnings("plant-lie")).hasSize(1);
        assertThat(warnings("plant-lie").get(0).get("message").asString()).contains("level, host");
        serve(seal("plant-lie", "{\"batch\":42,\"msg\":\"overheated\"}"));
        String search = search("plant-lie");
        assertThat(rows(search).get("rows")).hasSize(1);
        assertThat(warnings("plant-lie")).isEmpty();
        assertThat(warnings("plant-other")).hasSize(1);
        haveAttributes("team:other"); // somebody else
        assertThat(warnings("plant-lie")).hasSize(1);
    }
}
