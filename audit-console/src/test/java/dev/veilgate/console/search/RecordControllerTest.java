package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What is told of one row: its fields, and by which terms it is found again. */
class RecordControllerTest extends ScriptedGateway {
    private static final String SCOPE = "plant-record";

    @BeforeEach
    void find() {
        findAsAsked();
    }

    private JsonNode first(String query) throws Exception {
        String search = start(query(query, SCOPE));
        assertThat(awaitEnd(search).get("rows").asLong()).isEqualTo(1);
        return read(search + "/rows/0");
    }

    /** Name, value, and what its button does. */
    private static List<String> fields(JsonNode detail) {
        List<String> fields = new ArrayList<>();
        detail.get("fields")
                .forEach(field -> fields.add(field.get("name").asString() + " "
                        + (field.has("term")
                                ? "term " + field.get("term").asString()
                                : field.has("filter")
                                        ? "filter " + field.get("filter").asString()
                                        : "none")));
        return fields;
    }

    @Test
    void eachFieldComesWithItsTermOrFilter() throws Exception {
        serve(
                seal(
                        SCOPE,
                        "{\"unit\":\"disk pump\",\"sender\":\"alice\",\"a\":1,\"tags\":[\"x\",\"y\"],\"text\":\"overheated\"}"));
        assertThat(fields(first("overheated")))
                .containsExactlyInAnyOrder(
                        "sender filter sender",
                        "unit term unit:\"disk pump\"",
                        "sender term sender:alice",
                        "a none",
                        "tags term tags:x",
                        "tags term tags:y",
                        "text term text:overheated");
    }

    @Test
    void aRecordIsShownInTheFormatInWhichItIsFound() throws Exception {
        serve(seal(SCOPE, "something is state=overheated"));
        assertThat(fields(first("overheated"))).containsExactly("sender filter sender");
        assertThat(fields(first("state:overheated"))).contains("state term state:overheated");
    }

    @Test
    void keywordsComeWithTheirTerms() throws Exception {
        serve(seal(SCOPE, "overheated and not cooled"));
        List<String> keywords = new ArrayList<>();
        first("overheated").get("keywords").forEach(each -> keywords.add(each.toString()));
        assertThat(keywords)
                .contains(
                        "{\"keyword\":\"word:overheated\",\"term\":\"overheated\"}",
                        "{\"keyword\":\"word:not\",\"term\":\"\\\"not\\\"\"}");
    }
}
