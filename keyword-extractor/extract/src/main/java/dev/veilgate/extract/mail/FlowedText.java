package dev.veilgate.extract.mail;

/** Text whose lines were broken for its journey, by RFC 3676: a line that ends with a space goes on in the next one. */
final class FlowedText {
    private static final String SIGNATURE = "-- ";

    private FlowedText() {}

    /** The text with its lines whole again where the space before the break is to go (DelSp=yes): words are broken there, in scripts without spaces most of all. */
    static String withoutBreaks(String text) {
        StringBuilder out = new StringBuilder(text.length());
        boolean goesOn = false;
        for (int at = 0; at < text.length(); ) {
            int feed = text.indexOf('\n', at);
            int next = feed < 0 ? text.length() : feed + 1;
            int end = feed < 0 ? text.length() : feed;
            end = end > at && text.charAt(end - 1) == '\r' ? end - 1 : end;
            int start = goesOn ? behindQuotes(text, at, end) : at;
            boolean soft = feed >= 0
                    && end > start
                    && text.charAt(end - 1) == ' '
                    && !text.substring(start, end).equals(SIGNATURE);
            out.append(text, start, soft ? end - 1 : end);
            if (!soft) {
                out.append('\n');
            }
            goesOn = soft;
            at = next;
        }
        return out.toString();
    }

    /** Behind the marks of a quotation and the space that protects a line's beginning. */
    private static int behindQuotes(String text, int from, int to) {
        int at = from;
        while (at < to && text.charAt(at) == '>') {
            at++;
        }
        return at < to && text.charAt(at) == ' ' ? at + 1 : at;
    }
}
