package dev.veilgate.console.search;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import com.sun.net.httpserver.HttpExchange;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.application.TestClock;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.ReaderKeyFile;
import dev.veilgate.authority.SearchScheme;
import dev.veilgate.console.AttributeConsoleTest;
import dev.veilgate.console.StubGateway;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.OidcLoginRequestPostProcessor;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/**
 * An index that is searched by attributes: its policy decides about the attributes of who is logged in, whatever rules
 * and approvals say.
 */
@AttributeConsoleTest
class IndexPolicyTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String QUERY = "{\"query\": \"overheat\", \"scope\": \"plant-7\", \"mail\": false}";

    @Autowired
    private MockMvc http;

    @Autowired
    private Custody custody;

    @Autowired
    private TestClock clock;

    private final BlockingQueue<SearchRequest> asked = new LinkedBlockingQueue<>();

    @BeforeEach
    void begin() {
        StubGateway.SEARCHING.set(this::answer);
    }

    @AfterEach
    void end() {
        StubGateway.SEARCHING.set(StubGateway::nothing);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try {
            asked.add(SearchRequest.decode(exchange.getRequestBody().readAllBytes()));
        } catch (MalformedEncodingException e) {
            throw new IOException(e);
        } finally {
            StubGateway.nothing(exchange);
        }
    }

    private static OidcLoginRequestPostProcessor auditor(String name, String... attributes) {
        return login(name, List.of("auditor"), List.of(attributes));
    }

    private ResultActions send(String path, OidcLoginRequestPostProcessor as, String body) throws Exception {
        return http.perform(post(path)
                .with(as)
                .with(csrf())
                .contentType(MediaType.APPLICATION_JSON)
                .content(body));
    }

    /** Under the published bundle. */
    private Envelope sealed() throws Exception {
        byte[] signed = http.perform(get("/bundle")).andReturn().getResponse().getContentAsByteArray();
        PublicBundle bundle =
                PublicBundle.verify(signed, custody.use(keys -> keys.authority().fingerprint()), clock.instant());
        try (EnvelopeSealer sealer = new EnvelopeSealer(bundle, null, clock, RANDOM)) {
            EnvelopeDraft draft = new EnvelopeDraft(
                    "plant-7",
                    EpochPolicy.MONTHLY.at(clock.instant()).name(),
                    clock.instant(),
                    clock.instant(),
                    "text/plain",
                    List.of("overheat".getBytes(StandardCharsets.UTF_8)),
                    List.of(Posting.of(Keyword.text("word", "overheat"), 0)),
                    List.of(),
                    0);
            return Envelope.decode(sealer.seal(draft, ChainPosition.first()).bytes());
        }
    }

    private static boolean finds(SearchRequest request, Envelope envelope) throws Exception {
        return !PreparedSearch.of(request, IndexSchemes.load())
                .match(envelope, IndexAdmission.trust(envelope, IndexSchemes.load()))
                .isEmpty();
    }

    @Test
    void whoseAttributesSatisfyItSearches() throws Exception {
        Envelope envelope = sealed();
        OidcLoginRequestPostProcessor ada = auditor("policy-ada", "role:auditor", "site:plant-7");
        send("/api/queries/check", ada, QUERY)
                .andExpect(jsonPath("$.decision.outcome").value("allowed"))
                .andExpect(jsonPath("$.trapdoors").value(1))
                .andExpect(jsonPath("$.notSearched").isEmpty());
        send("/api/searches", ada, QUERY)
                .andExpect(status().isCreated())
                .andExpect(jsonPath("$.notSearched").isEmpty());
        assertThat(finds(asked.poll(2, TimeUnit.MINUTES), envelope)).isTrue();
    }

    @Test
    void whoseAttributesDoNotIsRefusedAndNothingIsIssued() throws Exception {
        for (String[] wrong : new String[][] {{}, {"role:auditor"}, {"role:auditor", "site:plant-8"}}) {
            OidcLoginRequestPostProcessor eve = auditor("policy-eve", wrong);
            send("/api/queries/check", eve, QUERY)
                    .andExpect(jsonPath("$.decision.outcome").value("refused"))
                    .andExpect(jsonPath("$.decision.reason").value(containsString("satisfy no index policy")))
                    .andExpect(jsonPath("$.trapdoors").value(0));
            send("/api/searches", eve, QUERY)
                    .andExpect(status().isForbidden())
                    .andExpect(jsonPath("$.detail").value(containsString("is missing")));
        }
        assertThat(asked).isEmpty();
        http.perform(get("/api/log?actor=policy-eve").with(login("kim", "keeper")))
                .andExpect(jsonPath("$.entries.length()").value(3))
                .andExpect(jsonPath("$.entries[0].kind").value("refused"));
    }

    /** By the rules it would take a second person; nobody is asked to approve what would find nothing. */
    @Test
    void noApprovalGoesBeyondIt() throws Exception {
        String mail = "{\"query\": \"invoice\", \"scope\": \"mailbox-alice\", \"mail\": true}";
        send("/api/searches", auditor("policy-max", "role:auditor"), mail).andExpect(status().isForbidden());
        send("/api/searches", auditor("policy-mia", "role:auditor", "site:plant-7"), mail)
                .andExpect(status().isAccepted());
    }

    @Test
    void routesAreMadeByTheAttributesOfWhoInstallsThem() throws Exception {
        String route = "{\"name\": \"%s\", \"query\": " + QUERY + ", \"action\": \"topic\", \"target\": \"alarms\"}";
        send("/api/routes", login("policy-oli", "operator"), route.formatted("policy-1"))
                .andExpect(status().isForbidden());
        assertThat(StubGateway.ROUTES).doesNotContainKey("policy-1");
        send(
                        "/api/routes",
                        login("policy-ola", List.of("operator"), List.of("role:auditor", "site:plant-7")),
                        route.formatted("policy-2"))
                .andExpect(status().isCreated());
        assertThat(finds(StubGateway.ROUTES.get("policy-2"), sealed())).isTrue();
    }

    @Test
    void aReaderIsIssuedSearchersKeysWhenThatWasAskedFor(@TempDir Path folder) throws Exception {
        OidcLoginRequestPostProcessor kim = login("kim", "keeper");
        String wanted =
                "{\"name\": \"policy-carl\", \"attributes\": \"%s\", \"epochs\": \"2026-11,2026-12\", \"passphrase\": \"reader's secret\"%s}";
        send("/api/readers/issue", kim, wanted.formatted("role:auditor", ", \"search\": true"))
                .andExpect(status().isBadRequest())
                .andExpect(jsonPath("$.detail").value(containsString("satisfy no index policy")));
        String right = "role:auditor, site:plant-7";
        assertThat(searching(folder, send("/api/readers/issue", kim, wanted.formatted(right, ""))))
                .isZero();
        for (String search : new String[] {", \"search\": true", ""}) { // and again, as it was
            assertThat(searching(folder, send("/api/readers/issue", kim, wanted.formatted(right, search))))
                    .isEqualTo(2);
        }
        http.perform(get("/api/readers").with(kim))
                .andExpect(jsonPath("$[?(@.name == 'policy-carl')].searches").value(true));
        http.perform(get("/api/log?kind=attribute-key&limit=1").with(kim))
                .andExpect(jsonPath("$.entries[0].details[?(@.name == 'index-keys')].value")
                        .isNotEmpty());
    }

    private static int searching(Path folder, ResultActions issued) throws Exception {
        Path file = folder.resolve("carl.vgr");
        Files.write(
                file,
                issued.andExpect(status().isOk()).andReturn().getResponse().getContentAsByteArray());
        try (ReaderKeyFile.Content content =
                ReaderKeyFile.open(file, "reader's secret".getBytes(StandardCharsets.UTF_8))) {
            return content.searchers().size();
        }
    }

    /** Its policy changed: what is under the other key is not searched, and that is said. */
    @Test
    @DirtiesContext(methodMode = DirtiesContext.MethodMode.AFTER_METHOD)
    void whatIsLeftOutIsSaid() throws Exception {
        Envelope before = sealed();
        custody.change(keys -> {
            keys.rotateIndexKey(
                    new SearchScheme("cp-zxa14", Optional.of(Policy.parse("role:dpo"))), RANDOM, clock.instant());
            return true;
        });
        OidcLoginRequestPostProcessor ada = auditor("policy-ann", "role:auditor", "site:plant-7");
        send("/api/queries/check", ada, QUERY)
                .andExpect(jsonPath("$.decision.outcome").value("allowed"))
                .andExpect(jsonPath("$.trapdoors").value(1))
                .andExpect(jsonPath("$.notSearched.length()").value(1))
                .andExpect(jsonPath("$.notSearched[0]").value(containsString("which is for role:dpo")));
        send("/api/searches", ada, QUERY)
                .andExpect(status().isCreated())
                .andExpect(jsonPath("$.notSearched.length()").value(1));
        SearchRequest request = asked.poll(2, TimeUnit.MINUTES);
        assertThat(finds(request, before)).isTrue();
        assertThat(finds(request, sealed())).isFalse();
    }
}
