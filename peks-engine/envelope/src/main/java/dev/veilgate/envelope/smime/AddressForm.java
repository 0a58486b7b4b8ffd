package dev.veilgate.envelope.smime;

/**
 * The mail addresses that proxy and gateway take, so that neither acknowledges what the other refuses: a dot-atom at a host name, which every mail system
 * takes. No quoted local parts, no source routes, no address literals, no bytes outside ASCII. One pass over the text.
 */
public final class AddressForm {
    /** Longest address in an SMTP command (RFC 5321, section 4.5.3.1.3, without the angle brackets). */
    public static final int MAX_CHARS = 254;

    /** Longest local part (RFC 5321, section 4.5.3.1.1). */
    public static final int MAX_LOCAL_CHARS = 64;

    private static final String ATOM_SIGNS = "!#$%&'*+/=?^_`{|}~-";

    private AddressForm() {}

    /** Whether it is an address that is taken: 3 to {@link #MAX_CHARS} characters, {@code local@domain}. */
    public static boolean isTaken(String text) {
        int at = text.indexOf('@');
        if (at < 1 || at > MAX_LOCAL_CHARS || text.length() > MAX_CHARS) {
            return false;
        }
        return isDotted(text, 0, at, false) && isDotted(text, at + 1, text.length(), true);
    }

    /** Parts between single dots, none empty; those of a host name neither begin nor end with a hyphen. */
    private static boolean isDotted(String text, int from, int to, boolean host) {
        char before = '.';
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            boolean dot = c == '.';
            boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (dot || host && c == '-') {
                if (before == '.' || dot && host && before == '-') {
                    return false;
                }
            } else if (!letter && (host || ATOM_SIGNS.indexOf(c) < 0)) {
                return false;
            }
            before = c;
        }
        return before != '.' && (!host || before != '-');
    }
}
