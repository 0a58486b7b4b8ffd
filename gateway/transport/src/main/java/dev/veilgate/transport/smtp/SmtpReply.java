package dev.veilgate.transport.smtp;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a mail server answered, or what we say in its place.
 *
 * @param code of three digits
 * @param text printable ASCII on one line; may name people, so that it goes into reports to the sender and not into logs
 */
public record SmtpReply(int code, String text) {
    private static final int MAX_TEXT = 450;
    private static final Pattern STATUS = Pattern.compile("([245]\\.\\d{1,3}\\.\\d{1,3})(?: .*)?");

    /** Cuts the text, and takes away what is not printable. */
    public SmtpReply {
        text = text.replaceAll("[^ -~]+", " ").strip();
        text = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) : text;
    }

    /** One as a server wrote it; 451, for now, if it is none. */
    public static SmtpReply parse(String line) {
        boolean good = line.matches("[2-5][0-9]{2}.*");
        return good
                ? new SmtpReply(Integer.parseInt(line.substring(0, 3)), line.substring(3))
                : new SmtpReply(451, line);
    }

    /** Whether it takes responsibility for the mail. */
    public boolean isTaken() {
        return code >= 200 && code < 300;
    }

    /** Whether it would be the same another time. */
    public boolean isFinal() {
        return code >= 500;
    }

    /** The status of RFC 3463. */
    public String status() {
        Matcher matcher = STATUS.matcher(text);
        return matcher.matches() && matcher.group(1).charAt(0) == '0' + code / 100
                ? matcher.group(1)
                : code / 100 + ".0.0";
    }

    @Override
    public String toString() {
        return code + " " + text;
    }
}
