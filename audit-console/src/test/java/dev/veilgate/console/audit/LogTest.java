package dev.veilgate.console.audit;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import com.jayway.jsonpath.JsonPath;
import dev.veilgate.application.TestClock;
import dev.veilgate.authority.AuthorityLog;
import dev.veilgate.authority.IssuedEntries;
import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.TestConsole;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.BrokenAnswerException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.envelope.KemSecretKey;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.issuing.LogEntry;
import dev.veilgate.issuing.LogVerifier;
import dev.veilgate.issuing.SignedTreeHead;
import dev.veilgate.peks.Keyword;
import dev.veilgate.query.Digest;
import dev.veilgate.query.Expression;
import dev.veilgate.query.SearchRequest;
import jakarta.servlet.ServletOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.mock.web.DelegatingServletOutputStream;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;
import org.springframework.test.web.servlet.request.RequestPostProcessor;

/** What is written is shown to those whom it concerns, exported whole, and sealed where it has to be. */
@ConsoleTest
class LogTest {
    @Autowired
    private AuditLog log;

    @Autowired
    private LogController controller;

    @Autowired
    private Custody custody;

    @Autowired
    private TestClock clock;

    @Autowired
    private MockMvc http;

    private final String actor = "log-" + UUID.randomUUID();

    private void write(EntryKind kind, String by, int times) {
        for (int i = 0; i < times; i++) {
            log.append(LogDraft.of(kind, by));
        }
    }

    @Test
    void isFilteredByKindAndActor() throws Exception {
        write(EntryKind.EXPORT, actor, 2);
        write(EntryKind.ATTRIBUTE_KEY, actor, 1);
        write(EntryKind.EXPORT, actor + "-other", 1);
        http.perform(get("/api/log?kind=export&actor=" + actor).with(login("kim", "keeper")))
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.entries.length()").value(2))
                .andExpect(jsonPath("$.size")
                        .value(log.read(opened -> opened.size()).intValue()))
                .andExpect(jsonPath("$.root").isString())
                .andExpect(jsonPath("$.headTime").isString());
        http.perform(get("/api/log?kind=attribute-key&actor=" + actor).with(login("ben", "approver")))
                .andExpect(jsonPath("$.entries.length()").value(1));
        http.perform(get("/api/log?kind=unheard-of").with(login("kim", "keeper")))
                .andExpect(jsonPath("$.entries.length()").value(0));
    }

    private ResultActions search(String more, String by) throws Exception {
        return http.perform(post("/api/log/search")
                .with(by.equals("kim") ? login("kim", "keeper") : login(by, "auditor"))
                .with(csrf())
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"actor\": \"" + actor + "\"" + more + "}"));
    }

    private List<Integer> numbers(String more, String by) throws Exception {
        return JsonPath.read(
                search(more, by)
                        .andExpect(status().isOk())
                        .andReturn()
                        .getResponse()
                        .getContentAsString(),
                "$.entries[*].number");
    }

    @Test
    void isSearchedByTextScopeAndTime() throws Exception {
        int first = (int) log.append(LogDraft.of(EntryKind.REFUSED, actor)
                .with("scope", "plant-7 plant-77")
                .with("reason", "The Director's mail"));
        clock.advance(Duration.ofHours(1));
        Instant between = clock.instant();
        int second = (int) log.append(
                log.with(LogDraft.of(EntryKind.EXPORT, actor).with("scope", "plant-77"), "query", "director", true));
        assertThat(numbers("", "kim")).containsExactly(second, first);
        assertThat(numbers(", \"scope\": \"plant-7\"", "kim")).containsExactly(first);
        assertThat(numbers(", \"scope\": \"plant-77\"", "kim")).containsExactly(second, first);
        assertThat(numbers(", \"scope\": \"plant\"", "kim")).isEmpty();
        assertThat(numbers(", \"text\": \"director\"", "kim"))
                .as("what is sealed is not looked into")
                .containsExactly(first);
        assertThat(numbers(", \"text\": \"EXPORT\"", "kim")).containsExactly(second);
        assertThat(numbers(", \"from\": \"" + between + "\"", "kim")).containsExactly(second);
        assertThat(numbers(", \"to\": \"" + between + "\"", "kim")).containsExactly(first);
        assertThat(numbers(", \"limit\": 1, \"before\": " + second, "kim")).containsExactly(first);
        assertThat(numbers(", \"text\": \"director\"", actor)).as("their own").containsExactly(first);
        assertThat(numbers(", \"text\": \"director\"", "another")).isEmpty();
        String turned = ", \"from\": \"" + between + "\", \"to\": \"" + between + "\"";
        for (String wrong : List.of(", \"from\": \"x\"", turned, ", \"text\": \"" + "a".repeat(201) + "\"")) {
            search(wrong, "kim").andExpect(status().isBadRequest());
        }
    }

    @Test
    void isExportedAsLinesInWhichWhatIsSealedStaysSealed() throws Exception {
        log.append(LogDraft.of(EntryKind.REFUSED, actor).with("reason", "a\nb \u202e \"c\""));
        log.append(log.with(LogDraft.of(EntryKind.EXPORT, actor).with("format", "csv"), "query", "salary", true));
        MockHttpServletResponse answer = http.perform(
                        get("/api/log/lines?actor=" + actor).with(login("ben", "approver")))
                .andExpect(status().isOk())
                .andReturn()
                .getResponse();
        assertThat(answer.getHeader("Content-Disposition")).contains("issuing-log.jsonl");
        List<String> lines =
                answer.getContentAsString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(2).noneMatch(line -> line.contains("salary"));
        assertThat(JsonPath.<String>read(lines.getFirst(), "$.details.reason")).isEqualTo("a\nb \u202e \"c\"");
        LogEntry sealed = log.read(opened -> opened.entry(JsonPath.<Integer>read(lines.getLast(), "$.number")))
                .orElseThrow();
        assertThat(Base64.getDecoder().decode(JsonPath.<String>read(lines.getLast(), "$.sealed")))
                .isEqualTo(sealed.sealed());
    }

    @Test
    void whatARuleAllowsIsNotCalledApproved() throws Exception {
        log.append(LogDraft.of(EntryKind.APPROVED, actor).with("decision", "allowed by the rule \"logs\""));
        log.append(LogDraft.of(EntryKind.APPROVED, actor).with(Entries.APPROVAL, "x"));
        String all = "/api/log?actor=" + actor;
        http.perform(get(all).with(login("kim", "keeper")))
                .andExpect(jsonPath("$.entries[0].kind").value("approved"))
                .andExpect(jsonPath("$.entries[1].kind").value("allowed-by-rule"));
        http.perform(get(all + "&kind=allowed-by-rule").with(login("kim", "keeper")))
                .andExpect(jsonPath("$.entries.length()").value(1));
    }

    @Test
    void auditorsSeeWhatTheyDid() throws Exception {
        write(EntryKind.EXPORT, actor, 2);
        write(EntryKind.EXPORT, actor + "-other", 1);
        http.perform(get("/api/log").with(login(actor, "auditor")))
                .andExpect(jsonPath("$.entries.length()").value(2))
                .andExpect(jsonPath("$.entries[?(@.actor != '" + actor + "')]").isEmpty());
        http.perform(get("/api/log?actor=" + actor + "-other").with(login(actor, "auditor")))
                .andExpect(jsonPath("$.entries.length()").value(0));
    }

    @Test
    void pagesGoOnWhereTheLastOneEnded() throws Exception {
        write(EntryKind.EXPORT, actor, 5);
        List<Integer> numbers = new ArrayList<>();
        Optional<Integer> next = Optional.of(Integer.MAX_VALUE);
        while (next.isPresent()) {
            String path = "/api/log?limit=2&actor=" + actor + "&before=" + next.get();
            String json = http.perform(get(path).with(login("kim", "keeper")))
                    .andReturn()
                    .getResponse()
                    .getContentAsString();
            numbers.addAll(JsonPath.<List<Integer>>read(json, "$.entries[*].number"));
            next = JsonPath.<List<Integer>>read(json, "$..next").stream().findFirst();
        }
        assertThat(numbers).hasSize(5).doesNotHaveDuplicates().isSortedAccordingTo((a, b) -> b - a);
        for (String wrong : List.of("limit=0", "limit=201", "before=0", "before=x")) {
            http.perform(get("/api/log?" + wrong).with(login("kim", "keeper"))).andExpect(status().isBadRequest());
        }
    }

    @Test
    void aHeadThatWasKeptFitsTheLogThatHasGrown() throws Exception {
        write(EntryKind.EXPORT, actor, 1);
        byte[] kept = http.perform(get("/api/log/head").with(login("ben", "approver")))
                .andExpect(status().isOk())
                .andReturn()
                .getResponse()
                .getContentAsByteArray();
        SignedTreeHead head = SignedTreeHead.decode(kept);
        write(EntryKind.EXPORT, actor, 1);
        LogVerifier verifier =
                new LogVerifier(custody.use(keys -> keys.authority().fingerprint()));
        verifier.expect("kept", head);
        verifier.read(
                new ByteArrayInputStream(http.perform(get("/api/log/export").with(login("kim", "keeper")))
                        .andReturn()
                        .getResponse()
                        .getContentAsByteArray()));
        assertThat(verifier.findings()).isEmpty();
        assertThat(head.head().size()).isLessThan(verifier.entries());
    }

    @Test
    void theExportIsWholeAndSigned() throws Exception {
        write(EntryKind.EXPORT, actor, 3);
        byte[] exported = http.perform(get("/api/log/export").with(login("kim", "keeper")))
                .andExpect(status().isOk())
                .andReturn()
                .getResponse()
                .getContentAsByteArray();
        LogVerifier verifier =
                new LogVerifier(custody.use(keys -> keys.authority().fingerprint()));
        verifier.read(new ByteArrayInputStream(exported));
        assertThat(verifier.findings()).isEmpty();
        assertThat(verifier.covered()).isEqualTo(log.read(opened -> opened.size()));
    }

    /** The log is not what is wrong when a browser goes away. */
    @Test
    void anExportThatIsBrokenOffIsNoFaultOfTheLog() {
        write(EntryKind.EXPORT, actor, 3);
        MockHttpServletResponse gone = new MockHttpServletResponse() {
            @Override
            public ServletOutputStream getOutputStream() {
                return new DelegatingServletOutputStream(new OutputStream() {
                    @Override
                    public void write(int value) throws IOException {
                        throw new IOException("Broken pipe");
                    }
                });
            }
        };
        User kim = new User("kim", "Kim", Set.of(Role.KEEPER), Optional.empty());
        assertThatThrownBy(() -> controller.export(kim, gone))
                .isInstanceOf(BrokenAnswerException.class)
                .hasRootCauseMessage("Broken pipe");
    }

    @Test
    void everyTrapdoorHasAnEntryAndAHiddenKeywordIsForTheKeyHolder() throws Exception {
        List<List<Keyword>> terms = List.of(
                List.of(Keyword.text("word", "salary"), Keyword.text("user", "root")),
                List.of(Keyword.text("user", "root")));
        SearchRequest request = custody.issue((keys, store) ->
                keys.request("plant-7", List.of("2026-11", "2026-12"), terms, Expression.allOf(2), store));
        for (boolean hidden : new boolean[] {false, true}) {
            long first = log.append(IssuedEntries.trapdoors(
                    actor, 17, terms, request, (draft, name, value) -> log.with(draft, name, value, hidden)));
            List<LogEntry> entries =
                    log.read(opened -> opened.newestFirst(Long.MAX_VALUE, Math.toIntExact(opened.size() - first + 1)));
            assertThat(entries)
                    .extracting(entry -> entry.details().get("trapdoor"))
                    .containsExactlyInAnyOrderElementsOf(
                            request.digests().stream().map(Digest::toString).toList());
            for (LogEntry entry : entries) {
                String keyword = hidden
                        ? custody.use(keys -> AuthorityLog.unseal(keys, entry))
                                .orElseThrow()
                                .get("keyword")
                        : entry.details().get("keyword");
                String expected = entry.details().get("field").equals("user") ? "root" : "salary";
                assertThat(keyword).isEqualTo(expected);
                assertThat(entry.details()).containsEntry("request", "17").containsEntry("scope", "plant-7");
                if (hidden) {
                    assertThat(new String(entry.encode(), StandardCharsets.ISO_8859_1))
                            .doesNotContain(expected);
                }
            }
        }
    }

    private ResultActions open(Object number, RequestPostProcessor by) throws Exception {
        return http.perform(post("/api/log/" + number + "/details").with(by).with(csrf()));
    }

    @Test
    void anApproverOpensWhatIsSealedAndThatIsInTheLogToo() throws Exception {
        LogDraft draft = log.with(LogDraft.of(EntryKind.REFUSED, actor), "query", "word:salary", true);
        long number = log.append(log.with(draft, "keyword", "salary", true));
        open(number, login("sealed-ben", "approver"))
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.length()").value(2))
                .andExpect(jsonPath("$[?(@.name == 'query')].value").value("word:salary"))
                .andExpect(jsonPath("$[?(@.name == 'keyword')].value").value("salary"));
        LogEntry opened = log.read(all -> all.newestFirst(Long.MAX_VALUE, 1)).getFirst();
        assertThat(opened.kind()).isEqualTo(EntryKind.DECRYPTION);
        assertThat(opened.actor()).isEqualTo("sealed-ben");
        assertThat(opened.details())
                .containsEntry("entry", Long.toString(number))
                .containsEntry("action", "sealed details");
    }

    @Test
    void nothingSealedIsNotFoundAndNotLogged() throws Exception {
        long number = log.append(LogDraft.of(EntryKind.EXPORT, actor));
        for (Object none : List.of(number, number + 100_000, 0, -1)) {
            open(none, login("ben", "approver")).andExpect(status().isNotFound());
        }
        open("x", login("ben", "approver")).andExpect(status().isBadRequest());
        assertThat(log.<Long>read(opened -> opened.size())).isEqualTo(number);
    }

    @Test
    void withoutKeysNobodyOpensWhatIsSealed() throws Exception {
        String secret = "word:salary-" + UUID.randomUUID();
        long number = log.append(log.with(LogDraft.of(EntryKind.REFUSED, actor), "query", secret, true));
        byte[] exported = http.perform(get("/api/log/export").with(login("kim", "keeper")))
                .andReturn()
                .getResponse()
                .getContentAsByteArray();
        assertThat(new String(exported, StandardCharsets.ISO_8859_1))
                .contains(actor)
                .doesNotContain(secret);
        LogEntry entry = log.read(opened -> opened.entry(number)).orElseThrow();
        try (KemSecretKey other = KemSecretKey.generate(new SecureRandom())) {
            assertThat(entry.unseal(custody.use(keys -> keys.authority()), other))
                    .isEmpty();
        }
        custody.lock();
        try {
            open(number, login("ben", "approver")).andExpect(status().isLocked());
        } finally {
            custody.unlock(TestConsole.PASSPHRASE.getBytes(StandardCharsets.UTF_8));
        }
        open(number, login("ben", "approver")).andExpect(jsonPath("$[0].value").value(secret));
    }

    @Test
    void manyOpenedEnvelopesTakeFewEntries() {
        List<Entries.Opened> opened = Stream.generate(() -> new Entries.Opened(UUID.randomUUID(), 3))
                .limit(250)
                .toList();
        UUID search = UUID.randomUUID();
        long first = log.append(Entries.decryptions(actor, search, opened));
        List<LogEntry> entries = log.read(all -> all.newestFirst(Long.MAX_VALUE, (int) (all.size() - first + 1)));
        assertThat(entries).hasSize(3);
        assertThat(entries.stream()
                        .flatMap(entry ->
                                Stream.of(entry.details().get("envelope").split(" ")))
                        .toList())
                .containsExactlyInAnyOrderElementsOf(
                        opened.stream().map(one -> one.envelope().toString()).toList());
        assertThat(entries.getLast().details()).containsEntry("count", "300");
    }

    @Test
    void aLongTextIsCutBetweenCharacters() {
        assertThat(Entries.cut("a".repeat(20), 20)).isEqualTo("a".repeat(20));
        assertThat(Entries.cut("ä".repeat(20), 20)).isEqualTo("ä".repeat(8) + "…");
        assertThat(Entries.cut("😀".repeat(20), 20)).isEqualTo("😀".repeat(4) + "…");
    }
}
