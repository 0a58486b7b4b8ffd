package dev.veilgate.query;

import dev.veilgate.peks.RecordSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * How the terms of a search belong together, asked of each record. Anchored by form: a {@link Not} stands in an {@link And} beside something
 * positive and nowhere else, so that no search finds everything but a word.
 */
public sealed interface Expression {
    /** Deepest nesting. */
    int MAX_DEPTH = 32;

    /** Most terms and operators. */
    int MAX_NODES = 4096;

    /**
     * The record satisfies a term: one of its trapdoors at least.
     *
     * @param index place of the term in the request
     */
    record Term(int index) implements Expression {
        /** @throws IllegalArgumentException for an index that no request has */
        public Term {
            check(index >= 0 && index < SearchRequest.MAX_TERMS, "a term's index is 0 to 1023");
        }
    }

    /**
     * All hold.
     *
     * @param of 2 or more, one of them no {@link Not}
     */
    record And(List<Expression> of) implements Expression {
        /** @throws IllegalArgumentException naming what is wrong */
        public And {
            of = List.copyOf(of);
            check(of.size() >= 2, "AND takes 2 or more");
            check(!of.stream().allMatch(Not.class::isInstance), ANCHOR);
        }
    }

    /**
     * One or more hold.
     *
     * @param of 2 or more, none of them a {@link Not}
     */
    record Or(List<Expression> of) implements Expression {
        /** @throws IllegalArgumentException naming what is wrong */
        public Or {
            of = List.copyOf(of);
            check(of.size() >= 2, "OR takes 2 or more");
            check(of.stream().noneMatch(Not.class::isInstance), ANCHOR);
        }
    }

    /**
     * It does not hold.
     *
     * @param of no {@link Not}
     */
    record Not(Expression of) implements Expression {
        /** @throws IllegalArgumentException naming what is wrong */
        public Not {
            check(!(of instanceof Not), "NOT must not follow NOT");
        }
    }

    /** Why an expression is refused that would find all records without a word. */
    String ANCHOR = "NOT must stand in an AND beside something that is searched for";

    /** That all of the terms 0 to {@code terms} - 1 hold. */
    static Expression allOf(int terms) {
        return terms == 1
                ? new Term(0)
                : new And(IntStream.range(0, terms)
                        .mapToObj(i -> (Expression) new Term(i))
                        .toList());
    }

    /**
     * The records for which it holds. Asks for a term only if the answer can still matter.
     *
     * @param recordsOfTerm records that satisfy a term
     * @throws IllegalStateException for a NOT that is not in an AND: a request has none
     */
    default RecordSet evaluate(IntFunction<RecordSet> recordsOfTerm) {
        return switch (this) {
            case Term term -> recordsOfTerm.apply(term.index);
            case And and -> and(and, recordsOfTerm);
            case Or or ->
                or.of.stream().map(member -> member.evaluate(recordsOfTerm)).reduce(RecordSet.of(), RecordSet::union);
            case Not not -> throw new IllegalStateException(ANCHOR);
        };
    }

    /**
     * Whether it holds for one record.
     *
     * @param satisfied whether the record satisfies a term
     */
    default boolean holds(IntPredicate satisfied) {
        return switch (this) {
            case Term term -> satisfied.test(term.index);
            case And and -> and.of.stream().allMatch(member -> member.holds(satisfied));
            case Or or -> or.of.stream().anyMatch(member -> member.holds(satisfied));
            case Not not -> !not.of.holds(satisfied);
        };
    }

    /**
     * Checks what no part of an expression can see alone.
     *
     * @param terms how many there are: each must be used, and no other
     * @throws IllegalArgumentException naming what is wrong: also a {@link Not} that stands alone, or what is too large or too deep
     */
    default void requireUsable(int terms) {
        check(!(this instanceof Not), ANCHOR);
        BitSet used = new BitSet();
        count(this, 1, 0, used);
        check(
                used.cardinality() == terms && used.length() == terms,
                "an expression must use each of the terms and no other");
    }

    /** Counts nodes on from {@code nodes}. */
    private static int count(Expression expression, int depth, int nodes, BitSet used) {
        check(depth <= MAX_DEPTH, "an expression is nested at most " + MAX_DEPTH + " deep");
        check(nodes < MAX_NODES, "an expression has at most " + MAX_NODES + " parts");
        int counted = nodes + 1;
        List<Expression> members = switch (expression) {
            case Term term -> {
                used.set(term.index);
                yield List.of();
            }
            case And and -> and.of;
            case Or or -> or.of;
            case Not not -> List.of(not.of);
        };
        for (Expression member : members) {
            counted = count(member, depth + 1, counted, used);
        }
        return counted;
    }

    private static RecordSet and(And and, IntFunction<RecordSet> recordsOfTerm) {
        List<Expression> without = new ArrayList<>();
        RecordSet found = null;
        for (Expression member : and.of) {
            if (member instanceof Not not) {
                without.add(not.of);
                continue;
            }
            RecordSet records = member.evaluate(recordsOfTerm);
            found = found == null ? records : found.intersection(records);
            if (found.isEmpty()) {
                return found;
            }
        }
        if (found == null) {
            throw new IllegalStateException(ANCHOR);
        }
        for (Expression member : without) {
            found = found.without(member.evaluate(recordsOfTerm));
        }
        return found;
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
