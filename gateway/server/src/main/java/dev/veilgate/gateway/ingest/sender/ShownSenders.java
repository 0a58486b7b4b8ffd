package dev.veilgate.gateway.ingest.sender;

import dev.veilgate.envelope.smime.AddressList;
import dev.veilgate.envelope.smime.MailHeader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Addresses that some mail program may show as the sender of a mail: in all fields From and Sender, as mailboxes and
 * within names and comments.
 *
 * <p>Programs read such fields in different ways, so each is read in several: as UTF-8 and as ISO 8859-1, with encoded
 * words as they are, decoded, and decoded again, in compatible forms (NFKC); by {@link AddressList}, and as if
 * comments, blanks and quotes were not there. Gives: no address that such a reading has is passed over. Does not give:
 * that each of them is shown by some program, nor letters of other scripts that look like those of an address. One pass
 * a reading, of {@value #MAX_CHARS} characters at most.
 *
 * <p>Resent-From, Reply-To and the like are not read: no program that we know shows them as the sender.
 */
final class ShownSenders {
    private static final List<String> FIELDS = List.of("from", "sender");
    private static final Pattern ENCODED =
            Pattern.compile("=\\?([\\w.:-]{1,40}+)(?:\\*[\\w-]{1,20}+)?\\?([BbQq])\\?([^\\s?]*+)\\?=");
    private static final Pattern BETWEEN = Pattern.compile("\\?=[ \\t]++=\\?");
    private static final String ENDS = "<>()[]\",;:\\";
    /** More than a sender has, and read in no time. */
    private static final int MAX_CHARS = 32 << 10;

    private static final int DECODED = 2;

    private ShownSenders() {}

    /**
     * Reads a header.
     *
     * @param found takes {@code local@domain}, with the domain as {@link MailDomain#normal} has it, without a local
     *              part where programs may read several; one more than once
     * @return false if the fields are so long that they are not read
     */
    static boolean read(MailHeader header, Consumer<String> found) {
        List<MailHeader.Field> fields = header.fields().stream()
                .filter(field -> FIELDS.contains(field.name()))
                .toList();
        if (fields.stream().mapToInt(field -> field.raw().length()).sum() > MAX_CHARS) {
            return false;
        }
        for (MailHeader.Field field : fields) {
            readings(field.value()).forEach(text -> read(text, found));
        }
        return true;
    }

    private static Set<String> readings(String bytes) {
        Set<String> all = new LinkedHashSet<>();
        for (Charset charset : List.of(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1)) {
            String text = new String(bytes.getBytes(StandardCharsets.ISO_8859_1), charset);
            all.add(compatible(text));
            for (int i = 0; i < DECODED; i++) {
                text = decoded(text);
                all.add(compatible(text));
            }
        }
        return all;
    }

    private static String compatible(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFKC);
    }

    private static void read(String text, Consumer<String> found) {
        AddressList.read(text, box -> {
            box.addresses().forEach(address -> inText(address, found));
            inText(box.name().replace('\'', ' '), found); // Outlook writes 'ada@example.org'
        });
        inText(joined(text), address -> found.accept(address.substring(address.lastIndexOf('@'))));
    }

    /** Every @ with what could be a domain behind it. */
    private static void inText(String text, Consumer<String> found) {
        for (int at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
            int from = at;
            while (from > 0 && !isEnd(text.charAt(from - 1))) {
                from--;
            }
            int start = at + 1;
            while (start < text.length() && isBlank(text.charAt(start))) {
                start++;
            }
            int to = start;
            while (to < text.length() && isOfDomain(text.charAt(to))) {
                to++;
            }
            if (to > start) {
                found.accept(text.substring(from, at + 1) + MailDomain.normal(text.substring(start, to)));
            }
        }
    }

    private static boolean isEnd(char c) {
        return c == '@' || isBlank(c) || ENDS.indexOf(c) >= 0;
    }

    /** Letters, digits, points, hyphens, and what is not seen between them. */
    private static boolean isOfDomain(char c) {
        if (c < 0x80) {
            return c == '.' || c == '-' || c == '_' || Character.isLetterOrDigit(c);
        }
        return Character.isLetterOrDigit(c)
                || Character.isSurrogate(c)
                || "\u3002\uff0e\uff61".indexOf(c) >= 0
                || switch (Character.getType(c)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.NON_SPACING_MARK,
                            Character.COMBINING_SPACING_MARK -> true;
                    default -> false;
                };
    }

    private static boolean isBlank(char c) {
        return c <= ' ' || c == 0x7f || Character.isSpaceChar(c);
    }

    /** The text without comments, blanks, quotes and backslashes. */
    private static String joined(String text) {
        StringBuilder out = new StringBuilder();
        int depth = 0;
        int last = text.lastIndexOf(')');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '(' && i < last) {
                depth++;
            } else if (c == ')' && depth > 0) {
                depth--;
            } else if (depth == 0 && !isBlank(c) && c != '"' && c != '\\') {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static String decoded(String text) {
        if (!text.contains("=?")) {
            return text;
        }
        Matcher word = ENCODED.matcher(BETWEEN.matcher(text).replaceAll(_ -> "?==?"));
        return word.replaceAll(
                found -> Matcher.quoteReplacement(decoded(found.group(1), found.group(2), found.group(3))));
    }

    private static String decoded(String charset, String encoding, String text) {
        byte[] bytes = encoding.equalsIgnoreCase("B") ? base64(text) : quoted(text);
        try {
            return new String(bytes, Charset.forName(charset));
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    private static byte[] base64(String text) {
        try {
            return Base64.getMimeDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return text.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    /** Bytes of encoding Q; a = without two digits stays. */
    private static byte[] quoted(String text) {
        byte[] bytes = new byte[text.length()];
        int count = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int value = c == '=' && i + 2 < text.length() ? hex(text.charAt(i + 1), text.charAt(i + 2)) : -1;
            if (value >= 0) {
                i += 2;
            }
            bytes[count++] = (byte) (value >= 0 ? value : c == '_' ? ' ' : c);
        }
        return Arrays.copyOf(bytes, count);
    }

    private static int hex(char high, char low) {
        int first = Character.digit(high, 16);
        int second = Character.digit(low, 16);
        return first < 0 || second < 0 ? -1 : first << 4 | second;
    }
}
