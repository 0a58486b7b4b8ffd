package dev.veilgate.archive.words;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Numbers as words that stand in a dictionary in the order of the numbers. A number d.ddd 10^e is {@code p}, e + 500 in
 * three digits, and its digits without zeros at their end; a negative one {@code n}, 499 - e, each digit subtracted
 * from 9, and a tilde; zero is {@code o}. They are exact: no number has the word of another.
 */
final class NumberWords {
    /** Behind the last word of a number, before anything else. */
    static final String END = "q";

    /** Before the first word of a number, behind any word of a time. */
    static final String BEGINNING = "n";

    private static final Pattern NUMBER = Pattern.compile("[-+]?\\d{1,64}(?:\\.\\d{1,64})?(?:[eE][-+]?\\d{1,3})?");
    private static final int BIAS = 500;
    private static final int MAX_CHARACTERS = 136;

    private NumberWords() {}

    /** The word of a text that is a decimal number of at most 128 digits, 10^-500 to 10^500; empty for others. */
    static Optional<String> of(String text) {
        if (text.isEmpty() || text.length() > MAX_CHARACTERS) {
            return Optional.empty();
        }
        char first = text.charAt(0);
        boolean mayBe = first >= '0' && first <= '9' || first == '-' || first == '+';
        if (!mayBe || !NUMBER.matcher(text).matches()) {
            return Optional.empty();
        }
        BigDecimal number = new BigDecimal(text).stripTrailingZeros();
        if (number.signum() == 0) {
            return Optional.of("o");
        }
        int exponent = number.precision() - number.scale() - 1;
        if (exponent < -BIAS || exponent >= BIAS) {
            return Optional.empty();
        }
        String digits = number.unscaledValue().abs().toString();
        boolean negative = number.signum() < 0;
        StringBuilder word = new StringBuilder(digits.length() + 5).append(negative ? 'n' : 'p');
        int biased = negative ? BIAS - 1 - exponent : BIAS + exponent;
        word.append((char) ('0' + biased / 100))
                .append((char) ('0' + biased / 10 % 10))
                .append((char) ('0' + biased % 10));
        for (int i = 0; i < digits.length(); i++) {
            char digit = digits.charAt(i);
            word.append(negative ? (char) ('9' - digit + '0') : digit);
        }
        return Optional.of(negative ? word.append('~').toString() : word.toString());
    }
}
