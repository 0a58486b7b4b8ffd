package dev.veilgate.console.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.query.Intent.Purpose;
import dev.veilgate.console.rules.Rule.Effect;
import dev.veilgate.console.rules.RuleBook.Verdict;
import org.junit.jupiter.api.Test;

/** What a new installation lets the people of the demonstration do. */
class DefaultRulesTest {
    private final RuleBook book = RuleBook.of(new Rules(1, DefaultRules.rules()));
    private final User ada = Asking.user("ada", "role:auditor, site:plant-7", Role.AUDITOR);
    private final User ben = Asking.user("ben", "role:dpo", Role.APPROVER, Role.AUDITOR);
    private final User eve = Asking.user("eve", "", Role.AUDITOR);
    private final User kim = Asking.user("kim", "", Role.KEEPER);
    private final User oli = Asking.user("oli", "", Role.OPERATOR);

    DefaultRulesTest() throws Exception {}

    private Verdict search(User user, String scope, String query) throws Exception {
        return book.decide(user, Asking.search(scope, query, "2026-11"), (epochs, back) -> true);
    }

    private Effect effect(User user, String scope, String query) throws Exception {
        return search(user, scope, query).effect();
    }

    @Test
    void auditorsSearchLogs() throws Exception {
        assertThat(effect(ada, "plant-7", "level:error unit:sshd temperature:70"))
                .isEqualTo(Effect.ALLOW);
        assertThat(effect(eve, "plant-7", "overheat")).isEqualTo(Effect.ALLOW);
        assertThat(effect(ada, "plant-7", "time:2026-11-21 10.0.0.1 42")).isEqualTo(Effect.ALLOW);
    }

    @Test
    void whatNamesAPersonTakesASecondOne() throws Exception {
        assertThat(effect(ada, "plant-7", "user:root")).isEqualTo(Effect.APPROVE);
        assertThat(effect(ada, "plant-7", "level:error AND NOT user:root")).isEqualTo(Effect.APPROVE);
        assertThat(search(ada, "plant-7", "user:root").hide()).isTrue();
        assertThat(search(ada, "plant-7", "level:error").hide()).isFalse();
    }

    @Test
    void urgentMailIsFoundAndOtherMailTakesASecondPerson() throws Exception {
        assertThat(effect(ada, "mailbox-alice", "urgent")).isEqualTo(Effect.ALLOW);
        assertThat(effect(ben, "mailbox-alice", "subject:Urgent")).isEqualTo(Effect.ALLOW);
        assertThat(effect(ada, "mailbox-alice", "salary")).isEqualTo(Effect.APPROVE);
        assertThat(effect(ada, "mailbox-alice", "urgent OR salary")).isEqualTo(Effect.APPROVE);
        assertThat(effect(ada, "mailbox-alice", "urgent from:ceo@acme.example")).isEqualTo(Effect.APPROVE);
        assertThat(search(ada, "mailbox-alice", "urgent").hide()).isTrue();
    }

    @Test
    void whoHasNoAttributesLooksIntoNoMailbox() throws Exception {
        Verdict verdict = search(eve, "mailbox-alice", "urgent");
        assertThat(verdict.effect()).isEqualTo(Effect.REFUSE);
        assertThat(verdict.rule()).map(Rule::name).contains("mailboxes");
        assertThat(verdict.hide()).isTrue();
        assertThat(book.maySearchIn(eve, "mailbox-alice")).isFalse();
        assertThat(book.maySearchIn(eve, "plant-7")).isTrue();
        assertThat(book.maySearchIn(ada, "mailbox-alice")).isTrue();
    }

    @Test
    void keepersAndOperatorsSearchNothing() throws Exception {
        assertThat(effect(kim, "plant-7", "overheat")).isEqualTo(Effect.REFUSE);
        assertThat(effect(oli, "plant-7", "overheat")).isEqualTo(Effect.REFUSE);
    }

    private Effect route(User user, String scope, String query) throws Exception {
        Intent search = Asking.search(scope, query, "2026-11", "2026-12");
        Intent route = new Intent(search.text(), search.readings(), search.filter(), search.epochs(), Purpose.ROUTE);
        return book.decide(user, route, (epochs, back) -> true).effect();
    }

    @Test
    void operatorsRouteLogsAndUrgentMailAndAskForOtherMail() throws Exception {
        assertThat(route(oli, "mailbox-alice", "urgent")).isEqualTo(Effect.ALLOW);
        assertThat(route(oli, "mailbox-alice", "subject:urgent")).isEqualTo(Effect.ALLOW);
        assertThat(route(oli, "mailbox-alice", "salary")).isEqualTo(Effect.APPROVE);
        assertThat(route(oli, "mailbox-alice", "urgent OR salary")).isEqualTo(Effect.APPROVE);
        assertThat(route(oli, "plant-7", "overheated")).isEqualTo(Effect.ALLOW);
        assertThat(book.maySearchIn(oli, "mailbox-alice")).isTrue();
    }

    @Test
    void auditorsAskForTheirRoutesWhereTheyMaySearch() throws Exception {
        assertThat(route(ada, "mailbox-alice", "urgent")).isEqualTo(Effect.APPROVE);
        assertThat(route(ben, "plant-7", "overheated")).isEqualTo(Effect.APPROVE);
        assertThat(route(eve, "mailbox-alice", "urgent")).isEqualTo(Effect.REFUSE);
        assertThat(route(eve, "plant-7", "overheated")).isEqualTo(Effect.REFUSE);
        assertThat(route(kim, "plant-7", "overheated")).isEqualTo(Effect.REFUSE);
        assertThat(book.maySearchIn(kim, "mailbox-alice")).isFalse();
    }
}
