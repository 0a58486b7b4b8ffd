package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.Envelope;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/** A gateway that answers with something else than it was asked for. It can seal whatever it likes: the bundle is public. */
class LyingGatewayTest extends ScriptedGateway {
    @Test
    void whatIsReadLaterIsWhatWasFound() throws Exception {
        byte[] found = seal("plant-lie", "press overheated");
        serve(found);
        String search = search("plant-lie");
        assertThat(rows(search).get("rows").get(0).get("text").asString()).isEqualTo("press overheated");
        assertThat(send(search + "/rows/0").getStatus()).isEqualTo(200);
        byte[] other = seal("plant-lie", "nobody overheated");
        assertThat(Envelope.decode(other).id()).isEqualTo(Envelope.decode(found).id());
        serve(other);
        for (String what : List.of("", "/raw", "/surrounding")) {
            MockHttpServletResponse response = send(search + "/rows/0" + what);
            assertThat(response.getStatus()).as(what).isEqualTo(502);
            assertThat(response.getContentAsString()).contains("another envelope than it found");
        }
    }

    @Test
    void whoMaySearchOneScopeIsNotShownAnother() throws Exception {
        serve(seal("mailbox-ceo", "salaries overheated"));
        String search = search("plant-lie");
        JsonNode row = rows(search).get("rows").get(0);
        assertThat(row.get("kind").asString()).isEqualTo("unreadable");
        assertThat(row.toString()).doesNotContain("salaries");
    }

    @Test
    void rowsOfAnEnvelopeThatCannotBeOpenedToItsEndAreInTheLog() throws Exception {
        byte[] cut = withoutSecond(seal("plant-cut", "one overheated\ntwo overheated"));
        serve(cut);
        JsonNode rows = rows(search("plant-cut")).get("rows");
        assertThat(rows).hasSize(2);
        assertThat(rows.get(0).get("text").asString()).isEqualTo("one overheated");
        assertThat(rows.get(1).get("kind").asString()).isEqualTo("unreadable");
        assertThat(decryptions().getFirst()).contains(id(cut).toString());
    }
}
