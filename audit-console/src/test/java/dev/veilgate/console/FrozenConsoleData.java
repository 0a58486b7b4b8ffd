package dev.veilgate.console;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import com.jayway.jsonpath.JsonPath;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.issuing.LogVerifier;
import dev.veilgate.issuing.SignedTreeHead;
import dev.veilgate.peks.Keyword;
import dev.veilgate.query.Expression;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.testing.FrozenSet;
import java.io.ByteArrayInputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.http.MediaType;
import org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.OidcLoginRequestPostProcessor;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** A console goes on with the database, the keys and the log of an earlier version: of each set, a subclass. */
@SpringBootTest(classes = ConsoleApplication.class)
@AutoConfigureMockMvc
abstract class FrozenConsoleData {
    private static final OidcLoginRequestPostProcessor ADA = login("ada", List.of("auditor"), List.of("role:auditor"));

    private final FrozenSet set;

    @Autowired
    private MockMvc http;

    @Autowired
    private Custody custody;

    FrozenConsoleData(FrozenSet set) {
        this.set = set;
    }

    private ResultActions ask(String path, OidcLoginRequestPostProcessor as) throws Exception {
        return http.perform(get(path).with(as)).andExpect(status().isOk());
    }

    private ResultActions search(String query) throws Exception {
        return http.perform(post("/api/searches")
                .with(ADA)
                .with(csrf())
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"query\": \"" + query + "\", \"scope\": \"mailbox-alice\", \"reason\": \"case 12\"}"));
    }

    @Test
    void hasItsUsersSavedSearches() throws Exception {
        ask("/api/saved-searches", ADA)
                .andExpect(jsonPath("$.length()").value(1))
                .andExpect(jsonPath("$[0].name").value("errors"))
                .andExpect(jsonPath("$[0].query.query").value("level:error"))
                .andExpect(jsonPath("$[0].query.scope").value("plant-7"))
                .andExpect(jsonPath("$[0].query.senders[0]").value("press-4"));
    }

    @Test
    void hasTheRulesThatWereChanged() throws Exception {
        ask("/api/rules", login("kim", "keeper"))
                .andExpect(jsonPath("$.rules[0].name").value("payroll is closed"))
                .andExpect(jsonPath("$.rules[0].effect").value("refuse"))
                .andExpect(jsonPath("$.rules.length()").value(greaterThan(3)));
        http.perform(post("/api/searches")
                        .with(ADA)
                        .with(csrf())
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{\"query\": \"x\", \"scope\": \"payroll\"}"))
                .andExpect(status().isForbidden());
    }

    @Test
    void whatWasApprovedIsAndWhatWaitsIsDecidedNow() throws Exception {
        ask("/api/approvals", ADA)
                .andExpect(jsonPath("$[?(@.query == 'salary')].state").value("approved"))
                .andExpect(jsonPath("$[?(@.query == 'salary')].decidedBy").value("ben"))
                .andExpect(jsonPath("$[?(@.query == 'salary')].decision").value("four eyes"))
                .andExpect(jsonPath("$[?(@.query == 'bonus')].state").value("pending"))
                .andExpect(jsonPath("$[?(@.query == 'bonus')].reason").value("case 12"));
        search("salary").andExpect(status().isCreated());
        search("bonus").andExpect(status().isAccepted());
        String all = ask("/api/approvals?state=pending", ADA)
                .andReturn()
                .getResponse()
                .getContentAsString();
        String id =
                JsonPath.<List<String>>read(all, "$[?(@.query == 'bonus')].id").getFirst();
        http.perform(post("/api/approvals/" + id + "/approve")
                        .with(login("ben", "approver"))
                        .with(csrf())
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{\"reason\": \"late\"}"))
                .andExpect(status().isOk());
        search("bonus").andExpect(status().isCreated());
    }

    @Test
    void knowsItsReadersAndRoutes() throws Exception {
        ask("/api/readers", login("kim", "keeper"))
                .andExpect(jsonPath("$[?(@.name == 'carl')].attributes").value("role:dpo"))
                .andExpect(jsonPath("$[?(@.name == 'carl')].epochs[1]").value("2026-12"));
        SearchRequest any = custody.issue((keys, store) -> keys.request(
                "mailbox-alice",
                List.of("2026-11"),
                List.of(List.of(Keyword.text("word", "urgent"))),
                Expression.allOf(1),
                store));
        StubGateway.ROUTES.put("urgent", any); // the gateway has it still
        ask("/api/routes", ADA)
                .andExpect(jsonPath("$[?(@.name == 'urgent')].scope").value("mailbox-alice"))
                .andExpect(jsonPath("$[?(@.name == 'urgent')].epochs").isNotEmpty());
    }

    @Test
    void itsLogShowsWhatWasDoneAndStillVerifies() throws Exception {
        ask("/api/log?kind=rule-change", login("kim", "keeper"))
                .andExpect(jsonPath("$.entries[*].actor", hasItem("kim")));
        ask("/api/log?kind=attribute-key", login("kim", "keeper"))
                .andExpect(jsonPath("$.entries[0].details[?(@.name == 'reader')].value")
                        .value("carl"));
        ask("/api/log?kind=trapdoor&actor=ada", login("kim", "keeper"))
                .andExpect(jsonPath("$.entries[*].actor", hasItem("ada")));
        SignedTreeHead kept = SignedTreeHead.decode(set.bytes("head.vgh"));
        LogVerifier verifier =
                new LogVerifier(custody.use(keys -> keys.authority().fingerprint()));
        verifier.expect("head.vgh", kept);
        verifier.read(new ByteArrayInputStream(ask("/api/log/export", login("kim", "keeper"))
                .andReturn()
                .getResponse()
                .getContentAsByteArray()));
        assertThat(verifier.findings()).isEmpty();
        assertThat(verifier.entries()).isGreaterThanOrEqualTo(kept.head().size());
        assertThat(kept.head().size()).isGreaterThan(8);
    }

    /** An approver reads the sealed details of a log entry with the keys that the console holds. */
    @Test
    void opensTheSealedDetailsOfItsLog() throws Exception {
        String log = ask("/api/log?actor=ada&kind=requested", login("ben", "approver"))
                .andReturn()
                .getResponse()
                .getContentAsString();
        List<Integer> sealed = JsonPath.read(log, "$.entries[?(@.sealed == true)].number");
        assertThat(sealed).isNotEmpty();
        String opened = http.perform(post("/api/log/" + sealed.getLast() + "/details")
                        .with(login("ben", "approver"))
                        .with(csrf()))
                .andExpect(status().isOk())
                .andReturn()
                .getResponse()
                .getContentAsString();
        assertThat(opened).contains("salary");
    }

    @Test
    void handsOutTheBundleThatItHadPublished() throws Exception {
        byte[] before = set.bytes("bundle.vgb");
        byte[] now = custody.bundle().orElseThrow();
        String authority = custody.use(keys -> keys.authority().fingerprint());
        assertThat(PublicBundle.verify(now, authority, set.now()).serial())
                .isGreaterThanOrEqualTo(
                        PublicBundle.verify(before, authority, set.now()).serial());
        assertThat(now).isEqualTo(before);
    }
}
