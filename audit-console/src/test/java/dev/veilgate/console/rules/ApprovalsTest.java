package dev.veilgate.console.rules;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.veilgate.application.TestClock;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.TestConsole;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.query.Intent.Purpose;
import dev.veilgate.console.query.QueryText;
import dev.veilgate.console.rules.Decision.Outcome;
import dev.veilgate.query.Filter;
import dev.veilgate.reading.EventTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** A request for approval from being asked to its end. */
@ConsoleTest
class ApprovalsTest {
    private static final String MAILBOX = "mailbox-alice";

    @Autowired
    private Authorizer authorizer;

    @Autowired
    private Approvals approvals;

    @Autowired
    private ApprovalStore store;

    @Autowired
    private RuleStore rules;

    @Autowired
    private Custody custody;

    @Autowired
    private TestClock clock;

    @Autowired
    private MockMvc http;

    private int users;

    private User auditor() throws Exception {
        return Asking.user("asker-" + UUID.randomUUID() + users++, "role:auditor", Role.AUDITOR);
    }

    private String epoch() {
        return EpochPolicy.MONTHLY.at(clock.instant()).name();
    }

    private Intent mail(String query) throws Exception {
        return Asking.search(MAILBOX, query, epoch());
    }

    private Intent mail(String query, @Nullable Instant from, @Nullable Instant to) throws Exception {
        return Asking.search(MAILBOX, query, from, to, epoch());
    }

    private UUID ask(User user, Intent intent) {
        Decision decision = authorizer.authorise(user, intent, "case 12");
        assertThat(decision.outcome()).isEqualTo(Outcome.NEEDS_APPROVAL);
        return decision.approval().orElseThrow();
    }

    private ResultActions decide(UUID id, String verb, String reason, String by, String... roles) throws Exception {
        return http.perform(post("/api/approvals/" + id + "/" + verb)
                .with(login(by, roles))
                .with(csrf())
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"reason\": \"" + reason + "\"}"));
    }

    private void approve(UUID id) throws Exception {
        decide(id, "approve", "four eyes", "ben", "approver").andExpect(status().isOk());
    }

    @Test
    void whatIsApprovedMayBeSearchedUntilItExpires() throws Exception {
        User ada = auditor();
        UUID id = ask(ada, mail("salary"));
        assertThat(authorizer.decide(ada, mail("salary")).outcome()).isEqualTo(Outcome.NEEDS_APPROVAL);
        decide(id, "approve", "four eyes", "ben", "approver")
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.state").value("approved"))
                .andExpect(jsonPath("$.decidedBy").value("ben"))
                .andExpect(jsonPath("$.decision").value("four eyes"))
                .andExpect(jsonPath("$.mine").value(false));
        for (int i = 0; i < 2; i++) {
            Decision decision = authorizer.authorise(ada, mail("salary"), "");
            assertThat(decision.outcome()).isEqualTo(Outcome.ALLOWED);
            assertThat(decision.approval()).contains(id);
            assertThat(decision.logNumber()).isPositive();
        }
        clock.advance(Duration.ofHours(24));
        assertThat(authorizer.decide(ada, mail("salary")).outcome()).isEqualTo(Outcome.NEEDS_APPROVAL);
        assertThat(approvals.find(ada, id)).map(ApprovalView::state).contains("expired");
    }

    @Test
    void isGoodForNothingElse() throws Exception {
        User ada = auditor();
        approve(ask(ada, mail("salary")));
        assertThat(authorizer.decide(ada, mail("salary bonus")).outcome()).isEqualTo(Outcome.NEEDS_APPROVAL);
        assertThat(authorizer
                        .decide(ada, Asking.search("mailbox-bob", "salary", epoch()))
                        .outcome())
                .isEqualTo(Outcome.NEEDS_APPROVAL);
        assertThat(authorizer
                        .decide(ada, Asking.search(MAILBOX, "salary", "2020-01", epoch()))
                        .outcome())
                .isEqualTo(Outcome.NEEDS_APPROVAL);
        assertThat(authorizer.decide(auditor(), mail("salary")).outcome()).isEqualTo(Outcome.NEEDS_APPROVAL);
    }

    @Test
    void isGoodForAPartOfTheTimeAndNotForMore() throws Exception {
        User ada = auditor();
        Instant now = clock.instant();
        Instant dayAgo = now.minus(Duration.ofHours(24));
        approve(ask(ada, mail("salary", dayAgo, null)));
        clock.advance(Duration.ofMinutes(5));
        assertThat(authorizer
                        .decide(ada, mail("salary", dayAgo.plusSeconds(300), null))
                        .outcome())
                .as("the last 24 hours, five minutes later")
                .isEqualTo(Outcome.ALLOWED);
        assertThat(authorizer
                        .decide(ada, mail("salary", dayAgo.minusMillis(1), null))
                        .outcome())
                .isEqualTo(Outcome.NEEDS_APPROVAL);
        assertThat(authorizer.decide(ada, mail("salary")).outcome()).isEqualTo(Outcome.NEEDS_APPROVAL);

        approve(ask(ada, mail("bonus", dayAgo, now.minus(Duration.ofHours(12)))));
        assertThat(authorizer
                        .decide(ada, mail("bonus", dayAgo, now.minus(Duration.ofHours(13))))
                        .outcome())
                .isEqualTo(Outcome.ALLOWED);
        assertThat(authorizer
                        .decide(ada, mail("bonus", dayAgo, now.minus(Duration.ofHours(11))))
                        .outcome())
                .isEqualTo(Outcome.NEEDS_APPROVAL);
    }

    /** With the epochs that it takes. */
    private Intent until(Instant from, @Nullable Instant to) throws Exception {
        Intent asked = mail("salary", from, to);
        return new Intent(
                asked.text(),
                asked.readings(),
                asked.filter(),
                EpochPolicy.MONTHLY.searched(EventTime.widened(asked.filter()), clock.instant()),
                asked.purpose());
    }

    @Test
    void isNotGoodForEpochsThatHaveNotBegun() throws Exception {
        Instant now = clock.instant();
        Instant dayAgo = now.minus(Duration.ofHours(24));
        for (Instant to : Arrays.asList(now, null)) {
            User ada = auditor();
            approve(ask(ada, until(dayAgo, to)));
            clock.advance(Duration.ofMinutes(5));
            assertThat(authorizer.decide(ada, until(dayAgo, clock.instant())).outcome())
                    .isEqualTo(Outcome.ALLOWED);
            assertThat(authorizer.decide(ada, until(dayAgo, null)).outcome()).isEqualTo(Outcome.ALLOWED);
            Intent farther = until(dayAgo, Instant.parse("2100-01-01T00:00:00Z"));
            assertThat(farther.epochs()).doesNotContain("2099-12");
            assertThat(authorizer.decide(ada, farther).outcome()).isEqualTo(Outcome.ALLOWED);
            Intent later = new Intent(
                    farther.text(), farther.readings(), farther.filter(), List.of("2099-12"), farther.purpose());
            assertThat(authorizer.decide(ada, later).outcome()).isEqualTo(Outcome.NEEDS_APPROVAL);
        }
    }

    private Intent route(int epochs) throws Exception {
        Intent asked = mail("salary");
        return new Intent(
                asked.text(),
                asked.readings(),
                asked.filter(),
                EpochPolicy.MONTHLY.routed(asked.filter(), clock.instant(), epochs - 1),
                Purpose.ROUTE);
    }

    @Test
    void aRouteIsApprovedForSoManyEpochs() throws Exception {
        List<Rule> before = rules.rules().rules();
        Rule routes = new Rule(
                "routes", Rule.Effect.APPROVE, null, null, null, null, null, List.of("route"), null, null, null, null);
        rules.replace(new Rules(rules.rules().version(), List.of(routes)), "test", made -> {});
        try {
            User oli = Asking.user("oli-" + UUID.randomUUID(), "", Role.OPERATOR);
            approve(ask(oli, route(2)));
            assertThat(authorizer.decide(oli, route(1)).outcome()).isEqualTo(Outcome.ALLOWED);
            assertThat(authorizer.decide(oli, route(2)).outcome()).isEqualTo(Outcome.ALLOWED);
            assertThat(authorizer.decide(oli, route(3)).outcome()).isEqualTo(Outcome.NEEDS_APPROVAL);
            assertThat(authorizer.decide(oli, route(24)).outcome()).isEqualTo(Outcome.NEEDS_APPROVAL);
        } finally {
            rules.replace(new Rules(rules.rules().version(), before), "test", made -> {});
        }
    }

    @Test
    void theSameQuestionIsAskedOnce() throws Exception {
        User ada = auditor();
        assertThat(ask(ada, mail("salary"))).isEqualTo(ask(ada, mail("salary")));
        assertThat(ask(ada, mail("bonus"))).isNotEqualTo(ask(ada, mail("salary")));
    }

    @Test
    void nobodyApprovesTheirOwn() throws Exception {
        User ben = Asking.user("ben-" + UUID.randomUUID(), "role:dpo", Role.AUDITOR, Role.APPROVER);
        UUID id = ask(ben, mail("salary"));
        decide(id, "approve", "", ben.id(), "auditor", "approver")
                .andExpect(status().isForbidden())
                .andExpect(jsonPath("$.detail").value(containsString("own request")));
        assertThat(authorizer.decide(ben, mail("salary")).outcome()).isEqualTo(Outcome.NEEDS_APPROVAL);
        approve(id);
    }

    @Test
    void isDecidedOnceAndARefusalSaysWhy() throws Exception {
        User ada = auditor();
        UUID id = ask(ada, mail("salary"));
        decide(id, "refuse", " ", "ben", "approver").andExpect(status().isBadRequest());
        decide(id, "refuse", "too broad", "ben", "approver")
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.state").value("refused"));
        decide(id, "approve", "", "ben", "approver").andExpect(status().isConflict());
        assertThat(approvals.find(ada, id)).map(ApprovalView::decision).contains("too broad");
        assertThat(ask(ada, mail("salary"))).isNotEqualTo(id);
        decide(UUID.randomUUID(), "approve", "", "ben", "approver").andExpect(status().isNotFound());
    }

    @Test
    void whatNobodyDecidesExpires() throws Exception {
        User ada = auditor();
        UUID id = ask(ada, mail("salary"));
        clock.advance(Duration.ofHours(72));
        decide(id, "approve", "", "ben", "approver").andExpect(status().isConflict());
        approvals.sweep();
        http.perform(get("/api/log?kind=expired&actor=" + ada.id()).with(login("kim", "keeper")))
                .andExpect(jsonPath("$.entries.length()").value(1))
                .andExpect(jsonPath("$.entries[0].details[?(@.name == 'approval')].value")
                        .value(id.toString()));
        approvals.sweep();
        http.perform(get("/api/log?kind=expired&actor=" + ada.id()).with(login("kim", "keeper")))
                .andExpect(jsonPath("$.entries.length()").value(1));
    }

    @Test
    void othersRequestsAreForApprovers() throws Exception {
        User ada = auditor();
        UUID id = ask(ada, mail("salary"));
        String path = "$[?(@.id == '" + id + "')].query";
        http.perform(get("/api/approvals?state=pending").with(login(ada.id(), "auditor")))
                .andExpect(jsonPath(path).value("salary"));
        http.perform(get("/api/approvals?state=pending").with(login("ben", "approver")))
                .andExpect(jsonPath(path).value("salary"));
        http.perform(get("/api/approvals").with(login("other", "auditor", "keeper")))
                .andExpect(jsonPath(path).isEmpty());
        assertThat(approvals.find(auditor(), id)).isEmpty();
        http.perform(get("/api/approvals?state=open").with(login("ben", "approver")))
                .andExpect(status().isBadRequest());
    }

    @Test
    void approversSeeHowTheQueryIsUnderstoodAndWhoseEnvelopesItIsAbout() throws Exception {
        User ada = auditor();
        Intent intent = mail("salary NOT (bonus 2026)");
        QueryText text = intent.text();
        Filter filter = new Filter(Optional.empty(), Optional.empty(), Set.of("hr-2", "hr-1"));
        UUID id = ask(
                ada,
                new Intent(
                        new QueryText(text.query(), text.scope(), true, null, null, List.of("hr-2", "hr-1"), null),
                        intent.readings(),
                        filter,
                        intent.epochs(),
                        Purpose.SEARCH));
        String one = "$[?(@.id == '" + id + "')]";
        http.perform(get("/api/approvals").with(login("ben", "approver")))
                .andExpect(jsonPath(one + ".terms[*].text")
                        .value(contains("salary", "AND", "NOT", "(", "bonus", "AND", "2026", ")")))
                .andExpect(jsonPath(one + ".senders[*]").value(contains("hr-1", "hr-2")));
    }

    /** Somebody asked before it was refused. */
    @Test
    void requestsOfQueriesThatAreRefusedByNowAreListedAndSaySo() throws Exception {
        User ada = auditor();
        Approval plain = store.find(ask(ada, mail("salary"))).orElseThrow();
        Asked asked = plain.asked();
        UUID id = UUID.randomUUID();
        store.insert(new Approval(
                id,
                ada.id(),
                clock.instant(),
                plain.expires(),
                Approval.State.PENDING,
                plain.rule(),
                1,
                new Asked(
                        asked.purpose(),
                        "salary -bonus",
                        asked.scope(),
                        true,
                        null,
                        null,
                        List.of(),
                        asked.epochs(),
                        ""),
                plain.logNumber(),
                "",
                null,
                null,
                null));
        ApprovalView view = approvals.find(ada, id).orElseThrow();
        assertThat(view.query()).isEqualTo("salary -bonus");
        assertThat(view.terms()).isNull();
        assertThat(view.notes()).singleElement().asString().contains("cannot be searched any more");
        clock.advance(Duration.ofHours(72));
        ApprovalView over = approvals.find(ada, id).orElseThrow();
        assertThat(over.notes()).as("nobody can decide or use it").isEmpty();
    }

    @Test
    void whoDecidesSeesWhatMayBeAMistake() throws Exception {
        User ada = auditor();
        UUID id = ask(ada, mail("disk levl:error"));
        assertThat(approvals.find(ada, id).orElseThrow().notes())
                .singleElement()
                .asString()
                .startsWith("Perhaps a mistake, at character 6: no field of this name is known")
                .endsWith("the nearest is level.");
    }

    @Test
    void whatWaitsIsListedHoweverManyAreDecided() throws Exception {
        User ada = auditor();
        UUID id = ask(ada, mail("salary"));
        Approval waiting = store.find(id).orElseThrow();
        clock.advance(Duration.ofMinutes(1));
        for (int i = 0; i < ApprovalStore.MAX_LISTED; i++) {
            store.insert(new Approval(
                    UUID.randomUUID(),
                    ada.id(),
                    clock.instant(),
                    waiting.expires(),
                    Approval.State.REFUSED,
                    waiting.rule(),
                    1,
                    waiting.asked(),
                    waiting.logNumber(),
                    "",
                    "ben",
                    null,
                    "no"));
        }
        assertThat(approvals.list(ada, Approval.State.PENDING))
                .extracting(ApprovalView::id)
                .containsExactly(id);
        assertThat(approvals.list(ada, Approval.State.REFUSED)).hasSize(ApprovalStore.MAX_LISTED);
        assertThat(approvals.list(ada, null)).hasSize(ApprovalStore.MAX_LISTED);
        assertThat(approvals.list(ada, Approval.State.EXPIRED)).isEmpty();
        clock.advance(Duration.ofHours(72));
        assertThat(approvals.list(ada, Approval.State.PENDING)).isEmpty();
        assertThat(approvals.list(ada, Approval.State.EXPIRED))
                .extracting(ApprovalView::id)
                .containsExactly(id);
    }

    @Test
    void aSweepDoesNotUndoWhatWasDecidedAfterItLooked() throws Exception {
        User ada = auditor();
        UUID id = ask(ada, mail("salary"));
        Approval found = store.find(id).orElseThrow();
        approve(id);
        assertThat(store.expire(found, found.expires())).isFalse();
        assertThat(approvals.find(ada, id)).map(ApprovalView::state).contains("approved");
    }

    @Test
    void withoutKeysNothingIsDecided() throws Exception {
        User ada = auditor();
        UUID id = ask(ada, mail("salary"));
        custody.lock();
        try {
            assertThatThrownBy(() -> authorizer.authorise(ada, mail("salary"), ""))
                    .isInstanceOfSatisfying(
                            ProblemException.class, e -> assertThat(e.type()).isEqualTo("keys-locked"));
            decide(id, "approve", "", "ben", "approver").andExpect(status().isLocked());
        } finally {
            custody.unlock(TestConsole.PASSPHRASE.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(approvals.find(ada, id)).map(ApprovalView::state).contains("pending");
    }
}
