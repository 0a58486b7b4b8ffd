package dev.veilgate.extract.mail;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Text from a value of a parameter that is written with percent signs (RFC 2231) or encoded words (RFC 2047). Bytes of
 * all pieces are put together before they are decoded, as some programs cut characters in two. What is damaged stays
 * as it is written, bytes that are no characters become U+FFFD. Of base64, characters that are none of it, and equals
 * signs within it, are left out, as Thunderbird does.
 */
final class ParameterText {
    private static final int MAX_CHARSET = 75;
    private static final String WORD_START = "=?";
    private static final String WORD_END = "?=";
    private static final Pattern CHARSET_AND_KIND =
            Pattern.compile("=\\?([^?=\\s*]{1," + MAX_CHARSET + "})(\\*[^?\\s]{0," + MAX_CHARSET + "})?\\?([bBqQ])\\?");

    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/ \t]*+[= \t]*+");
    private static final Pattern NO_BASE64 = Pattern.compile("[^A-Za-z0-9+/]++");

    private final StringBuilder text = new StringBuilder();
    private final StringBuilder other = new StringBuilder(); // the same, but for UTF-16 in the other order of bytes
    private boolean isOther;
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
                other.append(c);
            }
        }
    }

    private static int digit(CharSequence piece, int at) {
        return at < piece.length() && piece.charAt(at) < 0x80 ? Character.digit(piece.charAt(at), 16) : -1;
    }

    private void flush() {
        if (bytes.size() > 0) {
            byte[] all = bytes.toByteArray();
            String decoded = charset == null ? EncodedText.decode(all, all.length, null) : new String(all, charset);
            Charset swapped = otherOrder(all);
            text.append(decoded);
            other.append(swapped == null ? decoded : new String(all, swapped));
            isOther |= swapped != null;
            bytes.reset();
        }
    }

    /** UTF-16 in which some programs read bytes; null if all read them as we do. */
    private @Nullable Charset otherOrder(byte[] all) {
        return switch (charset == null ? "" : charset.name()) {
            case "UTF-16" -> isMarked(all) ? null : StandardCharsets.UTF_16LE;
            case "UTF-16BE" -> StandardCharsets.UTF_16LE;
            case "UTF-16LE", "x-UTF-16LE-BOM" -> StandardCharsets.UTF_16BE;
            default -> null;
        };
    }

    private static boolean isMarked(byte[] all) {
        int mark = all.length < 2 ? 0 : (all[0] & 0xff) << 8 | all[1] & 0xff;
        return mark == 0xfeff || mark == 0xfffe;
    }

    /** All that was added. */
    String decoded() {
        flush();
        return text.toString();
    }

    /**
     * All that was added, where bytes of UTF-16 can be read in another order: without a mark of it programs do not
     * agree, nor on what the names of some charsets say of it.
     */
    Optional<String> inOtherOrder() {
        flush();
        return isOther ? Optional.of(other.toString()) : Optional.empty();
    }

    /**
     * A text with its encoded words decoded. A word of a charset that is not known is read as text without a charset.
     *
     * @param rest takes the names of charsets that are not known, languages, words that are not base64 as a whole, and
     *             the text with UTF-16 in the other order of bytes
     */
    static String words(String written, Consumer<String> rest) {
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
            isBehindWord = all.word(head, written.substring(head.end(), end), rest);
            copied = isBehindWord ? end + WORD_END.length() : start;
            start = written.indexOf(WORD_START, end + WORD_END.length());
        }
        all.verbatim(written.substring(copied)).inOtherOrder().ifPresent(rest);
        return all.decoded();
    }

    private ParameterText verbatim(String piece) {
        flush();
        text.append(piece);
        other.append(piece);
        return this;
    }

    /** Adds an encoded word, unless it is damaged. */
    private boolean word(Matcher head, String payload, Consumer<String> rest) {
        byte[] base64 = null;
        if (head.group(3).equalsIgnoreCase("b")) {
            base64 = base64(payload);
            if (base64 == null) {
                base64 = lenientBase64(payload);
                if (base64.length == 0) {
                    return false;
                }
                rest.accept(head.group() + payload + WORD_END);
            }
        }
        Charset named = charset(head.group(1), rest);
        if (head.group(2) != null) {
            rest.accept(head.group(2).substring(1));
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

    /** Bytes of what is base64 in a word; none where a question mark would end it. */
    private static byte[] lenientBase64(String payload) {
        String kept =
                payload.indexOf('?') >= 0 ? "" : NO_BASE64.matcher(payload).replaceAll("");
        boolean hasMore = kept.length() % 4 == 1; // a single character is no byte
        return Base64.getDecoder().decode(hasMore ? kept.substring(0, kept.length() - 1) : kept);
    }
}
