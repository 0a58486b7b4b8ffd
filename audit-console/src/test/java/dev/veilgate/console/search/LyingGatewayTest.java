package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.search.ExportSample.Unzipped;
import dev.veilgate.envelope.Envelope;
import java.nio.charset.StandardCharsets;
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
    void anExportOfMailsHasWhatWasFoundOrNothing() throws Exception {
        serve(sealMail("plant-lie", mail("the press overheated")));
        String search = start(query("overheated", "plant-lie").replace("\"mail\": false", "\"mail\": true"));
        awaitEnd(search);
        assertThat(rows(search).get("rows").get(0).get("kind").asString()).isEqualTo("mail");
        String export = search + "/export?format=mbox";
        Unzipped whole = Unzipped.of(send(export).getContentAsByteArray());
        assertThat(new String(whole.bytes("mail.mbox"), StandardCharsets.UTF_8)).contains("the press overheated");
        serve(sealMail("plant-lie", mail("nobody overheated")));
        assertThatThrownBy(() -> send(export))
                .hasRootCauseInstanceOf(ProblemException.class)
                .rootCause()
                .hasMessageContaining("another envelope than it found");
    }

    @Test
    void whatIsSaidOfAMailIsOfTheEnvelopeThatWasChecked() throws Exception {
        serve(sealMail("plant-lie", mail("the press overheated")));
        String search = start(query("overheated", "plant-lie").replace("\"mail\": false", "\"mail\": true"));
        awaitEnd(search);
        serveNext(seal("plant-other", "nobody overheated"));
        assertThat(read(search + "/rows/0").get("scope").asString()).isEqualTo("plant-lie");
    }

    private static String mail(String text) {
        return "From: ada@acme.example\r\nTo: ben@acme.example\r\nSubject: press 4\r\n\r\n" + text + "\r\n";
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
