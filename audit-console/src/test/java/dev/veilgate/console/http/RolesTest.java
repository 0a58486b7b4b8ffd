package dev.veilgate.console.http;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.request;

import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.TestConsole;
import dev.veilgate.console.custody.Custody;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.RequestPostProcessor;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.yaml.snakeyaml.Yaml;

/** Each role against each endpoint: what is forbidden stays forbidden. */
@ConsoleTest
class RolesTest {
    private static final Set<String> OPERATIONS = Set.of("get", "put", "post", "delete");
    private static final String ID = "0198f4a2-0000-7000-8000-000000000000";
    private static final List<String> ROLES = List.of("auditor", "approver", "keeper", "operator");
    private static final String QUERY = "{\"query\": \"overheat\", \"scope\": \"plant-7\"}";

    private static final String ADDRESS = "{\"address\": \"nobody@acme.example\"}";

    /** Who may, and a body that is well-formed. An empty list: whoever is logged in, with or without a role. */
    private record Row(List<String> allowed, String body) {}

    private static final List<String> EVERYBODY = List.of();
    private static final List<String> ANY_ROLE = ROLES;

    private static final Map<String, Row> TABLE = new LinkedHashMap<>();

    static {
        row("get /api/session", EVERYBODY);
        row("post /api/session/used", EVERYBODY);
        row("get /api/fields", EVERYBODY);
        row("get /api/scopes", List.of("auditor", "operator"));
        row("post /api/queries/check", List.of("auditor", "operator"), QUERY);
        searches(List.of("auditor"));
        row("get /api/saved-searches", ANY_ROLE);
        row("post /api/saved-searches", ANY_ROLE, "{\"name\": \"a\", \"query\": " + QUERY + "}");
        row("delete /api/saved-searches/{id}", ANY_ROLE);
        row("get /api/approvals", ANY_ROLE);
        row("post /api/approvals/{id}/approve", List.of("approver"), "{\"reason\": \"\"}");
        row("post /api/approvals/{id}/refuse", List.of("approver"), "{\"reason\": \"no\"}");
        row("get /api/rules", ANY_ROLE);
        row("put /api/rules", List.of("keeper"), "{\"version\": 0, \"rules\": []}");
        row("get /api/keys", List.of("keeper"));
        row("post /api/keys/unlock", List.of("keeper"), "{\"passphrase\": \"" + TestConsole.PASSPHRASE + "\"}");
        row("post /api/keys/lock", List.of("keeper"), "");
        row("post /api/keys/rotate", List.of("keeper"), "{\"kinds\": [\"wrap\"]}");
        row("get /api/keys/rules", List.of("keeper"));
        row("post /api/keys/rules", List.of("keeper"), "{\"withdraw\": true}");
        row("post /api/keys/rules/preview", List.of("keeper"), "{\"rules\": 2}");
        row(
                "post /api/keys/backup",
                List.of("keeper"),
                "{\"shares\": 3, \"threshold\": 2, \"passphrase\": \"" + TestConsole.PASSPHRASE + "\"}");
        row("get /api/readers", List.of("keeper"));
        row(
                "post /api/readers/issue",
                List.of("keeper"),
                "{\"name\": \"ada\", \"attributes\": \"role:auditor\", \"epochs\": \"2026-11\", \"passphrase\": \"12345678\"}");
        row("post /api/readers/revoke", List.of("keeper"), "{\"name\": \"nobody\"}");
        row("get /api/mail-users", List.of("keeper"));
        row("post /api/mail-users/enrol", List.of("keeper"), "{\"address\": \"ada@acme.example\", \"key\": \"p256\"}");
        row("post /api/mail-users/cancel-link", List.of("keeper"), ADDRESS);
        row("post /api/mail-users/withdraw", List.of("keeper"), ADDRESS);
        row("get /api/senders", List.of("keeper", "operator"));
        row("get /api/senders/rules", List.of("keeper", "operator"));
        row("get /api/senders/indexes", List.of("keeper"));
        row("post /api/senders/indexes/allow", List.of("keeper"), "{\"name\": \"nobody\"}");
        row("post /api/senders/indexes/allow-day", List.of("keeper"), "");
        row("post /api/senders/indexes/callers", List.of("keeper"), "{\"name\": \"nobody\", \"allowed\": false}");
        row("get /api/senders/sweep", List.of("keeper"));
        row("get /api/senders/alarms", List.of("keeper"));
        row("get /api/senders/alarms/{id}/evidence", List.of("keeper"));
        row("post /api/senders", List.of("keeper"), "{\"publicKey\": \"none\"}");
        row("post /api/senders/remove", List.of("keeper"), "{\"name\": \"nobody\"}");
        row("post /api/senders/credential", List.of("keeper"), "{\"name\": \"roles-9\", \"kind\": \"mqtt\"}");
        row("post /api/senders/credential/remove", List.of("keeper"), "{\"name\": \"nobody\", \"kind\": \"smtp\"}");
        row("get /api/routes", ANY_ROLE);
        row(
                "post /api/routes",
                List.of("operator"),
                "{\"name\": \"r\", \"query\": " + QUERY + ", \"action\": \"topic\", \"target\": \"t\"}");
        row("post /api/routes/remove", List.of("operator"), "{\"name\": \"r\"}");
        row("post /api/routes/renew", List.of("operator"), "{\"name\": \"r\"}");
        row("get /api/log", List.of("keeper", "approver", "auditor"));
        row("post /api/log/search", List.of("keeper", "approver", "auditor"), "{}");
        row("post /api/log/{number}/details", List.of("approver"));
        row("get /api/log/export", List.of("keeper", "approver"));
        row("get /api/log/lines", List.of("keeper", "approver"));
        row("get /api/log/head", List.of("keeper", "approver"));
        row("get /api/log/sink", List.of("keeper", "approver", "operator"));
        row("get /api/status", List.of("operator", "keeper"));
        row("get /api/status/figures", List.of("operator", "keeper"));
    }

    private static void searches(List<String> who) {
        row("get /api/searches", who);
        row("post /api/searches", who, QUERY);
        row("get /api/searches/{id}", who);
        row("delete /api/searches/{id}", who);
        row("post /api/searches/{id}/stop", who, "");
        row("get /api/searches/{id}/events", who);
        row("get /api/searches/{id}/rows", who);
        row("get /api/searches/{id}/histogram", who);
        row("get /api/searches/{id}/rows/{row}", who);
        row("get /api/searches/{id}/rows/{row}/place", who);
        row("get /api/searches/{id}/table", who);
        row("get /api/table-views", who);
        row("put /api/table-views", who, "{}");
        row("get /api/searches/{id}/fields", who);
        row("get /api/searches/{id}/fields/{column}", who);
        row("get /api/searches/{id}/rows/{row}/surrounding", who);
        row("get /api/searches/{id}/rows/{row}/raw", who);
        row("get /api/searches/{id}/rows/{row}/attachments/{number}", who);
        row("get /api/searches/{id}/unchecked", who);
        row("post /api/searches/{id}/unchecked/{number}", who, "");
        row("get /api/searches/{id}/sources", who);
        row("get /api/searches/{id}/export", who);
    }

    private static void row(String operation, List<String> allowed) {
        row(operation, allowed, "");
    }

    private static void row(String operation, List<String> allowed, String body) {
        TABLE.put(operation, new Row(allowed, body));
    }

    /** Without login. */
    private static final Set<String> PUBLIC =
            Set.of("get /bundle", "get /sender-registry", "post /enrolment/files", "post /enrolment/received");

    @Autowired
    private MockMvc http;

    @Autowired
    private Custody custody;

    @Autowired
    @Qualifier("requestMappingHandlerMapping")
    private RequestMappingHandlerMapping mappings;

    @AfterEach
    void openKeys() throws Exception {
        custody.unlock(TestConsole.PASSPHRASE.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void everyDocumentedEndpointHasItsRow() throws Exception {
        Set<String> rows = new TreeSet<>(TABLE.keySet());
        rows.addAll(PUBLIC);
        assertThat(rows).isEqualTo(documented());
    }

    @Test
    void documentsEveryEndpointAndNoOther() throws Exception {
        assertThat(documented()).isEqualTo(mapped());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void takesALogin(String operation) throws Exception {
        assertThat(send(operation, csrf()).getStatus()).isEqualTo(401);
        // A page whose session is over has no token either, and is told the same.
        assertThat(send(operation).getStatus()).isEqualTo(401);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void changesTakeTheTokenOfThePage(String operation) throws Exception {
        MockHttpServletResponse response = send(operation, login("mallory", ROLES.toArray(String[]::new)));
        assertThat(response.getStatus()).isEqualTo(403);
        assertThat(response.getContentAsString()).contains("urn:veilgate:problem:csrf");
    }

    @ParameterizedTest
    @MethodSource("rows")
    void isForItsRolesOnly(String operation) throws Exception {
        List<String> allowed = TABLE.get(operation).allowed();
        for (String role : ROLES) {
            int status = send(operation, login("roles-" + role, role), csrf()).getStatus();
            assertThat(status == 403)
                    .as("%s by %s: %d", operation, role, status)
                    .isEqualTo(!allowed.isEmpty() && !allowed.contains(role));
            assertThat(status).as("%s by %s", operation, role).isNotIn(401, 405, 500);
            openKeys();
        }
        int nobody = send(operation, login("roles-nobody"), csrf()).getStatus();
        assertThat(nobody == 403).as("%s without a role: %d", operation, nobody).isEqualTo(!allowed.isEmpty());
        int other = send(operation, login("roles-other", "ROLE_keeper", "Keeper", "admin"), csrf())
                .getStatus();
        assertThat(other == 403).as("%s by another program's roles", operation).isEqualTo(!allowed.isEmpty());
    }

    @Test
    void thePublicBundleTakesNoLogin() throws Exception {
        assertThat(send("get /bundle").getStatus()).isEqualTo(200);
        assertThat(send("get /sender-registry").getStatus()).isEqualTo(200);
    }

    private static Stream<String> rows() {
        return TABLE.keySet().stream();
    }

    private static Stream<String> changes() {
        return rows().filter(operation -> !operation.startsWith("get "));
    }

    private MockHttpServletResponse send(String operation, RequestPostProcessor... as) throws Exception {
        String[] parts = operation.split(" ");
        String path = parts[1].replace("{id}", ID)
                .replace("{row}", "0")
                .replace("{number}", "0")
                .replace("{column}", "level");
        MockHttpServletRequestBuilder request = request(
                HttpMethod.valueOf(parts[0].toUpperCase(Locale.ROOT)),
                path + (path.endsWith("/export") ? "?format=csv" : ""));
        for (RequestPostProcessor processor : as) {
            request.with(processor);
        }
        Row row = TABLE.get(operation);
        if (row != null && !row.body().isEmpty()) {
            request.contentType(MediaType.APPLICATION_JSON).content(row.body());
        }
        return http.perform(request).andReturn().getResponse();
    }

    private static Set<String> documented() throws Exception {
        try (InputStream in = Objects.requireNonNull(RolesTest.class.getResourceAsStream("/openapi.yaml"))) {
            Map<String, Map<String, Map<String, ?>>> document = new Yaml().load(in);
            Set<String> operations = new TreeSet<>();
            document.get("paths")
                    .forEach((path, item) -> item.keySet().stream()
                            .filter(OPERATIONS::contains)
                            .forEach(method -> operations.add(method + " " + path)));
            return operations;
        }
    }

    private Set<String> mapped() {
        Set<String> operations = new TreeSet<>();
        mappings.getHandlerMethods()
                .forEach((mapping, handler) -> mapping.getPatternValues().stream()
                        .filter(path -> path.startsWith("/api")
                                || path.startsWith("/enrolment")
                                || Set.of("/bundle", "/sender-registry").contains(path))
                        .forEach(path -> mapping.getMethodsCondition()
                                .getMethods()
                                .forEach(method ->
                                        operations.add(method.name().toLowerCase(Locale.ROOT) + " " + path))));
        return operations;
    }
}
