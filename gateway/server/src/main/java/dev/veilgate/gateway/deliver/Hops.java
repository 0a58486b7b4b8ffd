package dev.veilgate.gateway.deliver;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells mail that goes round in circles by the traces it gathers (RFC 5321, section 6.3). */
final class Hops {
    static final int MAX = 100;
    /** Of this gateway itself; a mailing list may bring a mail back a few times. */
    static final int MAX_OURS = 10;

    private static final Pattern TRACE =
            Pattern.compile("^Received:((?:.*\r\n)(?:[ \t].*\r\n)*)", Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);

    private Hops() {}

    static boolean isLoop(byte[] message, String ourName) {
        String by = " by " + ourName.toLowerCase(Locale.ROOT) + " with ";
        Matcher matcher = TRACE.matcher(DeliveryReport.header(message));
        int all = 0;
        int ours = 0;
        while (matcher.find()) {
            all++;
            ours += matcher.group(1)
                            .replaceAll("\\s+", " ")
                            .toLowerCase(Locale.ROOT)
                            .contains(by)
                    ? 1
                    : 0;
        }
        return all > MAX || ours > MAX_OURS;
    }
}
