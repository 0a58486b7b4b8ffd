package dev.veilgate.envelope.smime;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The beginning of HTML, up to where the first of its content is shown. Read strictly: what programs may read in
 * several ways is not understood, so that what is put behind it changes nothing of how the rest is read.
 */
final class HtmlStart {
    private static final Set<String> HEAD = Set.of("html", "head", "title", "style", "meta", "link", "base");
    private static final Set<String> SHOWN = Set.of("br", "img", "hr", "table");
    private static final Set<String> AROUND_TEXT = Set.of(
            "p",
            "div",
            "span",
            "b",
            "i",
            "u",
            "em",
            "strong",
            "font",
            "a",
            "center",
            "blockquote",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "ul",
            "ol",
            "li",
            "pre",
            "small",
            "tt",
            "code");
    private static final String BLANKS = " \t\r\n";

    private final String html;
    private final boolean isWide;
    private int at;
    private boolean isHeadSeen;
    private boolean isTagSeen;
    private boolean isTitled;

    private HtmlStart(String html, boolean isWide) {
        this.html = html;
        this.isWide = isWide;
    }

    /**
     * The place where its content begins.
     *
     * @param place    behind the tag of its body; 0 if it is a piece of HTML that has no head
     * @param isTitled whether there is a title before it, which is shown by some programs where it stands in the body
     */
    record Content(int place, boolean isTitled) {}

    /**
     * The place where its content begins; empty if what is before that is not understood.
     *
     * @param html   its beginning, a character a byte
     * @param isWide whether a character of its character set may be several bytes, some of which are as in ASCII
     */
    static Optional<Content> of(String html, boolean isWide) {
        return new HtmlStart(html, isWide).find();
    }

    private Optional<Content> find() {
        while (at < html.length()) {
            Step step = html.charAt(at) != '<' ? text() : html.startsWith("<!", at) ? declaration() : tag();
            switch (step) {
                case GOES_ON -> {}
                case IN_BODY -> {
                    return Optional.of(new Content(at, isTitled));
                }
                case IN_TEXT -> {
                    return isHeadSeen ? Optional.empty() : Optional.of(new Content(0, false));
                }
                case UNCLEAR -> {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    /** Outcome of reading one thing. */
    private enum Step {
        GOES_ON,
        IN_BODY,
        IN_TEXT,
        UNCLEAR
    }

    /** An entity may be a blank. */
    private Step text() {
        int end = html.indexOf('<', at);
        String text = html.substring(at, end < 0 ? html.length() : end);
        at += text.length();
        if (!isReadable(text)) {
            return Step.UNCLEAR;
        }
        boolean isText = text.replaceAll("&[#A-Za-z0-9]*+;?", "")
                .chars()
                .anyMatch(c -> Character.isLetterOrDigit(c) || c >= 0x80);
        return isText ? Step.IN_TEXT : text.isBlank() ? Step.GOES_ON : Step.UNCLEAR;
    }

    private Step declaration() {
        boolean isComment = html.startsWith("<!--", at);
        int end = html.indexOf(isComment ? "-->" : ">", at + (isComment ? 4 : 2));
        if (end < 0) {
            return Step.UNCLEAR;
        }
        String inside = html.substring(at + (isComment ? 4 : 2), end);
        isHeadSeen |= !isComment;
        at = end + (isComment ? 3 : 1);
        boolean isClear = isComment
                ? !inside.startsWith(">")
                        && !inside.startsWith("->")
                        && !inside.contains("--!")
                        && !inside.contains("<!--")
                : !inside.startsWith("[CDATA");
        return isClear && isPlain(inside) ? Step.GOES_ON : Step.UNCLEAR;
    }

    private Step tag() {
        boolean isEnd = html.startsWith("</", at);
        int nameAt = at + (isEnd ? 2 : 1);
        int nameEnd = nameAt;
        while (nameEnd < html.length() && isNameCharacter(html.charAt(nameEnd))) {
            nameEnd++;
        }
        int end = tagEnd(nameEnd);
        if (end < 0 || nameEnd == nameAt || !isPlain(html.substring(at, end))) {
            return Step.UNCLEAR;
        }
        String name = html.substring(nameAt, nameEnd).toLowerCase(Locale.ROOT);
        at = end;
        if (HEAD.contains(name)) {
            return head(name, isEnd);
        }
        if (AROUND_TEXT.contains(name)) {
            isTagSeen = true;
            return isHeadSeen ? Step.UNCLEAR : Step.GOES_ON;
        }
        if (isEnd) {
            return Step.UNCLEAR;
        }
        return name.equals("body") && !isTagSeen ? Step.IN_BODY : SHOWN.contains(name) ? Step.IN_TEXT : Step.UNCLEAR;
    }

    private Step head(String name, boolean isEnd) {
        isHeadSeen = true;
        if (isTagSeen || isEnd && !name.equals("head")) {
            return Step.UNCLEAR;
        }
        if (isEnd || !name.equals("title") && !name.equals("style")) {
            return Step.GOES_ON;
        }
        isTitled |= name.equals("title");
        int from = at;
        String close = "</" + name + ">";
        while (at < html.length() && !html.regionMatches(true, at, close, 0, close.length())) {
            if (html.regionMatches(true, at, close, 0, close.length() - 1)) {
                return Step.UNCLEAR;
            }
            at++;
        }
        String inside = html.substring(from, at);
        at = Math.min(at + close.length(), html.length());
        return isPlain(inside) ? Step.GOES_ON : Step.UNCLEAR;
    }

    /** Behind the character that closes a tag; -1 if the tag is not written as it should be. */
    private int tagEnd(int nameEnd) {
        int i = nameEnd;
        while (true) {
            int attribute = behindBlanks(i);
            if (html.startsWith(">", attribute)) {
                return attribute + 1;
            }
            if (html.startsWith("/>", attribute)) {
                return attribute + 2;
            }
            int end = attribute;
            while (end < html.length() && (isNameCharacter(html.charAt(end)) || "_.".indexOf(html.charAt(end)) >= 0)) {
                end++;
            }
            if (attribute == i || end == attribute) {
                return -1;
            }
            int equals = behindBlanks(end);
            i = html.startsWith("=", equals) ? valueEnd(behindBlanks(equals + 1)) : end;
            if (i < 0) {
                return -1;
            }
        }
    }

    private int valueEnd(int from) {
        if (from >= html.length()) {
            return -1;
        }
        char quote = html.charAt(from);
        if (quote == '"' || quote == '\'') {
            return html.indexOf(quote, from + 1) + 1 == 0 ? -1 : html.indexOf(quote, from + 1) + 1;
        }
        int end = from;
        while (end < html.length() && (BLANKS + "\"'=<>`").indexOf(html.charAt(end)) < 0) {
            end++;
        }
        return end == from ? -1 : end;
    }

    private int behindBlanks(int from) {
        int i = from;
        while (i < html.length() && BLANKS.indexOf(html.charAt(i)) >= 0) {
            i++;
        }
        return i;
    }

    private static boolean isNameCharacter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == ':';
    }

    private boolean isPlain(String part) {
        return isReadable(part) && (!isWide || part.chars().allMatch(c -> c < 0x80));
    }

    /** Tells if a text has no control characters but blanks: some of them change the character set. */
    private static boolean isReadable(String part) {
        return part.chars().allMatch(c -> c >= ' ' && c != 0x7f || BLANKS.indexOf(c) >= 0);
    }
}
