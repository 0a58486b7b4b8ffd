package dev.veilgate.extract.template;

import java.util.Arrays;

/**
 * What counts as a variable in a token: rules by the shape of bytes alone, the same for every log. A rule returns the end of
 * the variable that begins at {@code i}, or {@code i} if none does. How far a rule looks ahead in vain is bounded, so
 * that a line made for it costs at most {@value #LOOK_AHEAD} steps a byte and rule.
 */
final class MaskingRules {
    private static final int LETTER = 1;
    private static final int DIGIT = 2;
    private static final int HEX = 4;
    private static final int HEX_JOIN = 8;
    private static final int JOIN = 16;
    private static final int PATH = 32;
    private static final int END_OF_VALUE = 64;
    private static final int BLANK = 128;
    private static final int ALNUM = LETTER | DIGIT;
    private static final int LOOK_AHEAD = 128;

    private static final int[] CLASSES = classes();
    private static final int[] DAYS = Arrays.stream(
                    "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Mon Tue Wed Thu Fri Sat Sun".split(" "))
            .mapToInt(day -> day.charAt(0) << 16 | day.charAt(1) << 8 | day.charAt(2))
            .sorted()
            .toArray();

    private MaskingRules() {}

    private static int[] classes() {
        int[] classes = new int[256];
        Arrays.fill(classes, 0, ' ' + 1, BLANK);
        classes[127] = BLANK;
        Arrays.fill(classes, 'a', 'z' + 1, LETTER | PATH);
        Arrays.fill(classes, 'A', 'Z' + 1, LETTER | PATH);
        Arrays.fill(classes, 128, 256, LETTER | PATH);
        Arrays.fill(classes, '0', '9' + 1, DIGIT | HEX | PATH);
        mark(classes, "abcdefABCDEF", HEX);
        mark(classes, ".:-", HEX_JOIN);
        mark(classes, ".:_-/,", JOIN);
        mark(classes, "._-/~+%$@:", PATH);
        mark(classes, ",;&()[]{}\"'", END_OF_VALUE);
        return classes;
    }

    private static void mark(int[] classes, String characters, int kind) {
        characters.chars().forEach(c -> classes[c] |= kind);
    }

    private static boolean is(byte b, int kinds) {
        return (CLASSES[b & 0xff] & kinds) != 0;
    }

    /** A blank or control character: between tokens. */
    static boolean isBlank(byte b) {
        return is(b, BLANK);
    }

    /** A letter, of ASCII or any byte of 0x80 and more. */
    static boolean isLetter(byte b) {
        return is(b, LETTER);
    }

    static boolean isDigit(byte b) {
        return is(b, DIGIT);
    }

    static boolean isLetterOrDigit(byte b) {
        return is(b, ALNUM);
    }

    /** Whether two variables with this between them are one. */
    static boolean joins(byte b) {
        return is(b, JOIN);
    }

    /** The end of a run of letters and digits. */
    static int word(byte[] message, int i, int to) {
        int end = i;
        while (end < to && is(message[end], ALNUM)) {
            end++;
        }
        return end;
    }

    /** A variable that begins with a letter or digit. */
    static int variable(byte[] message, int i, int to) {
        int end = hexGroups(message, i, to);
        if (end == i) {
            end = hostAndPort(message, i, to);
        }
        if (end == i) {
            end = drivePath(message, i, to);
        }
        return end == i ? wordWithDigit(message, i, to) : end;
    }

    /** Letters and digits with at least one digit, and a name of full stops after them; or the short name of a month or day. */
    private static int wordWithDigit(byte[] message, int i, int to) {
        int kinds = 0;
        int end = i;
        for (int kind; end < to && ((kind = CLASSES[message[end] & 0xff]) & ALNUM) != 0; end++) {
            kinds |= kind;
        }
        if ((kinds & DIGIT) == 0) {
            return end - i == 3 && isDay(message, i) ? end : i;
        }
        return end + 1 < to && message[end] == '.' && isLetter(message[end + 1]) ? name(message, end, to) : end;
    }

    private static boolean isDay(byte[] message, int i) {
        int letters = (message[i] & 0xff) << 16 | (message[i + 1] & 0xff) << 8 | message[i + 2] & 0xff;
        return Arrays.binarySearch(DAYS, letters) >= 0;
    }

    /** Hexadecimal digits in groups, at least one of them decimal: UUIDs, addresses of IPv6 and Ethernet, times. */
    private static int hexGroups(byte[] message, int i, int to) {
        int limit = Math.min(to, i + LOOK_AHEAD);
        int kinds = 0;
        int end = i;
        for (int kind; end < limit && ((kind = CLASSES[message[end] & 0xff]) & (HEX | HEX_JOIN)) != 0; end++) {
            kinds |= kind;
        }
        if ((kinds & DIGIT) == 0 || end < to && is(message[end], ALNUM)) {
            return i;
        }
        while (!is(message[end - 1], HEX)) {
            end--; // what joins groups ends the sentence here
        }
        return end;
    }

    /** A name with a full stop in it, and a port. */
    private static int hostAndPort(byte[] message, int i, int to) {
        int end = name(message, i, Math.min(to, i + LOOK_AHEAD));
        if (end + 1 >= to || message[end] != ':' || !isDigit(message[end + 1])) {
            return i;
        }
        boolean stop = false;
        for (int k = i; k < end; k++) {
            stop |= message[k] == '.';
        }
        return stop ? word(message, end + 1, to) : i;
    }

    /** Letters, digits, full stops and hyphens, less the stops at their end. */
    private static int name(byte[] message, int i, int to) {
        int end = i;
        while (end < to && (is(message[end], ALNUM) || message[end] == '.' || message[end] == '-')) {
            end++;
        }
        while (end > i && message[end - 1] == '.') {
            end--;
        }
        return end;
    }

    /** A path of a Windows drive. */
    private static int drivePath(byte[] message, int i, int to) {
        if (i + 2 >= to || message[i + 1] != ':' || message[i + 2] != '\\') {
            return i;
        }
        int end = i + 3;
        while (end < to && message[end] != '"' && message[end] != '\'' && message[end] != ',') {
            end++;
        }
        return end;
    }

    /** An absolute path of at least two names. */
    static int path(byte[] message, int i, int to) {
        int names = 0;
        int end = i;
        while (end < to && is(message[end], PATH) && (names >= 2 || end < i + LOOK_AHEAD)) {
            if (message[end] == '/' && end + 1 < to && is(message[end + 1], ALNUM)) {
                names++;
            }
            end++;
        }
        while (end > i && (message[end - 1] == '.' || message[end - 1] == ':')) {
            end--;
        }
        return names >= 2 ? end : i;
    }

    /** What follows an equals sign, if that is a letter, digit or sign. */
    static int value(byte[] message, int i, int to) {
        if (i == to || !is(message[i], ALNUM)) {
            return i;
        }
        int end = i;
        while (end < to && !is(message[end], END_OF_VALUE)) {
            end++;
        }
        return end;
    }
}
