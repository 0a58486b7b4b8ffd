package dev.veilgate.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.veilgate.peks.RecordSet;
import dev.veilgate.query.Expression.And;
import dev.veilgate.query.Expression.Not;
import dev.veilgate.query.Expression.Or;
import dev.veilgate.query.Expression.Term;
import dev.veilgate.random.TestSeed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Evaluation by sets of records is evaluation record by record, whatever the expression. */
class ExpressionLawsTest {
    private static final int TERMS = 5;
    private static final SplittableRandom RANDOM =
            TestSeed.of(ExpressionLawsTest.class).random("expressions");

    /** Any expression that may be asked for; a NOT only where {@code inAnd}. */
    private static Expression random(int depth, boolean inAnd) {
        if (inAnd && RANDOM.nextInt(3) == 0) {
            return new Not(random(depth - 1, false));
        }
        if (depth <= 1 || RANDOM.nextInt(4) == 0) {
            return new Term(RANDOM.nextInt(TERMS));
        }
        boolean and = RANDOM.nextBoolean();
        List<Expression> members = new ArrayList<>(List.of(random(depth - 1, false)));
        for (int i = RANDOM.nextInt(3); i >= 0; i--) {
            members.add(RANDOM.nextInt(members.size() + 1), random(depth - 1, and));
        }
        return and ? new And(members) : new Or(members);
    }

    /** Written once more, with nothing but the definition. */
    private static boolean plain(Expression expression, boolean[] satisfied) {
        if (expression instanceof Term term) {
            return satisfied[term.index()];
        }
        if (expression instanceof Not not) {
            return !plain(not.of(), satisfied);
        }
        boolean and = expression instanceof And;
        boolean result = and;
        for (Expression member : expression instanceof And a ? a.of() : ((Or) expression).of()) {
            result = and ? result & plain(member, satisfied) : result | plain(member, satisfied);
        }
        return result;
    }

    @Test
    void setsSayWhatEachRecordSays() {
        int found = 0;
        for (int round = 0; round < 20_000; round++) {
            Expression expression = random(4, false);
            int records = 1 + RANDOM.nextInt(12);
            boolean[][] satisfied = new boolean[records][TERMS];
            RecordSet[] ofTerm = new RecordSet[TERMS];
            for (int term = 0; term < TERMS; term++) {
                for (int record = 0; record < records; record++) {
                    satisfied[record][term] = RANDOM.nextBoolean();
                }
                int t = term;
                ofTerm[term] = RecordSet.of(IntStream.range(0, records)
                        .filter(record -> satisfied[record][t])
                        .toArray());
            }
            RecordSet sets = expression.evaluate(term -> ofTerm[term]);
            for (int record = 0; record < records; record++) {
                boolean[] of = satisfied[record];
                assertThat(sets.contains(record)).isEqualTo(plain(expression, of));
                assertThat(expression.holds(term -> of[term])).isEqualTo(plain(expression, of));
            }
            found += sets.size();
        }
        assertThat(found).isBetween(20_000, 100_000);
    }

    /** What satisfies no term is never found: the reason why a NOT must be anchored. */
    @Test
    void nothingIsFoundWithoutATerm() {
        for (int round = 0; round < 20_000; round++) {
            Expression expression = random(5, false);
            assertThat(expression.evaluate(term -> RecordSet.of()).isEmpty()).isTrue();
            assertThat(expression.holds(term -> false)).isFalse();
        }
    }

    @Test
    void aTermThatCannotMatterIsNotAskedFor() {
        Expression expression = new And(List.of(new Term(0), new Not(new Term(1)), new Term(2)));
        List<Integer> asked = new ArrayList<>();
        expression.evaluate(term -> {
            asked.add(term);
            return term == 0 ? RecordSet.of(3) : RecordSet.of();
        });
        assertThat(asked).containsExactly(0, 2);
    }

    @Test
    void everyExpressionOfTheFormIsUsable() {
        for (int round = 0; round < 2_000; round++) {
            Expression expression = new And(List.of(Expression.allOf(TERMS), random(5, false)));
            expression.requireUsable(TERMS);
            assertThatIllegalArgumentException().isThrownBy(() -> expression.requireUsable(TERMS + 1));
            assertThatIllegalArgumentException().isThrownBy(() -> expression.requireUsable(TERMS - 1));
        }
    }
}
