package dev.veilgate.gateway.ingest.sender;

import java.net.IDN;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/** Normal form of a mail domain: one spelling for all that a program may take for the same. */
public final class MailDomain {
    private static final int MAX_CHARS = 255;
    private static final int MAX_LABEL = 63;

    /** Points of other scripts (RFC 3490, section 3.1). */
    private static final Pattern POINTS = Pattern.compile("[\\u3002\\uff0e\\uff61]");

    /** Characters that are not seen: control and format characters, selectors of glyphs. */
    private static final Pattern UNSEEN =
            Pattern.compile("[\\p{Cc}\\p{Cf}\\u034f\\u180b-\\u180f\\ufe00-\\ufe0f\\x{e0100}-\\x{e01ef}]");

    private MailDomain() {}

    /**
     * The domain in lower case, as a host name in ASCII (RFC 3490) and without points around it; for what is no host
     * name, some text. Compatible forms are the same (NFKC), characters that are not seen are passed over.
     */
    public static String normal(String domain) {
        if (domain.chars().allMatch(c -> c < 0x80)) {
            return withoutPoints(domain.toLowerCase(Locale.ROOT));
        }
        String seen = UNSEEN.matcher(Normalizer.normalize(domain, Normalizer.Form.NFKC))
                .replaceAll("");
        String plain = withoutPoints(POINTS.matcher(seen).replaceAll(".").toLowerCase(Locale.ROOT));
        if (plain.length() > MAX_CHARS || hasLongLabel(plain)) {
            return plain; // encoding takes the square of the length
        }
        try {
            return IDN.toASCII(plain, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            return plain;
        }
    }

    /** The address with its domain so, and its local part in lower case. */
    public static String normalAddress(String address) {
        int at = address.lastIndexOf('@');
        return address.substring(0, at + 1).toLowerCase(Locale.ROOT) + normal(address.substring(at + 1));
    }

    private static boolean hasLongLabel(String domain) {
        int start = 0;
        for (int i = 0; i <= domain.length(); i++) {
            if (i == domain.length() || domain.charAt(i) == '.') {
                if (i - start > MAX_LABEL) {
                    return true;
                }
                start = i + 1;
            }
        }
        return false;
    }

    private static String withoutPoints(String domain) {
        int from = 0;
        int to = domain.length();
        while (from < to && domain.charAt(from) == '.') {
            from++;
        }
        while (to > from && domain.charAt(to - 1) == '.') {
            to--;
        }
        return domain.substring(from, to);
    }
}
