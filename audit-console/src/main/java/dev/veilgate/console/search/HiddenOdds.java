package dev.veilgate.console.search;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Probability that of hidden envelopes at least one is among those that were drawn: 1 - C(M - k, n) / C(M, n) for k
 * hidden of M, of which n were drawn evenly and without replacement. Never more than it is: each step is rounded so,
 * and the result down to {@value #DECIMALS} decimals.
 *
 * @param hidden      how many are hidden
 * @param probability that one of them was asked for
 */
record HiddenOdds(long hidden, double probability) {
    private static final int DECIMALS = 6;
    private static final MathContext UP = new MathContext(40, RoundingMode.CEILING);

    /** Nothing of what is said needs more steps. */
    private static final long MOST_STEPS = 100_000;

    /**
     * For one hidden envelope, and for a hundredth and a tenth of those that were found, rounded up.
     *
     * @param numbers M
     * @param drawn   n, at most M
     * @param found   envelopes that were found
     */
    static List<HiddenOdds> of(long numbers, long drawn, long found) {
        return LongStream.of(1, Math.ceilDiv(found, 100), Math.ceilDiv(found, 10))
                .map(hidden -> Math.max(1, hidden))
                .distinct()
                .filter(hidden -> hidden <= numbers)
                .mapToObj(hidden -> new HiddenOdds(hidden, probability(numbers, drawn, hidden)))
                .toList();
    }

    /**
     * The probability.
     *
     * @throws IllegalArgumentException unless there are as many numbers as were drawn, and as are hidden
     */
    static double probability(long numbers, long drawn, long hidden) {
        if (drawn < 0 || hidden < 0 || drawn > numbers || hidden > numbers) {
            throw new IllegalArgumentException("more drawn or hidden than there are");
        }
        if (hidden > numbers - drawn) {
            return 1;
        }
        // C(M - k, n) / C(M, n) is the same with k and n exchanged; fewer steps say less, not more
        long factors = Math.min(hidden, drawn);
        long others = Math.max(hidden, drawn);
        BigDecimal none = BigDecimal.ONE;
        for (long i = 0; i < Math.min(factors, MOST_STEPS); i++) {
            none = none.multiply(
                    BigDecimal.valueOf(numbers - others - i).divide(BigDecimal.valueOf(numbers - i), UP), UP);
        }
        return BigDecimal.ONE
                .subtract(none)
                .setScale(DECIMALS, RoundingMode.DOWN)
                .doubleValue();
    }
}
