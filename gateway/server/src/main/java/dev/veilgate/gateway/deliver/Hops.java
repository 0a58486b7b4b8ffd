package dev.veilgate.gateway.deliver;

import java.util.Locale;

/** Tells mail that goes round in circles by the traces it gathers (RFC 5321, section 6.3). */
final class Hops {
    static final int MAX = 100;
    /** Of this gateway itself; a mailing list may bring a mail back a few times. */
    static final int MAX_OURS = 10;

    private static final String TRACE = "received:";

    private Hops() {}

    static boolean isLoop(byte[] message, String ourName) {
        String by = " by " + ourName.toLowerCase(Locale.ROOT) + " with ";
        int all = 0;
        int ours = 0;
        var trace = new StringBuilder(); // of the field that the lines belong to, if it is one
        for (String line : (DeliveryReport.header(message) + "\r\n").split("\r\n", -1)) {
            boolean folded = line.startsWith(" ") || line.startsWith("\t");
            if (!folded) {
                ours += isBy(trace, by) ? 1 : 0;
                trace.setLength(0);
                all += isTrace(line) ? 1 : 0;
            }
            if (folded ? !trace.isEmpty() : isTrace(line)) {
                trace.append(line);
            }
        }
        return all > MAX || ours > MAX_OURS;
    }

    private static boolean isTrace(String line) {
        return line.regionMatches(true, 0, TRACE, 0, TRACE.length());
    }

    private static boolean isBy(CharSequence trace, String by) {
        return trace.toString().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT).contains(by);
    }
}
