package dev.veilgate.truth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.truth.Case.Outcome;
import dev.veilgate.truth.Case.Target;
import dev.veilgate.truth.Case.Wrong;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Random records and mails, and random questions in the syntax of other products: each answer is right, or the query is
 * refused or warned of; none is wrong in silence. What is true is told by {@link PlainEvaluator} and
 * {@link MailFacts}, from facts. {@code -Dveilgate.truth=10000} asks so many questions.
 */
class QueryTruthLawsTest {
    private static final int CASES = Integer.getInteger("veilgate.truth", 1_000);
    private static final int RECORDS = 10;
    private static final int REWRITES = 24;

    private final long seed = Long.getLong("veilgate.seed", new Random().nextLong());
    private final Random random = new Random(seed);
    private int found;
    private final Map<String, int[]> table = new TreeMap<>();
    private final List<Wrong> wrong = new ArrayList<>();

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** A question of logs. */
    private Optional<Case> caseOfLogs() {
        LogWorld world = new LogWorld(random);
        List<LogFacts> facts =
                IntStream.range(0, RECORDS).mapToObj(i -> world.record()).toList();
        Syntax syntax = any(Syntax.ofLogs(random));
        Meaning meaning = world.meaning(facts, 2);
        int rules = 1 + random.nextInt(2);
        Set<String> seen = new HashSet<>();
        if (random.nextInt(4) > 0) {
            facts.forEach(each -> seen.addAll(each.names()));
        }
        return syntax.write(meaning).map(query -> {
            List<Target> records = facts.stream()
                    .map(each -> new Target(
                            each.form(),
                            each.line(),
                            false,
                            new PlainEvaluator(each, rules)::is,
                            Answer.ofLine(each.line(), rules)))
                    .toList();
            return new Case(syntax, meaning, query, rules, seen, records);
        });
    }

    private Optional<Case> caseOfMails() {
        MailWorld world = new MailWorld(random);
        List<MailFacts> facts =
                IntStream.range(0, RECORDS).mapToObj(i -> world.mail()).toList();
        Syntax syntax = any(Syntax.ofMails(random));
        Meaning meaning = world.meaning(facts, 2);
        int rules = 1 + random.nextInt(2);
        return syntax.write(meaning).map(query -> {
            List<Target> records = facts.stream()
                    .map(each -> new Target(
                            each.form(),
                            each.mail(),
                            true,
                            asked -> each.is(asked, rules),
                            Answer.ofMail(each.mail(), rules)))
                    .toList();
            return new Case(syntax, meaning, query, rules, Set.of(), records);
        });
    }

    private void ask(Case asked) {
        Answer answer = asked.answer(asked.query());
        for (Target record : asked.records()) {
            Outcome outcome = asked.outcome(answer, record);
            boolean isMeant = record.truth().apply(asked.meaning()) == Verdict.YES;
            found += isMeant && (outcome == Outcome.RIGHT || outcome == Outcome.MENDED) ? 1 : 0;
            table.computeIfAbsent(
                            "%-8s %s".formatted(asked.syntax().product, record.form()),
                            key -> new int[Outcome.values().length])[outcome.ordinal()]++;
        }
        asked.records().stream()
                .flatMap(record -> asked.wrong(answer, record).stream())
                .findFirst()
                .ifPresent(found -> wrong.add(smallest(found)));
    }

    /** The same of a part of the question, if that is wrong by itself. */
    private Wrong smallest(Wrong found) {
        Case of = found.of();
        List<Meaning> parts = of.meaning()
                .all()
                .sorted(Comparator.comparing(part -> part.all().count()))
                .toList();
        for (Meaning part : parts) {
            for (int i = 0; i < REWRITES; i++) {
                Optional<Wrong> smaller = of.syntax()
                        .write(part)
                        .map(query ->
                                new Case(of.syntax(), part, query, of.rules(), of.seen(), List.of(found.record())))
                        .flatMap(each -> each.wrong(each.answer(each.query()), found.record()));
                if (smaller.isPresent()) {
                    return smaller.get();
                }
            }
        }
        return found;
    }

    private String table() {
        StringBuilder text = new StringBuilder("%-24s".formatted("of records"));
        for (Outcome outcome : Outcome.values()) {
            text.append("%9s".formatted(outcome.name().toLowerCase(Locale.ROOT)));
        }
        table.forEach((row, counts) -> {
            text.append("%n%-24s".formatted(row));
            Arrays.stream(counts).forEach(count -> text.append("%9d".formatted(count)));
        });
        return text.toString();
    }

    @Test
    void noAnswerIsWrongInSilence() {
        int asked = 0;
        while (asked < CASES) {
            Optional<Case> next = random.nextInt(3) == 0 ? caseOfMails() : caseOfLogs();
            next.ifPresent(this::ask);
            asked += next.isPresent() ? 1 : 0;
        }
        System.out.println(table());
        assertThat(wrong).as("seed " + seed).isEmpty();
        assertThat(found).as("records that are found and meant, seed " + seed).isGreaterThan(CASES);
    }
}
