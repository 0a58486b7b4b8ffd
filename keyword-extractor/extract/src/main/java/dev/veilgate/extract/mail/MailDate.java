package dev.veilgate.extract.mail;

import dev.veilgate.extract.log.TimeText;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * When a mail was written by its field Date, in the forms that mail programs of all times have written: those of RFC
 * 5322 with the obsolete ones (names of zones, years of two and three digits, comments, any white space), of RFC 850,
 * of {@code asctime}, of ISO 8601, and a day alone.
 */
public final class MailDate {
    private static final int LONGEST = 1024;
    private static final Pattern SPACES = Pattern.compile("\\s++");
    private static final Pattern WEEKDAY = Pattern.compile("^[\\p{L}]{1,12}\\.?, ?");
    private static final Pattern SUMMER = Pattern.compile("\\b(?:MET DST|MEST)\\b");

    /** Middle European time by the name that old programs have for it; in a line of a log {@code met} is a word. */
    private static final Pattern WINTER = Pattern.compile("\\bMET\\b");

    private static final Pattern DAY = Pattern.compile("[^:]*+");

    private MailDate() {}

    /**
     * Reads the value of the field.
     *
     * @return empty if it is no date; without a zone, or with one that nobody knows, as if in UTC
     */
    public static Optional<Instant> read(String value) {
        if (value.length() > LONGEST) {
            return Optional.empty();
        }
        String date = SPACES.matcher(withoutComments(value)).replaceAll(" ").strip();
        date = WEEKDAY.matcher(date).replaceFirst(""); // in whatever language
        date = SUMMER.matcher(date).replaceFirst("CEST");
        date = WINTER.matcher(date).replaceFirst("CET");
        date = date.replace(" :", ":").replace(": ", ":").replace(" ,", ",");
        Optional<Instant> time = TimeText.read(date);
        boolean isDay = time.isEmpty() && DAY.matcher(date).matches();
        return isDay ? TimeText.read(date + " 00:00") : time;
    }

    /** Comments may be nested; one without its end goes to the end. */
    private static String withoutComments(String value) {
        StringBuilder text = new StringBuilder();
        int depth = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '(') {
                depth++;
                text.append(' ');
            } else if (c == ')' && depth > 0) {
                depth--;
            } else if (depth == 0) {
                text.append(c);
            }
        }
        return text.toString();
    }
}
