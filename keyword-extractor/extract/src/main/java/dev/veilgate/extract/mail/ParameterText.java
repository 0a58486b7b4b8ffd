package dev.veilgate.extract.mail;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.util.Base64;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Text from a value of a parameter that is written with percent signs (RFC 2231) or encoded words (RFC 2047). Bytes of
 * all pieces are put together before they are decoded, as some programs cut characters in two. What is damaged stays
 * as it is written, bytes that are no characters become U+FFFD.
 */
final class ParameterText {
    private static final int MAX_CHARSET = 75;
    private static final String WORD_START = "=?";
    private static final String WORD_END = "?=";
    private static final Pattern CHARSET_AND_KIND =
            Pattern.compile("=\\?([^?=\\s*]{1," + MAX_CHARSET + "})(\\*[^?\\s]{0," + MAX_CHARSET + "})?\\?([bBqQ])\\?");

    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/ \t]*+[= \t]*+");

    private final StringBuilder text = new StringBuilder();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private @Nullable Charset charset;

    /** @param charset null if it is not known */
    ParameterText(@Nullable Charset charset) {
        this.charset = charset;
    }

    /**
     * The charset of a name. Null if it is not known, or ASCII: the bytes are UTF-8 then if they can be, and otherwise
     * Windows-1252.
     */
    static @Nullable Charset charset(String name, Consumer<String> unknown) {
        Charset found = CharsetNames.find(name);
        if (found == null) {
            unknown.accept(name);
        }
        return name.toLowerCase(Locale.ROOT).endsWith("ascii") ? null : found;
    }

    /** Adds what is written as it is, as bytes of the charset where it is ASCII. */
    void plain(CharSequence piece) {
        add(piece, '\0');
    }

    /** Adds what is written with percent signs. */
    void percentEncoded(CharSequence piece) {
        add(piece, '%');
    }

    private void add(CharSequence piece, char escape) {
        for (int i = 0; i < piece.length(); i++) {
            char c = piece.charAt(i);
            boolean mayEscape = escape != '\0' && c == escape;
            int high = mayEscape ? digit(piece, i + 1) : -1;
            int low = high < 0 ? -1 : digit(piece, i + 2);
            if (low >= 0) {
                bytes.write(high << 4 | low);
                i += 2;
            } else if (c < 0x80) {
                bytes.write(c);
            } else { // decoded before
                flush();
                text.append(c);
            }
        }
    }

    private static int digit(CharSequence piece, int at) {
        return at < piece.length() && piece.charAt(at) < 0x80 ? Character.digit(piece.charAt(at), 16) : -1;
    }

    private void flush() {
        if (bytes.size() > 0) {
            text.append(
                    charset == null
                            ? EncodedText.decode(bytes.toByteArray(), bytes.size(), null)
                            : bytes.toString(charset));
            bytes.reset();
        }
    }

    /** All that was added. */
    String decoded() {
        flush();
        return text.toString();
    }

    /**
     * A text with its encoded words decoded. A word of a charset that is not known is read as text without a charset.
     *
     * @param unknown takes the names of charsets that are not known, and languages
     */
    static String words(String written, Consumer<String> unknown) {
        ParameterText all = new ParameterText(null);
        int copied = 0;
        boolean isBehindWord = false;
        int start = written.indexOf(WORD_START);
        while (start >= 0) {
            Matcher head = CHARSET_AND_KIND.matcher(written).region(start, written.length());
            if (!head.lookingAt()) {
                start = written.indexOf(WORD_START, start + 1);
                continue;
            }
            int end = written.indexOf(WORD_END, head.end());
            if (end < 0) {
                break;
            }
            String gap = written.substring(copied, start);
            if (!isBehindWord || !gap.isBlank()) {
                all.verbatim(gap);
            }
            isBehindWord = all.word(head, written.substring(head.end(), end), unknown);
            copied = isBehindWord ? end + WORD_END.length() : start;
            start = written.indexOf(WORD_START, end + WORD_END.length());
        }
        return all.verbatim(written.substring(copied)).decoded();
    }

    private ParameterText verbatim(String piece) {
        flush();
        text.append(piece);
        return this;
    }

    /** Adds an encoded word, unless it is damaged. */
    private boolean word(Matcher head, String payload, Consumer<String> unknown) {
        byte[] base64 = null;
        if (head.group(3).equalsIgnoreCase("b")) {
            base64 = base64(payload);
            if (base64 == null) {
                return false;
            }
        }
        Charset named = charset(head.group(1), unknown);
        if (head.group(2) != null) {
            unknown.accept(head.group(2).substring(1));
        }
        if (!Objects.equals(named, charset)) {
            flush();
            charset = named;
        }
        if (base64 != null) {
            bytes.writeBytes(base64);
        } else {
            add(payload.replace('_', ' '), '=');
        }
        return true;
    }

    private static byte @Nullable [] base64(String payload) {
        try {
            return BASE64.matcher(payload).matches() ? Base64.getMimeDecoder().decode(payload) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
