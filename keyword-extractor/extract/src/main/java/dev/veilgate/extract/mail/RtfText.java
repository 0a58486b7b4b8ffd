package dev.veilgate.extract.mail;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Set;

/**
 * All text of a document in RTF but for tables of fonts, colours and the like: also where the library's parser takes it for a part of the document's head, which a program that shows it does
 * not. One pass over the bytes.
 */
final class RtfText {
    private static final int MAX_WORD = 32;
    private static final int MAX_BIN_DIGITS = 9;
    private static final Set<String> BREAKS =
            Set.of("par", "line", "tab", "cell", "row", "page", "sect", "column", "softline", "nestcell", "nestrow");
    private static final Set<String> NO_TEXT = Set.of(
            "fonttbl",
            "colortbl",
            "stylesheet",
            "pict",
            "objdata",
            "info",
            "listtable",
            "listoverridetable",
            "revtbl",
            "rsidtbl",
            "filetbl",
            "xmlnstbl",
            "themedata",
            "colorschememapping",
            "datastore",
            "latentstyles");

    private final byte[] bytes;
    private final int maxChars;
    private final StringBuilder text = new StringBuilder();
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private final BitSet silent = new BitSet();
    private Charset charset = CharsetNames.WINDOWS_1252;
    private int depth;
    private int fallback = 1;
    private int skipped;
    private int at;

    private RtfText(byte[] bytes, int maxChars) {
        this.bytes = bytes;
        this.maxChars = maxChars;
    }

    /** The text, no longer than so many characters. */
    static String of(byte[] bytes, int maxChars) {
        RtfText read = new RtfText(bytes, maxChars);
        read.read();
        return read.text.substring(0, Math.min(maxChars, read.text.length()));
    }

    private void read() {
        while (at < bytes.length && text.length() < maxChars) {
            byte next = bytes[at++];
            switch (next) {
                case '{' -> {
                    depth++;
                    silent.set(depth, silent.get(depth - 1));
                }
                case '}' -> depth = Math.max(0, depth - 1);
                case '\\' -> control();
                case '\r', '\n', 0 -> {}
                default -> letter(next);
            }
        }
        flush();
    }

    private void letter(int value) {
        if (skipped > 0) {
            skipped--;
        } else if (!silent.get(depth)) {
            pending.write(value);
        }
    }

    private void flush() {
        if (pending.size() > 0) {
            text.append(pending.toString(charset));
            pending.reset();
        }
    }

    private void control() {
        int from = at;
        while (at < bytes.length && at - from < MAX_WORD && isLetter(bytes[at])) {
            at++;
        }
        if (at == from) {
            symbol();
            return;
        }
        String word = new String(bytes, from, at - from, StandardCharsets.ISO_8859_1);
        int sign = at < bytes.length && bytes[at] == '-' ? -1 : 1;
        at += sign < 0 ? 1 : 0;
        int number = 0;
        int digits = at;
        while (at < bytes.length && at - digits < MAX_BIN_DIGITS && bytes[at] >= '0' && bytes[at] <= '9') {
            number = 10 * number + bytes[at++] - '0';
        }
        if (at < bytes.length && bytes[at] == ' ') {
            at++;
        }
        word(word, sign * number);
    }

    private static boolean isLetter(byte b) {
        return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z';
    }

    private void word(String word, int number) {
        if (BREAKS.contains(word)) {
            letter('\n');
        } else if (NO_TEXT.contains(word)) {
            silent.set(depth);
        } else if (word.equals("u")) {
            if (!silent.get(depth)) {
                flush();
                text.append((char) number);
            }
            skipped = fallback;
        } else if (word.equals("uc")) {
            fallback = Math.clamp(number, 0, MAX_WORD);
        } else if (word.equals("ansicpg")) {
            Charset named = CharsetNames.find("cp" + number);
            charset = named == null ? charset : named;
        } else if (word.equals("bin")) {
            at = (int) Math.min(bytes.length, (long) at + Math.max(0, number));
        }
    }

    private void symbol() {
        if (at == bytes.length) {
            return;
        }
        byte symbol = bytes[at++];
        switch (symbol) {
            case '\'' -> {
                if (at + 2 <= bytes.length) {
                    int high = Character.digit(bytes[at], 16);
                    int low = Character.digit(bytes[at + 1], 16);
                    at += 2;
                    letter(high < 0 || low < 0 ? '?' : high << 4 | low);
                }
            }
            case '*' -> silent.set(depth);
            case '~', '_' -> letter(symbol == '~' ? ' ' : '-');
            case '\r', '\n' -> letter('\n');
            case '\\', '{', '}' -> letter(symbol);
            default -> {}
        }
    }
}
