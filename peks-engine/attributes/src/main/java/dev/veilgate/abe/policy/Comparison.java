package dev.veilgate.abe.policy;

import dev.veilgate.abe.policy.Attribute.Kind;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A number attribute compared with a constant, as a monotone policy over the bits of the number (Bethencourt, Sahai, Waters 2007, section 4.3): a key has an attribute for each bit and
 * its value, 32 of them.
 *
 * <pre>
 *   x &gt;= c:   from the last bit on, G = true; bit c_i = 1: G = (x_i = 1) AND G,   c_i = 0: G = (x_i = 1) OR G
 * </pre>
 */
enum Comparison {
    LESS("<"),
    AT_MOST("<="),
    AT_LEAST(">="),
    MORE(">"),
    EQUAL("=");

    static final int BITS = 32;
    private static final long MAX = (1L << BITS) - 1;
    private static final Pattern BIT = Pattern.compile("(?:[12]?[0-9]|3[01])=[01]");

    /** So that days before 1970 are numbers too: about 1 January of the year -5,877,641 is 0. */
    private static final long DAY_OFFSET = 1L << 31;

    final String symbol;

    Comparison(String symbol) {
        this.symbol = symbol;
    }

    /**
     * The number of a constant.
     *
     * @throws IllegalArgumentException saying what is allowed
     */
    static long number(Kind kind, String constant) {
        if (kind == Kind.DATE) {
            return day(constant);
        }
        try {
            long number = Long.parseLong(constant);
            if (number >= 0 && number <= MAX && Long.toString(number).equals(constant)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException("'" + constant + "' is not a number from 0 to " + MAX);
    }

    /** A day too far off has no number: its bits would be those of another day. */
    private static long day(String constant) {
        try {
            LocalDate day = LocalDate.parse(constant);
            long number = day.toEpochDay() + DAY_OFFSET;
            if (number >= 0 && number <= MAX && day.toString().equals(constant)) {
                return number;
            }
        } catch (DateTimeException e) {
            // said below
        }
        throw new IllegalArgumentException(
                "'" + constant + "' is not a day like 2026-11-30, within about 5 million years");
    }

    /** @throws IllegalArgumentException unless it is the value of a bit */
    static void requireBit(String value) {
        if (!BIT.matcher(value).matches()) {
            throw new IllegalArgumentException("a bit is a place from 0 to 31 and 0 or 1, such as 31=1");
        }
    }

    private static Kind bitKind(Kind kind) {
        return kind == Kind.DATE ? Kind.DATE_BIT : Kind.INTEGER_BIT;
    }

    private static Attribute bit(String name, Kind kind, int place, long value, String epoch) {
        return new Attribute(name, bitKind(kind), place + "=" + value, epoch);
    }

    /** Whether a set has a bit of the same number with the other value: then it has the bits of other numbers as well. */
    static boolean contradicts(Attribute bit, Set<Attribute> set) {
        if (!bit.kind().isBit()) {
            return false;
        }
        int last = bit.value().length() - 1;
        String other = bit.value().substring(0, last) + (bit.value().charAt(last) == '1' ? '0' : '1');
        return set.contains(new Attribute(bit.name(), bit.kind(), other, bit.epoch()));
    }

    /** The attributes that a key with this number has. */
    static List<Attribute> attributes(String name, Kind kind, String constant, String epoch) {
        long number = number(kind, constant);
        List<Attribute> all = new ArrayList<>();
        all.add(new Attribute(name, kind, constant, epoch));
        for (int place = 0; place < BITS; place++) {
            all.add(bit(name, kind, place, number >>> place & 1, epoch));
        }
        return all;
    }

    /**
     * The policy over the bits.
     *
     * @throws IllegalArgumentException if no number or every number satisfies it
     */
    Policy policy(String name, Kind kind, String constant, String epoch) {
        long number = number(kind, constant);
        return switch (this) {
            case EQUAL -> new Policy.Leaf(new Attribute(name, kind, constant, epoch));
            case AT_LEAST -> bits(name, kind, number, 1, epoch);
            case MORE -> bits(name, kind, number + 1, 1, epoch);
            case AT_MOST -> bits(name, kind, number, 0, epoch);
            case LESS -> bits(name, kind, number - 1, 0, epoch);
        };
    }

    /** {@code x >= bound} for side 1, {@code x <= bound} for side 0: the same with the bits' roles exchanged. */
    private Policy bits(String name, Kind kind, long bound, int side, String epoch) {
        if (bound < 0 || bound > MAX) {
            throw new IllegalArgumentException("no number satisfies " + symbol + " there");
        }
        Policy policy = null;
        for (int place = 0; place < BITS; place++) {
            Policy leaf = new Policy.Leaf(bit(name, kind, place, side, epoch));
            boolean needed = (bound >>> place & 1) == side;
            if (needed) {
                policy = policy == null ? leaf : Policy.and(leaf, policy);
            } else if (policy != null) {
                policy = Policy.or(leaf, policy);
            }
        }
        if (policy == null) {
            throw new IllegalArgumentException("every number satisfies " + symbol + " there");
        }
        return policy;
    }

    /** What people wrote, {@code clearance >= 3}, of a policy that {@link #policy} made of it; empty for another. */
    static Optional<String> text(Policy policy) {
        Policy rest = policy;
        long needed = 0;
        while (rest instanceof Policy.Gate gate
                && gate.children().getFirst() instanceof Policy.Leaf leaf
                && leaf.attribute().kind().isBit()) {
            needed |= gate.threshold() > 1 ? 1L << place(leaf) : 0;
            rest = gate.children().getLast();
        }
        if (!(rest instanceof Policy.Leaf last) || !last.attribute().kind().isBit()) {
            return Optional.empty();
        }
        needed |= 1L << place(last);
        Attribute bit = last.attribute();
        boolean above = bit.value().endsWith("1");
        long bound = above ? needed : MAX - needed;
        Kind kind = bit.kind() == Kind.DATE_BIT ? Kind.DATE : Kind.INTEGER;
        String constant =
                kind == Kind.DATE ? LocalDate.ofEpochDay(bound - DAY_OFFSET).toString() : Long.toString(bound);
        Comparison comparison = above ? AT_LEAST : AT_MOST;
        // whether each gate and place is as it should be: made again, it is the same
        if (!comparison.policy(bit.name(), kind, constant, bit.epoch()).equals(policy)) {
            return Optional.empty();
        }
        return Optional.of(Words.quoted(bit.name()) + Words.at(bit.epoch()) + " " + comparison.symbol + " " + constant);
    }

    private static int place(Policy.Leaf leaf) {
        String value = leaf.attribute().value();
        return Integer.parseInt(value.substring(0, value.indexOf('=')));
    }
}
