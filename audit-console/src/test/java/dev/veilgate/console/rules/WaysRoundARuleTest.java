package dev.veilgate.console.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.query.Intent.Purpose;
import dev.veilgate.console.query.QueryText;
import dev.veilgate.console.rules.Rule.Effect;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.QueryReadings;
import dev.veilgate.extract.mail.MailQuery;
import dev.veilgate.peks.DyadicIntervals;
import dev.veilgate.query.Filter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Ways round a rule that keeps auditors from searching for a user, and what the rule does with each. */
class WaysRoundARuleTest {
    private static final ExtractorProfile PROFILE = ExtractorProfile.defaults()
            .upgraded()
            .withWordPrefixes(new ExtractorProfile.WordPrefixes(2, 8))
            .withNumericFields(new DyadicIntervals("uid", 0, 16));

    private static final Rule USER = new Rule(
            "user m",
            Effect.APPROVE,
            null,
            null,
            null,
            List.of("user"),
            List.of("mallory", "1007", "m@acme.example", "10.0.0.7", "\u738b\u5c0f\u660e"),
            null,
            null,
            null,
            null,
            true);
    private static final Rule ALL =
            new Rule("all", Effect.ALLOW, null, null, null, null, null, null, null, null, null, null);

    private final User ada = Asking.user("ada", "role:auditor", Role.AUDITOR);

    WaysRoundARuleTest() throws Exception {}

    private Effect effect(String query, boolean mail, Purpose purpose) throws Exception {
        KeywordQuery parsed = mail ? MailQuery.parse(query, PROFILE) : KeywordQuery.parse(query, PROFILE);
        Intent intent = new Intent(
                new QueryText(query, "plant-7", mail, null, null, null, null),
                QueryReadings.of(parsed, PROFILE),
                Filter.NONE,
                List.of("2026-11"),
                purpose);
        RuleBook.Verdict verdict =
                RuleBook.of(new Rules(1, List.of(USER, ALL))).decide(ada, intent, (epochs, back) -> true);
        assertThat(verdict.hide()).isEqualTo(verdict.effect() == Effect.APPROVE);
        return verdict.effect();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = ';',
            value = {
                "user:mallory ; the field",
                "user:MALLORY ; in other letters",
                "user:\"mallory\" ; in quotes",
                "user.keyword:mallory ; as Kibana names it",
                "user.name:mallory ; by the name of another product",
                "username:mallory ; by another",
                "src_user:mallory ; by one that may be another user",
                "related.user:mallory ; by one that lists users",
                "user.id:mallory ; by what identifies the user",
                "mallory ; the word",
                "\"mallory\" ; the word in quotes",
                "\"session of mallory opened\" ; among others",
                "disk mallory ; beside others",
                "disk OR mallory ; as one of several",
                "disk NOT user:mallory ; left out, which tells as much",
                "disk NOT mallory ; left out as a word",
                "disk NOT (full OR user:mallory) ; left out in a group",
                "mallory, disk ; with a comma",
                "word:mallory ; as the field of words",
                "mall* ; the beginning",
                "prefix:ma ; a shorter beginning",
                "stem.en:mallori ; the stem",
                "login:mallory ; another field",
                "account:mallory ; another field still",
                "labels.owner:mallory ; any field",
                "message:mallory ; a whole text",
                "suser:mallory ; the field of CEF",
                "1007 ; the number anywhere",
                "pid:1007 ; the number as a process",
                "ip:10.0.0.7 ; the address",
                "10.0.0.7 ; the address anywhere",
                "ip:10.0.0.0/24 ; its network",
                "source.ip:10.0.0.7 ; the address in another field",
                "/home/mallory ; the home folder",
                "path:/home/mallory/.ssh/id_rsa ; what lies in it",
                "\u738b\u5c0f ; a pair of characters",
                "user:\u738b\u5c0f\u660e ; all of them",
            })
    void isTheRule(String query, String way) throws Exception {
        for (Purpose purpose : Purpose.values()) {
            assertThat(effect(query, false, purpose)).as(way).isEqualTo(Effect.APPROVE);
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = ';',
            value = {
                "from:m@acme.example ; the address as that of an author",
                "cc:m@acme.example ; of who gets a copy",
                "m@acme.example ; anywhere",
                "mallory ; the word of a mail",
                "subject:mallory ; of its subject",
                "from:mallory ; a name",
                "filename:mallory ; a file's name",
            })
    void isTheRuleInMails(String query, String way) throws Exception {
        assertThat(effect(query, true, Purpose.SEARCH)).as(way).isEqualTo(Effect.APPROVE);
    }

    /** Records of all users alike are free: a rule by values does not keep anybody from them. */
    @ParameterizedTest
    @CsvSource({"disk", "level:error", "user:bob", "login:bob", "ip:10.0.0.8", "time:2026-11-21", "/home/bob", "1008"})
    void isFreeWhereNothingTellsTheUser(String query) throws Exception {
        assertThat(effect(query, false, Purpose.SEARCH)).isEqualTo(Effect.ALLOW);
    }

    /** Numbers with intervals are restricted by the name of their field alone, and said so. */
    @ParameterizedTest
    @CsvSource({"uid:1007", "uid:1000..1010"})
    void aNumberIsFoundByItsInterval(String query) throws Exception {
        assertThat(effect(query, false, Purpose.SEARCH)).isEqualTo(Effect.ALLOW);
    }

    static Stream<String> restrictedByDefault() {
        return Stream.of(
                "user:m",
                "user.name:m",
                "username:m",
                "src_user:m",
                "user.email:m",
                "uid:m",
                "login:m",
                "account:m",
                "suser:m",
                "duser:m",
                "mail:m",
                "email:m",
                "winlog.event_data.targetusername:m");
    }

    /** Fields alone: that words find the same records is said on the page of rules. */
    @ParameterizedTest
    @MethodSource("restrictedByDefault")
    void takesASecondPersonInANewInstallation(String query) throws Exception {
        RuleBook book = RuleBook.of(new Rules(1, DefaultRules.rules()));
        assertThat(book.decide(ada, Asking.search("plant-7", query, "2026-11"), (epochs, back) -> true)
                        .effect())
                .isEqualTo(Effect.APPROVE);
    }

    @Test
    void manyRulesOfManyValuesAreDecidedQuickly() throws Exception {
        List<String> values = Stream.iterate(0, i -> i + 1)
                .limit(200)
                .map(i -> "user" + i + ".surname" + i)
                .toList();
        List<Rule> rules = Stream.iterate(0, i -> i + 1)
                .limit(100)
                .map(i -> new Rule(
                        "rule " + i,
                        Effect.APPROVE,
                        null,
                        null,
                        null,
                        List.of("user"),
                        values,
                        null,
                        null,
                        null,
                        null,
                        null))
                .toList();
        RuleBook book = RuleBook.of(new Rules(1, rules));
        String query = "w0" + " OR w1".repeat(1)
                + Stream.iterate(2, i -> i + 1).limit(800).map(i -> " OR w" + i).reduce("", String::concat);
        var threads = java.lang.management.ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        assertThat(book.decide(ada, Asking.search("plant-7", query, "2026-11"), (epochs, back) -> true)
                        .effect())
                .isEqualTo(Effect.REFUSE);
        assertThat((threads.getCurrentThreadCpuTime() - before) / 1e9).isLessThan(10);
    }
}
