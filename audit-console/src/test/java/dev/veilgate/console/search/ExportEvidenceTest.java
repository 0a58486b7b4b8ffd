package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.console.search.ExportSample.Unzipped;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Where a search was asked, and what the gateway has beside that, is in the manifest of its export. */
class ExportEvidenceTest extends ScriptedGateway {
    private static final String OTHER_KEY = "0123456789abcdef0123456789abcdef";

    @Autowired
    private JsonMapper json;

    private JsonNode manifest() throws Exception {
        serve(seal("plant-7", "pump overheated"));
        Unzipped files =
                Unzipped.of(send(search("plant-7") + "/export?format=jsonl").getContentAsByteArray());
        return json.readTree(files.bytes("manifest.json"));
    }

    /** Without those epochs that had passed when this began: whoever moved the clock of the console made them. */
    private static String reasons(JsonNode manifest) {
        return manifest.get("incomplete")
                .valueStream()
                .filter(reason -> !reason.get("code").asString().equals("older-epochs-not-asked"))
                .toList()
                .toString();
    }

    private String epoch() {
        return EpochPolicy.MONTHLY.at(now()).name();
    }

    @Test
    void theIndexKeysWhoseTrapdoorsWereIssuedAreNamed() throws Exception {
        JsonNode asked = manifest().get("asked");
        String key = asked().getLast().terms().getFirst().getFirst().keyId().toString();
        assertThat(asked.get("indexKeys").toString())
                .isEqualTo("[{\"key\":\"" + key + "\",\"scheme\":\"ntru-peks\",\"epochs\":[\"" + epoch() + "\"]}]");
        assertThat(asked.get("epochs").toString()).isEqualTo("[\"" + epoch() + "\"]");
    }

    @Test
    void aGatewayOfBeforeTellsNothing() throws Exception {
        JsonNode manifest = manifest();
        assertThat(manifest.get("asked").has("notAsked")).isFalse();
        assertThat(reasons(manifest)).isEqualTo("[]");
    }

    @Test
    void whatTheGatewayTellsIsAReason() throws Exception {
        tell("\"notAsked\": {\"targets\": [{\"scheme\": \"ntru-peks\", \"parameters\": \"p\", \"key\": \"" + OTHER_KEY
                + "\", \"scope\": \"plant-7\", \"epoch\": \"" + epoch() + "\"}], \"more\": 3}");
        JsonNode manifest = manifest();
        assertThat(manifest.get("asked").get("notAsked").toString())
                .isEqualTo("{\"targets\":[{\"scheme\":\"ntru-peks\",\"key\":\"" + OTHER_KEY
                        + "\",\"scope\":\"plant-7\",\"epoch\":\"" + epoch() + "\"}],\"more\":3}");
        assertThat(reasons(manifest))
                .isEqualTo("[{\"code\":\"targets-not-asked\",\"names\":[\"plant-7 in " + epoch() + " under ntru-peks "
                        + OTHER_KEY + "\"],\"more\":3}]");
    }

    @Test
    void aTellingThatCannotBeReadTellsNothing() throws Exception {
        for (String told : List.of("{\"targets\": [], \"more\": -1}", "[]", "{\"targets\": [{}], \"more\": 0}")) {
            tell("\"notAsked\": " + told);
            JsonNode manifest = manifest();
            assertThat(manifest.get("search").get("state").asString()).isEqualTo("complete");
            assertThat(manifest.get("asked").has("notAsked")).as(told).isFalse();
        }
    }
}
