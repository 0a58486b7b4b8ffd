package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.search.ExportSample.Unzipped;
import dev.veilgate.envelope.Envelope;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

    /** Three policies that the user satisfies, with hundreds of attributes each that nobody has; spoilt, so that none opens after all the work. */
    @Test
    void whatWasMadeToHoldUpItsReaderIsNamed() throws Exception {
        haveAttributes("role:auditor");
        byte[] costly = seal("plant-costly", "press overheated", costly("a"), costly("b"), costly("c"));
        serve(costly);
        assertThat(rows(search("plant-costly")).get("rows").get(0).get("text").asString())
                .isEqualTo("press overheated");
        serve(spoilt(costly));
        JsonNode row = rows(search("plant-costly")).get("rows").get(0);
        assertThat(row.get("kind").asString()).isEqualTo("unreadable");
        assertThat(row.get("why").asString()).startsWith("work-limit: ");
        assertThat(row.get("missing")).isNull();
        haveAttributes("role:pilot");
        JsonNode unsatisfied = rows(search("plant-costly")).get("rows").get(0);
        assertThat(unsatisfied.get("missing").size()).as("of hundreds").isEqualTo(16);
    }

    private static Label costly(String name) throws PolicySyntaxException {
        return Label.policy("role:auditor OR "
                + IntStream.range(0, 900).mapToObj(i -> name + ":" + i).collect(Collectors.joining(" OR ")));
    }

    private static byte[] spoilt(byte[] sealed) {
        byte[] spoilt = sealed.clone();
        byte[] mark = "\ncp-fabeo22".getBytes(StandardCharsets.US_ASCII); // behind its length; what follows is c2
        for (int at = 0; at < sealed.length - mark.length; at++) {
            if (Arrays.equals(sealed, at, at + mark.length, mark, 0, mark.length)) {
                spoilt[at + mark.length] ^= 1;
            }
        }
        return spoilt;
    }
}
