package dev.veilgate.extract.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Takes out of a line the sequences by which programs colour it for a terminal (ECMA-48): {@code ESC[31m} and the other
 * control sequences, titles and links of the operating system's kind, and those of two or three characters. Words on
 * both sides of a colour are one word, as a terminal shows them; a sequence that moves the cursor is a space. A
 * sequence
 * without its end hides nothing: its first byte alone goes. Used again and again, by one thread.
 */
final class EscapeSequences {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    /** A line has an escape sequence, or a sign that may stand for one. */
    static final int ESCAPES = 1;

    /** A line has an equals sign. */
    static final int EQUALS = 2;

    /** A line has other characters than those of ASCII. */
    static final int BEYOND_ASCII = 4;

    private static final byte ESCAPE = 0x1b;
    private static final byte BELL = 7;
    private static final byte[] WRITTEN = {'#', '0', '3', '3'};
    private static final int LONGEST_CONTROL = 64;
    private static final int LONGEST_STRING = 4096;

    private byte[] bytes = new byte[0];
    private int length;
    /** Pairs: a place in the cleaned line, and how many bytes are missing from there on. */
    private int[] gaps = new int[32];

    private int gapCount;

    /** Where the first byte of that value is; -1 if nowhere. Eight bytes at a time. */
    static int find(byte[] in, byte wanted, int from, int to) {
        long pattern = (wanted & 0xffL) * ONES;
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            long differs = (long) LONGS.get(in, at) ^ pattern;
            long zeros = (differs - ONES) & ~differs & HIGH_BITS;
            if (zeros != 0) {
                return at + Long.numberOfTrailingZeros(zeros) / Byte.SIZE;
            }
        }
        for (; at < to; at++) {
            if (in[at] == wanted) {
                return at;
            }
        }
        return -1;
    }

    /**
     * Copies bytes with A-Z as a-z, as {@link dev.veilgate.extract.KeywordText#foldAscii} does, eight at a time.
     *
     * @return which signs are among them: {@link #ESCAPES}, {@link #EQUALS}, {@link #BEYOND_ASCII}
     */
    static int fold(byte[] in, int from, int to, byte[] out) {
        long escapes = 0;
        long sharps = 0;
        long equals = 0;
        long seen = 0;
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            long bytes = (long) LONGS.get(in, at);
            seen |= bytes;
            long differs = bytes ^ ESCAPE * ONES;
            escapes |= (differs - ONES) & ~differs;
            differs = bytes ^ '#' * ONES;
            sharps |= (differs - ONES) & ~differs;
            differs = bytes ^ '=' * ONES;
            equals |= (differs - ONES) & ~differs;
            long low = bytes & ~HIGH_BITS;
            long upper = (low + (0x80 - 'A') * ONES ^ low + (0x7f - 'Z') * ONES) & ~bytes & HIGH_BITS;
            LONGS.set(out, at - from, bytes | upper >>> 2);
        }
        boolean hasSharp = (sharps & HIGH_BITS) != 0;
        int signs = ((escapes & HIGH_BITS) == 0 ? 0 : ESCAPES) | ((equals & HIGH_BITS) == 0 ? 0 : EQUALS);
        for (; at < to; at++) {
            byte b = in[at];
            seen |= b;
            hasSharp |= b == '#';
            signs |= b == ESCAPE ? ESCAPES : b == '=' ? EQUALS : 0;
            out[at - from] = (byte) (b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b);
        }
        signs |= hasSharp && findWritten(in, from, to) >= 0 ? ESCAPES : 0;
        return (seen & HIGH_BITS) == 0 ? signs : signs | BEYOND_ASCII;
    }

    /** Where a control sequence begins whose escape rsyslog wrote as {@code #033}; -1 if nowhere. */
    private static int findWritten(byte[] in, int from, int to) {
        int at = find(in, (byte) '#', from, to);
        while (at >= 0) {
            int bracket = at + WRITTEN.length;
            boolean isWritten = bracket < to
                    && in[bracket] == '['
                    && Arrays.equals(in, at, bracket, WRITTEN, 0, WRITTEN.length)
                    && control(in, bracket, to) > bracket;
            if (isWritten) {
                return at;
            }
            at = find(in, (byte) '#', at + 1, to);
        }
        return -1;
    }

    /** Cleans a part of an array. */
    void clean(byte[] in, int from, int to) {
        if (bytes.length < to - from) {
            bytes = new byte[Math.max(to - from, 2 * bytes.length)];
        }
        length = 0;
        gapCount = 0;
        int at = from;
        int escape = find(in, ESCAPE, from, to);
        int written = findWritten(in, from, to);
        while (at < to) {
            escape = escape >= 0 && escape < at ? find(in, ESCAPE, at, to) : escape;
            written = written >= 0 && written < at ? findWritten(in, at, to) : written;
            boolean isWritten = written >= 0 && (escape < 0 || written < escape);
            int end = isWritten ? written : escape < 0 ? to : escape;
            System.arraycopy(in, at, bytes, length, end - at);
            length += end - at;
            if (end == to) {
                return;
            }
            int sign = isWritten ? end + WRITTEN.length - 1 : end;
            at = behind(in, sign, to);
            if (isMove(in, sign, at)) {
                bytes[length++] = ' ';
            }
            gap(at - from - length);
        }
    }

    private void gap(int missing) {
        if (gapCount + 2 > gaps.length) {
            gaps = Arrays.copyOf(gaps, 2 * gaps.length);
        }
        gaps[gapCount++] = length;
        gaps[gapCount++] = missing;
    }

    /** The cleaned line; of {@link #length} bytes. */
    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** Where a byte of the cleaned line was, counted from the beginning of the part that was cleaned. */
    int original(int at) {
        int low = 0;
        int high = gapCount / 2;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (gaps[2 * middle] <= at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? at : at + gaps[2 * low - 1];
    }

    /** Behind the sequence that begins at {@code at}. */
    private static int behind(byte[] in, int at, int to) {
        int next = at + 1;
        if (next >= to) {
            return to;
        }
        return switch (in[next]) {
            case '[' -> control(in, next, to);
            case ']', 'P', 'X', '^', '_' -> string(in, next, to);
            default -> few(in, next, to);
        };
    }

    private static int control(byte[] in, int bracket, int to) {
        int end = bracket + 1;
        int limit = Math.min(to, end + LONGEST_CONTROL);
        while (end < limit && in[end] >= ' ' && in[end] <= '?') {
            end++;
        }
        return end < limit && in[end] >= '@' && in[end] <= '~' ? end + 1 : bracket;
    }

    /** Up to a bell or {@code ESC\}; each search ends at the next escape, so that all of them together are linear. */
    private static int string(byte[] in, int kind, int to) {
        int limit = Math.min(to, kind + LONGEST_STRING);
        for (int end = kind + 1; end < limit; end++) {
            if (in[end] == BELL) {
                return end + 1;
            }
            if (in[end] == ESCAPE) {
                return end + 1 < to && in[end + 1] == '\\' ? end + 2 : kind;
            }
            if (in[end] == '\n') {
                return kind;
            }
        }
        return kind;
    }

    private static int few(byte[] in, int first, int to) {
        int end = first;
        while (end < to && end - first < 3 && in[end] >= ' ' && in[end] <= '/') {
            end++;
        }
        return end < to && in[end] >= '0' && in[end] <= '~' ? end + 1 : first;
    }

    /**
     * Whether what was taken out is a control sequence that is neither a colour nor an erasure, so that words on its
     * sides are two.
     */
    private static boolean isMove(byte[] in, int from, int behind) {
        byte last = in[behind - 1];
        return behind - from > 2 && in[from + 1] == '[' && last != 'm' && last != 'K' && last != 'h' && last != 'l';
    }
}
