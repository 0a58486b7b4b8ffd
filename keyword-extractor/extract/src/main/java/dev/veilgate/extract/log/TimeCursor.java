package dev.veilgate.extract.log;

/** A place in a line of lower-case ASCII, for reading numbers and names of months. */
final class TimeCursor {
    byte[] bytes = new byte[0];
    int at;
    int to;

    void set(byte[] lower, int from, int to) {
        this.bytes = lower;
        this.at = from;
        this.to = to;
    }

    int monthName() {
        if (at + 3 > to) {
            return 0;
        }
        int month = switch (bytes[at] << 16 | bytes[at + 1] << 8 | bytes[at + 2]) {
            case 'j' << 16 | 'a' << 8 | 'n' -> 1;
            case 'f' << 16 | 'e' << 8 | 'b' -> 2;
            case 'm' << 16 | 'a' << 8 | 'r' -> 3;
            case 'a' << 16 | 'p' << 8 | 'r' -> 4;
            case 'm' << 16 | 'a' << 8 | 'y' -> 5;
            case 'j' << 16 | 'u' << 8 | 'n' -> 6;
            case 'j' << 16 | 'u' << 8 | 'l' -> 7;
            case 'a' << 16 | 'u' << 8 | 'g' -> 8;
            case 's' << 16 | 'e' << 8 | 'p' -> 9;
            case 'o' << 16 | 'c' << 8 | 't' -> 10;
            case 'n' << 16 | 'o' << 8 | 'v' -> 11;
            case 'd' << 16 | 'e' << 8 | 'c' -> 12;
            default -> 0;
        };
        at += month > 0 ? 3 : 0;
        return month;
    }

    boolean isDigit(int i) {
        return i < to && bytes[i] >= '0' && bytes[i] <= '9';
    }

    boolean isLetterOrDigit(int i) {
        return isDigit(i) || bytes[i] >= 'a' && bytes[i] <= 'z';
    }

    int digitsFrom(int from) {
        int end = from;
        while (end < to && end - from < 14 && bytes[end] >= '0' && bytes[end] <= '9') {
            end++;
        }
        return end - from;
    }

    /** A number of exactly so many digits; a value that is never plausible if there are fewer. */
    int number(int digits) {
        int value = 0;
        for (int i = 0; i < digits; i++) {
            if (!isDigit(at)) {
                return 1_000_000;
            }
            value = 10 * value + bytes[at++] - '0';
        }
        return value;
    }

    boolean take(int expected) {
        boolean is = at < to && bytes[at] == expected;
        at += is ? 1 : 0;
        return is;
    }
}
