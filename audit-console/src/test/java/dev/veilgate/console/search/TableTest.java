package dev.veilgate.console.search;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.put;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Rows of a search as a table: sorted, with fields as columns and their values counted. */
class TableTest extends ScriptedGateway {
    private static final String SCOPE = "plant-7";

    @Autowired
    private MockMvc http;

    @Autowired
    private JsonMapper json;

    private String search() throws Exception {
        Instant now = now();
        List<String> lines = List.of(
                "{\"ts\": \"" + now.minusSeconds(30)
                        + "\", \"msg\": \"pump overheated\", \"status\": 500, \"user\": \"root\"}",
                "{\"ts\": \"" + now.minusSeconds(10)
                        + "\", \"msg\": \"a pump overheated\", \"status\": 70, \"user\": \"ada\"}",
                "{\"ts\": \"" + now.minusSeconds(20) + "\", \"msg\": \"overheated, too\", \"status\": 500}");
        serve(sealRead(SCOPE, now, now, lines));
        find(1, false);
        String search = start(query("overheated", SCOPE));
        awaitEnd(search);
        return search;
    }

    private List<String> briefs(JsonNode page) {
        List<String> briefs = new ArrayList<>();
        page.get("rows").forEach(row -> briefs.add(row.get("brief").asString()));
        return briefs;
    }

    private String column(String search, String name) throws Exception {
        List<String> fields = new ArrayList<>();
        read(search + "/table").get("fields").forEach(field -> fields.add(field.asString()));
        assertThat(fields).contains(name);
        return "field-" + fields.indexOf(name);
    }

    @Test
    void rowsStandByAnyColumn() throws Exception {
        String search = search();
        String first = "pump overheated  status=500  user=root";
        String second = "a pump overheated  status=70  user=ada";
        String third = "overheated, too  status=500";
        assertThat(briefs(read(search + "/rows"))).containsExactly(first, second, third);
        assertThat(briefs(read(search + "/rows?sort=-time"))).containsExactly(second, third, first);
        assertThat(briefs(read(search + "/rows?sort=time"))).containsExactly(first, third, second);
        assertThat(briefs(read(search + "/rows?sort=text"))).containsExactly(second, third, first);
        assertThat(briefs(read(search + "/rows?sort=-time&upTo=2"))).containsExactly(second, first);
        String status = column(search, "status");
        assertThat(briefs(read(search + "/rows?sort=" + status))).containsExactly(second, third, first);
        String user = column(search, "user");
        assertThat(briefs(read(search + "/rows?sort=-" + user)))
                .as("who has no user stands last")
                .containsExactly(first, second, third);
        assertThat(read(search + "/rows/0/place?sort=-time").get("place").asInt())
                .isEqualTo(2);
        assertThat(send(search + "/rows?sort=nonsense").getStatus()).isEqualTo(400);
        assertThat(send(search + "/rows?sort=field-999").getStatus()).isEqualTo(400);
        assertThat(send(search + "/rows/7/place?sort=time").getStatus()).isEqualTo(404);
        JsonNode page = read(search + "/rows?sort=-time&from=1&count=1&fields=" + user.substring("field-".length()));
        assertThat(briefs(page)).containsExactly(third);
        assertThat(page.get("rows").get(0).get("values").size()).isZero();
    }

    @Test
    void valuesOfFieldsAreCountedAndHaveTheirTerms() throws Exception {
        String search = search();
        JsonNode fields = read(search + "/fields");
        assertThat(fields.get("counted").asInt()).isEqualTo(3);
        List<String> names = new ArrayList<>();
        fields.get("fields")
                .forEach(field -> names.add(
                        field.get("name").asString() + " " + field.get("rows").asInt()));
        assertThat(names).contains("sender 3", "status 3", "user 2", "msg 3").doesNotHaveDuplicates();
        JsonNode status = read(search + "/fields/" + column(search, "status"));
        assertThat(status.get("values").get(0).toString())
                .isEqualTo("{\"value\":\"500\",\"rows\":2,\"term\":\"status:500\"}");
        assertThat(status.get("numbers").toString())
                .isEqualTo("{\"minimum\":\"70\",\"median\":\"500\",\"maximum\":\"500\"}");
        JsonNode sender = read(search + "/fields/sender");
        assertThat(sender.get("values").get(0).get("filter").asString()).isEqualTo("sender");
        assertThat(send(search + "/fields/field-999").getStatus()).isEqualTo(404);
        assertThat(send(search + "/fields/sender?top=0").getStatus()).isEqualTo(400);
    }

    @Test
    void whatWasSearchedForIsMarked() throws Exception {
        serve(seal(SCOPE, "pump overheated"));
        find(1, false);
        String search = start(query("(pump OR cold) AND NOT frozen", SCOPE));
        awaitEnd(search);
        List<String> marks = new ArrayList<>();
        read(search + "/table")
                .get("marks")
                .forEach(mark -> marks.add(
                        mark.get("text").asString() + (mark.get("isBeginning").asBoolean() ? "*" : "")));
        assertThat(marks).containsExactly("pump", "cold");
    }

    private int keep(String body) throws Exception {
        return http.perform(put("/api/table-views")
                        .with(login(user.id(), "auditor"))
                        .with(csrf())
                        .contentType(MediaType.APPLICATION_JSON)
                        .content(body))
                .andReturn()
                .getResponse()
                .getStatus();
    }

    private JsonNode views(String who) throws Exception {
        return json.readTree(http.perform(get("/api/table-views").with(login(who, "auditor")))
                .andReturn()
                .getResponse()
                .getContentAsByteArray());
    }

    @Test
    void columnsAreKeptForEachUserAndScope() throws Exception {
        String view =
                "{\"columns\": [{\"id\": \"time\"}, {\"id\": \"field:user\", \"width\": 90}], \"sort\": \"-time\","
                        + " \"lines\": 3}";
        assertThat(keep("{\"scope\": \"a\", \"mail\": false, \"view\": " + view + "}"))
                .isEqualTo(204);
        assertThat(keep("{\"scope\": \"a\", \"mail\": true, \"view\": " + view + "}"))
                .isEqualTo(204);
        assertThat(keep("{\"scope\": \"a\", \"mail\": false, \"view\": " + view.replace("3}", "8}") + "}"))
                .isEqualTo(204);
        assertThat(views(user.id())).hasSize(2);
        assertThat(views(user.id()).get(0).get("view").get("lines").asInt()).isEqualTo(8);
        assertThat(views("another-" + user.id())).isEmpty();
        for (String wrong : List.of(
                view.replace("time\"}", "time\"}, {\"id\": \"time\"}"),
                view.replace("90", "9"),
                view.replace("3}", "4}"),
                view.replace("\"time\"", "null"),
                "null",
                view.replace("-time", "x".repeat(400)))) {
            assertThat(keep("{\"scope\": \"a\", \"mail\": false, \"view\": " + wrong + "}"))
                    .as(wrong)
                    .isEqualTo(400);
        }
        for (int i = 0; i < 205; i++) {
            assertThat(keep("{\"scope\": \"s" + i + "\", \"mail\": false, \"view\": " + view + "}"))
                    .isEqualTo(204);
        }
        assertThat(views(user.id())).hasSize(200);
    }
}
