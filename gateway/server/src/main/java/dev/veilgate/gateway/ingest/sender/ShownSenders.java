package dev.veilgate.gateway.ingest.sender;

import dev.veilgate.envelope.smime.AddressList;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.PlainHeader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Addresses that some mail program may show as the sender of a mail: in all fields From and Sender, as mailboxes and
 * within names and comments.
 *
 * <p>Programs read such fields in different ways, so each is read in several: as UTF-8 and as ISO 8859-1, with
 * {@linkplain EncodedWordReadings encoded words} as they are, decoded, and decoded again, in compatible forms (NFKC),
 * in the order in which it stands and that in which it is seen; by {@link AddressList}, and as if comments, blanks and
 * quotes were not there. Gives: no address that such a reading has is passed over. Does not give: that each of them is
 * shown by some program, that no program reads the fields in another way (so they are delivered only where all read
 * the same, {@link PlainHeader}), nor letters of other scripts that look like those of an address. One pass a reading,
 * of {@value #MAX_CHARS} characters at most.
 *
 * <p>Resent-From, Reply-To and the like are not read: no program that we know shows them as the sender.
 */
final class ShownSenders {
    private static final List<String> FIELDS = List.of("from", "sender");
    private static final char EMPTY_BRAILLE = '\u2800';
    private static final String ENDS = "<>()[]\",;:\\";
    /** More than a sender has, and read in no time. */
    private static final int MAX_CHARS = 8 << 10;

    private static final char RIGHT_TO_LEFT = '\u202e';
    /** Ends of what stands in such an order. */
    private static final String ORDERS = "\u202a\u202b\u202c\u202d\u202e";

    /** Completeness of a reading. */
    enum Reading {
        /** All that programs may read, as far as that is known. */
        WHOLE,
        /** All but what programs read in encoded words of a charset that is not known here. */
        UNKNOWN_CHARSET,
        /** Not all: the fields are too long, or encoded so that addresses in them are not found. */
        UNREAD
    }

    private ShownSenders() {}

    /**
     * Reads a header.
     *
     * @param found takes {@code local@domain}, with the domain in each of its {@linkplain MailDomain#forms forms}; one
     *              more than once
     * @return how much of the fields was read
     */
    static Reading read(MailHeader header, Consumer<String> found) {
        List<MailHeader.Field> fields = header.fields().stream()
                .filter(field -> FIELDS.contains(field.name()))
                .toList();
        if (fields.stream().mapToInt(field -> field.raw().length()).sum() > MAX_CHARS) {
            return Reading.UNREAD;
        }
        EncodedWordReadings words = new EncodedWordReadings();
        for (MailHeader.Field field : fields) {
            readings(field.value(), words).forEach(text -> read(text, found));
        }
        return words.reading();
    }

    private static Set<String> readings(String bytes, EncodedWordReadings words) {
        Set<String> all = new LinkedHashSet<>();
        for (Charset charset : List.of(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1)) {
            String text = new String(bytes.getBytes(StandardCharsets.ISO_8859_1), charset);
            for (String decoded : words.readings(text)) {
                all.add(compatible(decoded));
                if (decoded.indexOf(RIGHT_TO_LEFT) >= 0) {
                    all.add(compatible(asShown(decoded)));
                }
            }
        }
        return all;
    }

    private static String compatible(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFKC);
    }

    /** The text with what is overridden to be from right to left in the order in which it is seen. */
    private static String asShown(String text) {
        StringBuilder out = new StringBuilder();
        int start = 0;
        boolean isReversed = false;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || ORDERS.indexOf(text.charAt(i)) >= 0) {
                StringBuilder run = new StringBuilder(text.substring(start, i));
                out.append(isReversed ? run.reverse() : run);
                isReversed = i < text.length() && text.charAt(i) == RIGHT_TO_LEFT;
                start = i + 1;
            }
        }
        return out.toString();
    }

    private static void read(String text, Consumer<String> found) {
        AddressList.read(text, box -> {
            box.addresses().forEach(address -> inText(address, found));
            inText(box.name(), found);
        });
        inText(joined(text, false), found);
        inText(joined(text, true), found);
    }

    /** Every @ with what could be a domain behind it. */
    private static void inText(String text, Consumer<String> found) {
        for (int at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
            int from = at;
            while (from > 0 && !isEnd(text.charAt(from - 1))) {
                from--;
            }
            while (text.charAt(from) == '\'') { // Outlook writes 'ada@example.org'
                from++;
            }
            int start = at + 1;
            while (start < text.length() && isBlank(text.charAt(start))) {
                start++;
            }
            int to = start;
            while (to < text.length() && isOfDomain(text.codePointAt(to))) {
                to += Character.charCount(text.codePointAt(to));
            }
            if (to > start) {
                String local = text.substring(from, at + 1);
                MailDomain.forms(text.substring(start, to)).forEach(domain -> found.accept(local + domain));
            }
        }
    }

    private static boolean isEnd(char c) {
        return c == '@' || isBlank(c) || ENDS.indexOf(c) >= 0;
    }

    /** Letters, digits, points, hyphens, and what is not seen between them. */
    private static boolean isOfDomain(int c) {
        if (c < 0x80) {
            return c == '.' || c == '-' || c == '_' || Character.isLetterOrDigit(c);
        }
        return Character.isLetterOrDigit(c)
                || c > 0xffff
                || "\u3002\uff0e\uff61".indexOf(c) >= 0
                || MailDomain.isUnseen(c)
                || switch (Character.getType(c)) {
                    case Character.SURROGATE,
                            Character.UNASSIGNED,
                            Character.NON_SPACING_MARK,
                            Character.COMBINING_SPACING_MARK -> true;
                    default -> false;
                };
    }

    private static boolean isBlank(char c) {
        return c <= ' ' || c == 0x7f || c == EMPTY_BRAILLE || Character.isSpaceChar(c);
    }

    /**
     * The text without comments, blanks, quotes and backslashes.
     *
     * @param isEscaped whether a backslash in a comment takes its meaning from the character behind it
     */
    private static String joined(String text, boolean isEscaped) {
        StringBuilder out = new StringBuilder();
        int depth = 0;
        int last = text.lastIndexOf(')');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && depth > 0 && isEscaped) {
                i++;
            } else if (c == '(' && i < last) {
                depth++;
            } else if (c == ')' && depth > 0) {
                depth--;
            } else if (depth == 0 && !isBlank(c) && c != '"' && c != '\\') {
                out.append(c);
            }
        }
        return out.toString();
    }
}
