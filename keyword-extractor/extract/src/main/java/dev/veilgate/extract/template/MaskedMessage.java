package dev.veilgate.extract.template;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A message as tokens with its variables masked, and a 64-bit hash of each token: what the tree works on. One instance is used
 * again and again; {@link #read} replaces what it holds.
 *
 * <p>A token is a run of bytes other than blanks and control characters. In it are masked, by the shape of the bytes
 * ({@link MaskingRules}): letters and digits with a digit among them, with a sign before them and a dotted name after
 * them; hexadecimal groups (UUIDs, addresses of IPv6 and Ethernet); {@code host.name:port}; absolute paths of two or more names;
 * paths of a Windows drive; the value of {@code key=value}; short names of months and days. Masks with one of
 * {@code . : _ - / ,} between them are one mask, so an address with a port is one.
 *
 * <p>A masked variable is one byte 0, which no message can contain, since control characters separate tokens.
 */
final class MaskedMessage {
    /** A masked variable in {@link #text}. */
    static final byte MASK = 0;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** The hash of a token that is nothing but a mask. */
    static final long WILDCARD = hash(new byte[] {MASK}, 0, 1);

    private final int maxBytes;
    private final byte[] text;
    private final long[] hashes;
    private final long[] path;
    private int length;
    private int tokens;

    MaskedMessage(TemplateSettings settings) {
        this.maxBytes = settings.maxBytes();
        this.text = new byte[maxBytes];
        this.hashes = new long[settings.maxTokens()];
        this.path = new long[settings.pathWords()];
    }

    /** Reads the message at {@code [from, to)}, or as much of it as the limits allow. */
    void read(byte[] message, int from, int to) {
        int end = from + Math.min(to - from, maxBytes);
        length = 0;
        tokens = 0;
        int words = 0;
        int i = from;
        while (true) {
            while (i < end && MaskingRules.isBlank(message[i])) {
                i++;
            }
            if (i == end || tokens == hashes.length) {
                break;
            }
            int tokenEnd = i + 1;
            while (tokenEnd < end && !MaskingRules.isBlank(message[tokenEnd])) {
                tokenEnd++;
            }
            if (tokens > 0) {
                text[length++] = ' ';
            }
            int start = length;
            boolean masked = mask(message, i, tokenEnd, start);
            long hash = hash(text, start, length);
            hashes[tokens++] = hash;
            if (!masked && words < path.length) {
                path[words++] = hash;
            }
            i = tokenEnd;
        }
        Arrays.fill(path, words, path.length, WILDCARD);
    }

    /** Appends one token, masked; whether there was something to mask. It does not become longer. */
    private boolean mask(byte[] message, int from, int to, int start) {
        boolean masked = false;
        int i = from;
        while (i < to) {
            byte c = message[i];
            int end = i;
            if (MaskingRules.isLetterOrDigit(c)) {
                end = MaskingRules.variable(message, i, to);
            } else if (c == '/' && !afterWord(start)) {
                end = MaskingRules.path(message, i, to);
            } else if (c == '=' && i > from) {
                text[length++] = c;
                i++;
                end = MaskingRules.value(message, i, to);
                if (end == i) {
                    continue;
                }
            } else if (c == '-' && i + 1 < to && MaskingRules.isDigit(message[i + 1]) && !afterWord(start)) {
                i++; // a sign: the number that follows is masked
                continue;
            }
            if (end > i) {
                appendMask(start);
                masked = true;
            } else {
                end = Math.max(i + 1, MaskingRules.word(message, i, to));
                System.arraycopy(message, i, text, length, end - i);
                length += end - i;
            }
            i = end;
        }
        return masked;
    }

    private boolean afterWord(int start) {
        return length > start && (text[length - 1] == MASK || MaskingRules.isLetter(text[length - 1]));
    }

    private void appendMask(int start) {
        int size = length - start;
        if (size >= 1 && text[length - 1] == MASK) {
            return;
        }
        if (size >= 2 && text[length - 2] == MASK && MaskingRules.joins(text[length - 1])) {
            length--;
            return;
        }
        text[length++] = MASK;
    }

    /** A hash that is good enough for grouping: whoever makes two tokens collide makes them one kind, no more. Never 0. */
    static long hash(byte[] text, int from, int to) {
        long h = 0x9E3779B97F4A7C15L + (to - from);
        int i = from;
        for (; i + 8 <= to; i += 8) {
            h = mix(h ^ (long) LONGS.get(text, i));
        }
        long rest = 0;
        for (; i < to; i++) {
            rest = rest << 8 | text[i] & 0xff;
        }
        h = mix(h ^ rest);
        return h == 0 ? 1 : h;
    }

    private static long mix(long h) {
        long once = (h ^ h >>> 32) * 0xD6E8FEB86659FD93L;
        return (once ^ once >>> 32) * 0xD6E8FEB86659FD93L;
    }

    /** Number of tokens. */
    int tokens() {
        return tokens;
    }

    /** Hashes of the tokens; valid to {@link #tokens}, until the next {@link #read}. */
    long[] hashes() {
        return hashes;
    }

    /** Hashes of the first tokens without a variable, as many as the settings say; the wildcard's if there are fewer. */
    long[] path() {
        return path;
    }

    /** Tokens with one blank between them; valid to {@link #length}, until the next {@link #read}. */
    byte[] text() {
        return text;
    }

    /** Bytes of {@link #text}. */
    int length() {
        return length;
    }

    byte[] copyOfText() {
        return Arrays.copyOf(text, length);
    }

    long[] copyOfHashes() {
        return Arrays.copyOf(hashes, tokens);
    }
}
