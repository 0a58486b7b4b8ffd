package dev.veilgate.console.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.EpochPolicy;
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
import dev.veilgate.peks.DyadicIntervals;
import dev.veilgate.peks.Keyword;
import dev.veilgate.query.Filter;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random rules and queries, decided as well by a reader of the rules who takes nothing for granted. */
class RuleBookLawsTest {
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
    private static final YearMonth PRESENT = YearMonth.of(2026, 11);
    private static final EpochReach REACH = EpochReach.at(EpochPolicy.MONTHLY, NOW);
    private static final List<String> SCOPES = List.of("plant-7", "plant-8", "mailbox-ada", "mailbox-ben");
    private static final List<String> SCOPE_PATTERNS =
            List.of("plant-7", "plant-*", "mailbox-*", "*", "*-*a*", "nowhere");
    private static final List<String> FIELDS =
            List.of("word", "user", "level", "temperature", "ip", "prefix", "stem.en", "ip-prefix");
    private static final List<String> FIELD_PATTERNS =
            List.of("word", "USER", "*", "te*re", "level", "ip", "ip*", "prefix", "stem.*");
    private static final List<String> VALUES = List.of("urgent", "root", "a.c", "abc", "error");
    private static final List<String> VALUE_PATTERNS = List.of("urgent", "Root", "a.c", "*r*", "**", "a*c", "e*r");
    private static final Map<String, String> POLICIES = Map.of(
            "role:dpo",
            "dpo",
            "role:auditor AND site:plant-7",
            "auditor+plant",
            "role:dpo OR site:plant-7",
            "dpo|plant");
    private static final List<String> ATTRIBUTES =
            List.of("", "role:dpo", "site:plant-7", "role:auditor, site:plant-7");
    private static final DyadicIntervals TEMPERATURE = new DyadicIntervals("temperature", 0, 10);

    private final SplittableRandom random = random();

    private static SplittableRandom random() {
        String seed = System.getProperty("veilgate.seed", "1");
        System.out.println("RuleBookLawsTest: -Dveilgate.seed=" + seed);
        return new SplittableRandom(seed.hashCode());
    }

    @Test
    void decidesAsTheRulesRead() throws Exception {
        Map<Effect, Integer> seen = new EnumMap<>(Effect.class);
        for (int round = 0; round < 20_000; round++) {
            Rules rules = rules();
            User user = Asking.user("ada", pick(ATTRIBUTES), roles());
            Intent intent = intent();
            Verdict verdict = RuleBook.of(rules).decide(user, intent, REACH);
            List<@Nullable Rule> each = intent.query().keywords().stream()
                    .map(keyword -> first(rules, user, intent, keyword))
                    .toList();
            Effect expected = each.stream()
                    .map(rule -> rule == null ? Effect.REFUSE : rule.effect())
                    .reduce(Effect.ALLOW, (a, b) -> a.ordinal() > b.ordinal() ? a : b);
            assertThat(verdict.effect()).as("round %d of %s", round, rules).isEqualTo(expected);
            if (verdict.rule().isPresent()) {
                assertThat(each).contains(verdict.rule().get());
                assertThat(verdict.rule().get().effect()).isEqualTo(expected);
            }
            if (each.stream().anyMatch(rule -> rule != null && rule.hides())) {
                assertThat(verdict.hide()).isTrue();
            }
            seen.merge(expected, 1, Integer::sum);
        }
        assertThat(seen)
                .allSatisfy(
                        (effect, times) -> assertThat(times).as("%s", effect).isGreaterThan(500));
        assertThat(seen).hasSize(3);
    }

    @Test
    void aRuleBehindTheOthersNeverTakesARightAway() throws Exception {
        for (int round = 0; round < 2_000; round++) {
            Rules rules = rules();
            List<Rule> more = new ArrayList<>(rules.rules());
            more.add(rule("last", Effect.ALLOW));
            User user = Asking.user("ada", pick(ATTRIBUTES), roles());
            Intent intent = intent();
            Effect before = RuleBook.of(rules).decide(user, intent, REACH).effect();
            Effect after =
                    RuleBook.of(new Rules(1, more)).decide(user, intent, REACH).effect();
            assertThat(after).isLessThanOrEqualTo(before);
        }
    }

    private Rules rules() {
        return new Rules(
                1,
                IntStream.range(0, random.nextInt(6))
                        .mapToObj(i -> rule("rule " + i, pick(List.of(Effect.values()))))
                        .toList());
    }

    private Rule rule(String name, Effect effect) {
        return new Rule(
                name,
                effect,
                some(List.of("auditor", "operator")),
                random.nextInt(3) == 0
                        ? pick(POLICIES.keySet().stream().sorted().toList())
                        : null,
                some(SCOPE_PATTERNS),
                some(FIELD_PATTERNS),
                some(VALUE_PATTERNS),
                some(List.of("search", "route")),
                random.nextInt(3) == 0 ? random.nextInt(4) : null,
                null,
                null,
                random.nextInt(4) == 0 ? true : null);
    }

    private Role[] roles() {
        return Stream.of(Role.AUDITOR, Role.OPERATOR, Role.KEEPER)
                .filter(role -> random.nextInt(4) > 0)
                .toArray(Role[]::new);
    }

    private Intent intent() {
        List<List<Keyword>> terms = IntStream.rangeClosed(0, random.nextInt(3))
                .mapToObj(i -> term())
                .toList();
        int back = random.nextInt(5) - 1;
        List<String> epochs = IntStream.rangeClosed(Math.min(0, back), Math.max(0, back))
                .mapToObj(i -> PRESENT.minusMonths(i).toString())
                .toList();
        return new Intent(
                new QueryText("as typed", pick(SCOPES), false, null, null, null, null),
                QueryReadings.of(KeywordQuery.allOf(terms), ExtractorProfile.defaults()),
                Filter.NONE,
                epochs,
                pick(List.of(Purpose.values())));
    }

    private List<Keyword> term() {
        int from = random.nextInt(500);
        return random.nextInt(4) == 0
                ? TEMPERATURE.keywordsOfRange(from, from + random.nextInt(40))
                : List.of(Keyword.text(pick(FIELDS), pick(VALUES)));
    }

    private @Nullable Rule first(Rules rules, User user, Intent intent, Keyword keyword) {
        for (Rule rule : rules.rules()) {
            if (listed(rule.roles(), user.roles().stream().map(Role::label).toList())
                    && (rule.attributes() == null || holds(POLICIES.get(rule.attributes()), user.attributeTexts()))
                    && like(rule.scopes(), intent.text().scope())
                    && listed(rule.purposes(), List.of(intent.purpose() == Purpose.SEARCH ? "search" : "route"))
                    && speaks(rule, keyword)
                    && recent(rule.epochsBack(), intent.epochs())) {
                return rule;
            }
        }
        return null;
    }

    private static boolean speaks(Rule rule, Keyword keyword) {
        String origin = Map.of("prefix", "word", "stem.en", "word", "ip-prefix", "ip")
                .getOrDefault(keyword.field(), keyword.field());
        boolean isDerived = !origin.equals(keyword.field());
        boolean everything = rule.values() == null || rule.values().contains("**");
        if (rule.effect() != Effect.ALLOW) {
            return (like(rule.fields(), keyword.field()) || like(rule.fields(), origin))
                            && (isDerived || keyword.isInterval() || like(rule.values(), keyword.value()))
                    || rule.fields() != null && hasValue(rule, keyword);
        }
        List<String> byName = Stream.ofNullable(rule.fields())
                .flatMap(List::stream)
                .filter(pattern -> !like(List.of(pattern), origin))
                .toList();
        boolean isMeant = !isDerived || like(byName, keyword.field());
        return like(rule.fields(), keyword.field())
                && (everything || !keyword.isInterval() && isMeant && like(rule.values(), keyword.value()));
    }

    /** A value that a rule lists without a wildcard is restricted in any field, and in all that is made of it. */
    private static boolean hasValue(Rule rule, Keyword keyword) {
        String value = keyword.value();
        return !keyword.isInterval()
                && !keyword.field().equals("level")
                && Stream.ofNullable(rule.values())
                        .flatMap(List::stream)
                        .filter(listed -> listed.indexOf('*') < 0)
                        .map(listed -> listed.toLowerCase(Locale.ROOT))
                        .anyMatch(listed -> switch (keyword.field()) {
                            case "prefix" -> listed.startsWith(value);
                            case "stem.en" -> listed.startsWith(value.substring(0, 3));
                            default -> listed.equals(value);
                        });
    }

    private static boolean holds(String policy, List<String> held) {
        boolean dpo = held.contains("role:dpo");
        boolean plant = held.contains("site:plant-7");
        return switch (policy) {
            case "dpo" -> dpo;
            case "auditor+plant" -> held.contains("role:auditor") && plant;
            default -> dpo || plant;
        };
    }

    private static boolean listed(@Nullable List<String> allowed, List<String> held) {
        return allowed == null || held.stream().anyMatch(allowed::contains);
    }

    private static boolean like(@Nullable List<String> patterns, String text) {
        return patterns == null
                || patterns.stream()
                        .anyMatch(pattern -> Pattern.compile(
                                        Stream.of(pattern.split("\\*", -1))
                                                .map(Pattern::quote)
                                                .collect(Collectors.joining(".*")),
                                        Pattern.CASE_INSENSITIVE)
                                .matcher(text)
                                .matches());
    }

    private static boolean recent(@Nullable Integer back, List<String> epochs) {
        return back == null
                || epochs.stream().noneMatch(epoch -> YearMonth.parse(epoch).isBefore(PRESENT.minusMonths(back)));
    }

    private @Nullable List<String> some(List<String> from) {
        return random.nextInt(2) == 0
                ? null
                : IntStream.rangeClosed(0, random.nextInt(2))
                        .mapToObj(i -> pick(from))
                        .distinct()
                        .toList();
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
