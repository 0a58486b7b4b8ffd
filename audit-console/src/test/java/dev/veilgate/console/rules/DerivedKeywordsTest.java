package dev.veilgate.console.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.query.Intent.Purpose;
import dev.veilgate.console.query.QueryText;
import dev.veilgate.console.rules.Rule.Effect;
import dev.veilgate.console.rules.RuleBook.Verdict;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.QueryReadings;
import dev.veilgate.extract.mail.MailQuery;
import dev.veilgate.query.Filter;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Words are also found by their beginnings and stems, addresses by their networks: no way round a rule. */
class DerivedKeywordsTest {
    private static final ExtractorProfile PROFILE = ExtractorProfile.defaults()
            .withWordPrefixes(new ExtractorProfile.WordPrefixes(2, 8))
            .withIpPrefixes(8, 16, 24);
    private static final Rule ALL = rule("all", Effect.ALLOW, null, null, false);

    private final User ada = Asking.user("ada", "role:auditor", Role.AUDITOR);

    DerivedKeywordsTest() throws Exception {}

    private static Rule rule(
            String name, Effect effect, @Nullable List<String> fields, @Nullable List<String> values, boolean hide) {
        return new Rule(name, effect, null, null, null, fields, values, null, null, null, null, hide);
    }

    private Verdict verdict(String query, Rule... rules) throws Exception {
        QueryText text = new QueryText(query, "mailbox-alice", true, null, null, null, null);
        KeywordQuery parsed = MailQuery.parse(query, PROFILE);
        Intent intent = new Intent(
                text,
                QueryReadings.of(parsed, ExtractorProfile.defaults()),
                Filter.NONE,
                List.of("2026-11"),
                Purpose.SEARCH);
        return RuleBook.of(new Rules(1, List.of(rules))).decide(ada, intent, (epochs, back) -> true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"salary", "prefix:salar", "sal*", "stem.en:salary", "stem.en:salaries", "a AND NOT sal*"})
    void aWordThatIsRefusedIsRefusedInAllItsForms(String query) throws Exception {
        for (Effect effect : List.of(Effect.REFUSE, Effect.APPROVE)) {
            Rule salary = rule("salary", effect, List.of("word"), List.of("salary"), true);
            assertThat(verdict(query, salary, ALL).effect()).isEqualTo(effect);
            assertThat(verdict(query, salary, ALL).hide()).isTrue();
            Rule anywhere = rule("salary", effect, null, List.of("salary"), true);
            assertThat(verdict(query, anywhere, ALL).effect()).isEqualTo(effect);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"機密情報", "機密", "subject:密情", "a 情報"})
    void aWordThatIsFoundByItsPairsIsRefusedByEachOfThem(String query) throws Exception {
        for (String value : List.of("機密情報", "機密情報*", "x*機密情報")) {
            Rule secret = rule("secret", Effect.REFUSE, List.of("word", "subject"), List.of(value), false);
            assertThat(verdict(query, secret, ALL).effect()).as(value).isEqualTo(Effect.REFUSE);
            assertThat(verdict("年金", secret, ALL).effect()).isEqualTo(Effect.ALLOW);
        }
    }

    /** Whoever writes a rule need not know the other spelling, nor what is asked for beside it in mails of before. */
    @ParameterizedTest
    @CsvSource({
        "*@stra\u00dfe.example, eva@stra\u00dfe.example",
        "*@stra\u00dfe.example, eva@xn--strae-oqa.example",
        "*@xn--strae-oqa.example, eva@stra\u00dfe.example",
        "*@xn--strae-oqa.example, eva@XN--STRAE-OQA.example",
        "eva@xn--strae-oqa.example, @stra\u00dfe.example",
        "*@*.xn--mnchen-3ya.example, eva@mail.m\u00fcnchen.example",
        "*@xn--9d6hc.example, eva@\ud83a\udd22\ud83a\udd23.example"
    })
    void aDomainIsOneInBothSpellings(String listed, String asked) throws Exception {
        Rule refuse = rule("r", Effect.REFUSE, List.of("from"), List.of(listed), true);
        assertThat(verdict("from:" + asked, refuse, ALL).effect()).isEqualTo(Effect.REFUSE);
        assertThat(verdict("from:eva@strasse2.example", refuse, ALL).effect()).isEqualTo(Effect.ALLOW);
        if (asked.charAt(0) != '@') {
            Rule allow = rule("a", Effect.ALLOW, List.of("from"), List.of(listed), false);
            assertThat(verdict("from:" + asked, allow).effect()).isEqualTo(Effect.ALLOW);
            assertThat(verdict("from:eva@strasse2.example", allow).effect()).isNotEqualTo(Effect.ALLOW);
        }
    }

    @Test
    void anAddressThatIsRefusedIsNotFoundByItsNetwork() throws Exception {
        Rule host = rule("host", Effect.REFUSE, List.of("ip"), List.of("10.0.0.7"), true);
        for (String query :
                List.of("10.0.0.7", "ip:10.0.0.7", "ip:10.0.0.0/24", "ip:10.0.0.0/29", "ip-prefix:10.0.0.0/8")) {
            assertThat(verdict(query, host, ALL).effect()).as(query).isEqualTo(Effect.REFUSE);
        }
        assertThat(verdict("10.0.0.8", host, ALL).effect()).isEqualTo(Effect.ALLOW);
    }

    /** By rules 2 whatever lies in a folder is found by it, and a source by its last name. */
    @ParameterizedTest
    @CsvSource({
        "path, /srv/secret, /srv/secret/plan.txt, true",
        "path, /srv/secret/plan.txt, path:/srv, true",
        "path, /srv/secret/plan.txt, /srv/secret, true",
        "path, /srv/secret*, path:/srv, true",
        "source, /var/log/auth.log, source:auth.log, true",
        "source, /var/log/auth.log, source:/var/log, true",
        "path, /srv/secret, path:/srv/secrets, false",
        "source, /var/log/auth.log, source:web.log, false",
    })
    void aPathThatIsRefusedIsNotFoundByItsParts(String field, String listed, String query, boolean isRefused)
            throws Exception {
        Rule refuse = rule("r", Effect.REFUSE, List.of(field), List.of(listed), true);
        KeywordQuery parsed = KeywordQuery.parse(query, PROFILE.withRules(2));
        Intent intent = new Intent(
                new QueryText(query, "log", false, null, null, null, null),
                QueryReadings.of(parsed, PROFILE.withRules(2)),
                Filter.NONE,
                List.of("2026-11"),
                Purpose.SEARCH);
        Effect effect = RuleBook.of(new Rules(1, List.of(refuse, ALL)))
                .decide(ada, intent, (epochs, back) -> true)
                .effect();
        assertThat(effect).isEqualTo(isRefused ? Effect.REFUSE : Effect.ALLOW);
    }

    @ParameterizedTest
    @CsvSource({
        "from, ceo@example.org, from:@example.org",
        "from, ceo@example.org, from:alice",
        "from, CEO@Example.org, 'from:\"Alice Smith\"'",
        "from, ceo*, from:@example.org",
        "from, ceo*, from:alice",
        "to, @example.org, to:ceo@example.org",
        "cc, alice, cc:ceo@example.org",
        "cc, alice, cc:@example.org",
        "cc, Alice Smith, cc:smith",
        "cc, *@example.*, cc:@example.org",
        "date, 2026-11-21, date:2026-11",
        "date, 2026-*-21, date:2026-11",
        "date, 2026-11, date:2026-11-21",
        "filename, salaries.pdf, filename:*.pdf",
        "filename, salaries*, filename:*.pdf",
        "filename, *.pdf, filename:salaries.pdf",
    })
    void whatIsRefusedIsNotFoundByACoarserForm(String field, String value, String query) throws Exception {
        for (Effect effect : List.of(Effect.REFUSE, Effect.APPROVE)) {
            Rule listed = rule("listed", effect, List.of(field), List.of(value), true);
            assertThat(verdict(query, listed, ALL).effect()).isEqualTo(effect);
            assertThat(verdict(query, listed, ALL).hide()).isTrue();
        }
        Rule allowed = rule("allowed", Effect.ALLOW, List.of(field), List.of("x" + value.replace("*", "")), false);
        assertThat(verdict(query, allowed).effect()).isEqualTo(Effect.REFUSE);
    }

    @ParameterizedTest
    @CsvSource({
        "from, ceo@example.org, from:bob@example.org",
        "from, ceo@example.org, from:@example.com",
        "from, ceo@example.org, to:@example.org",
        "from, alice, from:bob",
        "date, 2026-11-21, date:2026-11-22",
        "date, 2026-11-21, date:2026-12",
        "filename, salaries.pdf, filename:*.txt",
        "filename, salaries.pdf, filename:menu.pdf",
    })
    void whatCannotFindItIsNotRefused(String field, String value, String query) throws Exception {
        Rule listed = rule("listed", Effect.REFUSE, List.of(field), List.of(value), false);
        assertThat(verdict(query, listed, ALL).effect()).isEqualTo(Effect.ALLOW);
    }

    @Test
    void aRuleThatAllowsAWordAllowsNoMoreThanIt() throws Exception {
        for (List<String> fields : Arrays.asList(List.of("word"), List.of("*"), null)) {
            Rule urgent = rule("urgent", Effect.ALLOW, fields, List.of("urgent"), false);
            assertThat(verdict("urgent", urgent).effect()).isEqualTo(Effect.ALLOW);
            for (String query : List.of("urgent*", "stem.en:urgent")) {
                assertThat(verdict(query, urgent).effect())
                        .as("%s by %s", query, fields)
                        .isEqualTo(Effect.REFUSE);
            }
        }
        Rule host = rule("hosts", Effect.ALLOW, List.of("ip*"), List.of("10.0.0.*"), false);
        assertThat(verdict("10.0.0.7", host).effect()).isEqualTo(Effect.ALLOW);
        assertThat(verdict("ip:10.0.0.0/8", host).effect()).isEqualTo(Effect.REFUSE);
    }

    @Test
    void whatAFieldNamesIsAllowedAsItIsWritten() throws Exception {
        Rule beginnings = rule("beginnings", Effect.ALLOW, List.of("prefix", "stem.*"), List.of("urg*"), false);
        assertThat(verdict("urgen*", beginnings).effect()).isEqualTo(Effect.ALLOW);
        assertThat(verdict("stem.en:urgent", beginnings).effect()).isEqualTo(Effect.ALLOW);
        assertThat(verdict("sal*", beginnings).effect()).isEqualTo(Effect.REFUSE);
        assertThat(verdict("urgent", beginnings).effect()).isEqualTo(Effect.REFUSE);
        Rule networks = rule("network", Effect.ALLOW, List.of("ip-prefix"), List.of("10.0.0.0/8"), false);
        assertThat(verdict("ip:10.1.2.3/8", networks).effect()).isEqualTo(Effect.ALLOW);
        assertThat(verdict("ip:10.0.0.0/16", networks).effect()).isEqualTo(Effect.REFUSE);
        assertThat(verdict("sal* stem.en:run ip:10.0.0.0/8", ALL).effect()).isEqualTo(Effect.ALLOW);
    }

    @Test
    void whatAnAllowingRuleHidesIsHiddenInAllItsForms() throws Exception {
        Rule hidden = rule("hidden", Effect.ALLOW, List.of("word"), List.of("salary"), true);
        assertThat(verdict("salar*", hidden, ALL).effect()).isEqualTo(Effect.ALLOW);
        assertThat(verdict("salar*", hidden, ALL).hide()).isTrue();
        assertThat(verdict("subject:salary", hidden, ALL).hide()).isFalse();
    }
}
