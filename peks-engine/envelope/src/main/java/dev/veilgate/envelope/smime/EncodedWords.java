package dev.veilgate.envelope.smime;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Header fields in ASCII: words that are not become encoded words in UTF-8 (RFC 2047), as do encoded words in
 * ISO-2022-JP, whose bytes look like other signs to who does not know it.
 *
 * <p>Text comes as {@link MailHeader} has it, a character for each byte; bytes that are not UTF-8 stay as they are.
 */
final class EncodedWords {
    /** Bytes of an encoded word that has at most 75 characters. */
    private static final int MAX_BYTES = 45;

    private static final String JAPANESE = "iso-2022-jp";
    private static final Pattern WORD =
            Pattern.compile("=\\?([\\w-]{1,20}+)(?:\\*[\\w-]{1,20}+)?\\?([BbQq])\\?([^\\s?]*+)\\?=");
    private static final String SPECIALS = "<>,;:\"()";

    private enum Last {
        PLAIN,
        /** As it came. */
        ENCODED,
        /** Made of a plain word, before which programs show a blank. */
        MADE
    }

    private final String text;
    private final boolean hasAddresses;
    private final StringBuilder out = new StringBuilder();
    private Last last = Last.PLAIN;
    private int at;

    private EncodedWords(String text, boolean hasAddresses) {
        this.text = text;
        this.hasAddresses = hasAddresses;
    }

    /** The value of a field of mailboxes. */
    static String ofMailboxes(String value) {
        return of(value, true);
    }

    /** The value of a field of text. */
    static String ofText(String value) {
        return of(value, false);
    }

    private static String of(String value, boolean hasAddresses) {
        boolean isAscii = value.chars().allMatch(c -> c < 0x80);
        if (isAscii && !value.toLowerCase(Locale.ROOT).contains("=?" + JAPANESE)) {
            return value;
        }
        Optional<String> text = decoded(value.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        return text.flatMap(each -> new EncodedWords(each, hasAddresses).words())
                .orElse(value);
    }

    private static Optional<String> decoded(byte[] bytes, Charset charset) {
        try {
            return Optional.of(
                    charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /** Empty for quotes that do not end: nobody knows what is in them. */
    private Optional<String> words() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ' ' || c == '\t') {
                out.append(c);
                at++;
            } else if (hasAddresses && c == '"') {
                if (!quoted()) {
                    return Optional.empty();
                }
            } else if (hasAddresses && SPECIALS.indexOf(c) >= 0) {
                out.append(c);
                last = Last.PLAIN;
                at++;
            } else {
                word();
            }
        }
        return Optional.of(out.toString());
    }

    /** A string in quotes, if it ends; encoded as a whole, as nothing is decoded between quotes. */
    private boolean quoted() {
        StringBuilder content = new StringBuilder();
        int end = at + 1;
        while (end < text.length() && text.charAt(end) != '"') {
            end += text.charAt(end) == '\\' && end + 1 < text.length() ? 1 : 0;
            content.append(text.charAt(end));
            end++;
        }
        if (end >= text.length()) {
            return false;
        }
        if (isAscii(content)) {
            out.append(text, at, end + 1);
            last = Last.PLAIN;
        } else {
            made(content.toString());
            int next = end + 1;
            if (next < text.length() && text.charAt(next) != ' ' && text.charAt(next) != ',') {
                out.append(' ');
            }
        }
        at = end + 1;
        return true;
    }

    private void word() {
        int end = at;
        while (end < text.length() && !isEnd(text.charAt(end))) {
            end++;
        }
        String word = text.substring(at, end);
        at = end;
        Matcher encoded = WORD.matcher(word);
        if (encoded.matches()) {
            boolean isJapanese = encoded.group(1).equalsIgnoreCase(JAPANESE);
            Optional<String> japanese = isJapanese ? japanese(encoded.group(2), encoded.group(3)) : Optional.empty();
            if (japanese.isPresent()) {
                encoded((last == Last.MADE ? " " : "") + japanese.get());
            } else {
                out.append(word);
            }
            last = Last.ENCODED;
        } else if (isAscii(word) || hasAddresses && word.indexOf('@') >= 0) {
            out.append(word.replaceAll("[^\\x00-\\x7f]", "?"));
            last = Last.PLAIN;
        } else {
            made(word);
        }
    }

    private boolean isEnd(char c) {
        return c == ' ' || c == '\t' || hasAddresses && SPECIALS.indexOf(c) >= 0;
    }

    private static boolean isAscii(CharSequence text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    /** Programs leave out blanks between encoded words: the one before has to be in this one. */
    private void made(String word) {
        encoded((last == Last.PLAIN ? "" : " ") + word);
        last = Last.MADE;
    }

    private void encoded(String word) {
        StringBuilder part = new StringBuilder();
        int bytes = 0;
        for (int c : word.codePoints().toArray()) {
            String character = Character.toString(c);
            int length = character.getBytes(StandardCharsets.UTF_8).length;
            if (bytes + length > MAX_BYTES) {
                append(part);
                out.append(' ');
                part.setLength(0);
                bytes = 0;
            }
            part.append(character);
            bytes += length;
        }
        append(part);
    }

    private void append(StringBuilder part) {
        byte[] bytes = part.toString().getBytes(StandardCharsets.UTF_8);
        out.append("=?utf-8?B?")
                .append(Base64.getEncoder().encodeToString(bytes))
                .append("?=");
    }

    private static Optional<String> japanese(String encoding, String text) {
        try {
            byte[] bytes = encoding.equalsIgnoreCase("B") ? Base64.getDecoder().decode(text) : SenderField.quoted(text);
            return decoded(bytes, Charset.forName(JAPANESE));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
