package dev.veilgate.extract.mail;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;
import org.jspecify.annotations.Nullable;

/**
 * Bytes to text. Where the charset is not named, not known or plainly false (8-bit bytes in "us-ascii"), text is UTF-8 if it is valid
 * UTF-8 and Windows-1252 otherwise, always the same way; "iso-8859-1" is read as Windows-1252, which contains it. Bad bytes
 * become U+FFFD, which separates words.
 */
final class EncodedText {
    private static final Charset WINDOWS_1252 = CharsetNames.WINDOWS_1252;
    private static final Charset ISO_2022_JP = Charset.forName("iso-2022-jp");
    private static final byte ESCAPE = 0x1b;
    private static final String WORD_START = "=?";
    private static final String WORD_END = "?=";
    private static final int MAX_CHARSET_NAME = 75;
    private static final int NO_WORD = -1;
    private static final int NO_END = -2;

    private EncodedText() {}

    /** Whether the name says nothing more than "some 8-bit text": valid UTF-8 is then taken as that. */
    private static boolean isVague(@Nullable Charset charset) {
        return charset == null || charset.equals(WINDOWS_1252);
    }

    /** The text of the bytes. */
    static String decode(byte[] bytes, int length, @Nullable Charset charset) {
        return decode(bytes, length, charset, Integer.MAX_VALUE);
    }

    /** The text of the bytes, or so many characters of it; takes no memory for the rest. */
    static String decode(byte[] bytes, int length, @Nullable Charset charset, int maxChars) {
        ByteBuffer in = ByteBuffer.wrap(bytes, 0, length);
        if (!isVague(charset)) {
            return replacing(in, charset == null ? WINDOWS_1252 : charset, maxChars);
        }
        int mark = startsWithMark(bytes, length);
        if (mark > 0) {
            Charset marked = mark == 1 ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE;
            return replacing(in.position(2), marked, maxChars);
        }
        String utf8 = decoded(in, StandardCharsets.UTF_8, CodingErrorAction.REPORT, maxChars);
        return utf8 == null ? replacing(in.rewind(), WINDOWS_1252, maxChars) : utf8;
    }

    private static String replacing(ByteBuffer in, Charset charset, int maxChars) {
        String text = decoded(in, charset, CodingErrorAction.REPLACE, maxChars);
        return text == null ? "" : text; // replaces whatever is bad
    }

    /** Null for bad bytes that are to be reported. */
    private static @Nullable String decoded(ByteBuffer in, Charset charset, CodingErrorAction bad, int maxChars) {
        CharsetDecoder decoder = charset.newDecoder().onMalformedInput(bad).onUnmappableCharacter(bad);
        long most = (long) Math.ceil(in.remaining() * (double) decoder.maxCharsPerByte()) + 1;
        CharBuffer out = CharBuffer.allocate((int) Math.min(most, maxChars));
        if (decoder.decode(in, out, true).isError()) {
            return null;
        }
        decoder.flush(out);
        return out.flip().toString();
    }

    /** Text of bytes that switch to Japanese characters without saying so, as mail in ISO-2022-JP did; null if they do not. */
    static @Nullable String japanese(byte[] bytes, int length) {
        for (int i = 0; i + 1 < length; i++) {
            if (bytes[i] == ESCAPE && bytes[i + 1] == '$') {
                return new String(bytes, 0, length, ISO_2022_JP);
            }
        }
        return null;
    }

    /** 1 if a mark of UTF-16 in its first order begins the bytes, 2 if in the other one, 0 if none does. */
    static int startsWithMark(byte[] bytes, int length) {
        if (length < 2) {
            return 0;
        }
        int first = (bytes[0] & 0xff) << 8 | bytes[1] & 0xff;
        return first == 0xfeff ? 1 : first == 0xfffe ? 2 : 0;
    }

    /** Text of a header field's body with its encoded words decoded, in one pass; what cannot be decoded stays as it is. */
    static String encodedWords(String text) {
        return rewritten(text, WORD_START, EncodedText::decoded);
    }

    /**
     * The text with encoded words whose charset exists, and with nothing that only begins like an encoded word: the library that decodes asks the runtime for every charset, which takes as
     * long as a page of text if there is none, and looks for ends again and again. Words of unknown charsets are given the one that text without a charset has.
     */
    static String sound(String text) {
        return rewritten(text, "= ?", words -> words);
    }

    /**
     * One pass over the text.
     *
     * @param falseStart takes the place of what only begins like an encoded word
     * @param words      what becomes of encoded words that follow one another; they may share a character
     */
    private static String rewritten(String text, String falseStart, UnaryOperator<String> words) {
        int at = text.indexOf(WORD_START);
        if (at < 0) {
            return text;
        }
        var out = new StringBuilder(text.length() + 16);
        int copied = 0;
        boolean ends = true;
        for (; at >= 0; at = text.indexOf(WORD_START, copied)) {
            int end = ends ? wordEnd(text, at) : NO_END;
            ends = end != NO_END;
            out.append(text, copied, at);
            if (end < 0) {
                out.append(falseStart);
                copied = at + WORD_START.length();
                continue;
            }
            var run = new StringBuilder();
            int next = at;
            do {
                run.append(text, copied < at ? at : copied, next);
                appendWord(text, next, end, run);
                copied = end;
                next = behindBlanks(text, end);
                end = text.startsWith(WORD_START, next) ? wordEnd(text, next) : NO_WORD;
            } while (end >= 0);
            out.append(words.apply(run.toString()));
        }
        return out.append(text, copied, text.length()).toString();
    }

    private static void appendWord(String text, int from, int end, StringBuilder out) {
        int mark = text.indexOf('?', from + WORD_START.length());
        out.append(WORD_START).append(charsetOfWord(text.substring(from + WORD_START.length(), mark)));
        out.append(text, mark, end);
    }

    private static int behindBlanks(String text, int from) {
        int at = from;
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
        return at;
    }

    /** Without the language of RFC 2231. */
    private static String charsetOfWord(String name) {
        int language = name.indexOf('*');
        String charset = language < 0 ? name : name.substring(0, language);
        Charset known = CharsetNames.find(charset);
        return known != null && !known.equals(CharsetNames.UTF_7) ? known.name() : WINDOWS_1252.name();
    }

    /** Behind the encoded word that begins at a place; {@link #NO_WORD}, or {@link #NO_END} if no word behind that place has one. */
    private static int wordEnd(String text, int from) {
        int start = from + WORD_START.length();
        int limit = Math.min(text.length(), start + MAX_CHARSET_NAME);
        int mark = start;
        while (mark < limit && text.charAt(mark) != '?' && text.charAt(mark) != '=') {
            mark++;
        }
        boolean word = mark > start
                && mark < limit
                && text.charAt(mark) == '?'
                && mark + 3 <= text.length()
                && "bBqQ".indexOf(text.charAt(mark + 1)) >= 0
                && text.charAt(mark + 2) == '?';
        int end = word ? text.indexOf(WORD_END, mark + 3) : 0;
        return end < 0 ? NO_END : word ? end + WORD_END.length() : NO_WORD;
    }

    private static String decoded(String words) {
        try {
            return DecoderUtil.decodeEncodedWords(words, DecodeMonitor.SILENT, WINDOWS_1252);
        } catch (RuntimeException e) {
            return words;
        }
    }
}
