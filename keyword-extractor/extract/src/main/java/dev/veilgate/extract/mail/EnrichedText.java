package dev.veilgate.extract.mail;

import java.util.Locale;
import java.util.Set;

/** Text of text/enriched (RFC 1896) and text/richtext (RFC 1341) without its commands, which divide no word unless they begin a line. */
final class EnrichedText {
    private static final int MAX_COMMAND = 80;
    private static final Set<String> LINES = Set.of(
            "nl",
            "np",
            "paragraph",
            "center",
            "flushleft",
            "flushright",
            "flushboth",
            "indent",
            "indentright",
            "outdent",
            "nofill",
            "verbatim",
            "heading",
            "footing",
            "samepage",
            "param",
            "comment",
            "excerpt");

    /** Divides words for those who search for the parts, and is nothing for those who search for the whole. */
    private static final char INVISIBLE = '\u200b';

    private EnrichedText() {}

    static String of(String written) {
        var text = new StringBuilder(written.length());
        for (int at = 0; at < written.length(); ) {
            char c = written.charAt(at);
            int end = c == '<' ? commandEnd(written, at) : -1;
            if (c == '<' && written.startsWith("<<", at)) {
                text.append('<');
                at += 2;
            } else if (end < 0) {
                text.append(c);
                at++;
            } else {
                String name = written.substring(at + 1, end).toLowerCase(Locale.ROOT);
                String bare = name.startsWith("/") ? name.substring(1) : name;
                text.append(bare.equals("lt") ? '<' : LINES.contains(bare) ? '\n' : INVISIBLE);
                at = end + 1;
            }
        }
        return text.toString();
    }

    /** Where the command ends that begins at a place; -1 if none does. */
    private static int commandEnd(String written, int from) {
        int limit = Math.min(written.length(), from + MAX_COMMAND);
        for (int at = from + 1; at < limit; at++) {
            char c = written.charAt(at);
            if (c == '>') {
                return at > from + 1 ? at : -1;
            }
            if (c == '<' || c <= ' ') {
                return -1;
            }
        }
        return -1;
    }
}
