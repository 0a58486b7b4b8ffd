package dev.veilgate.gateway.ingest.sender;

import dev.veilgate.envelope.smime.InvisibleCharacters;
import java.net.IDN;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Normal form of a mail domain: one spelling for all that a program may take for the same. */
public final class MailDomain {
    private static final int MAX_CHARS = 255;
    static final int MAX_LABEL = 63;

    /** Points of other scripts (RFC 3490, section 3.1). */
    private static final Pattern POINTS = Pattern.compile("[\\u3002\\uff0e\\uff61]");

    /** Letters and joiners that IDNA of 2003 maps to others or to nothing, and that of 2008 keeps. */
    private static final String DEVIATIONS = "\u00df\u03c2\u200c\u200d";

    private static final int JOINER = 0x200d;
    private static final int NON_JOINER = 0x200c;

    private MailDomain() {}

    /** Tells if a code point is not seen: controls, format characters, and what programs ignore. */
    static boolean isUnseen(int c) {
        int type = Character.getType(c);
        return type == Character.CONTROL || type == Character.FORMAT || InvisibleCharacters.isInvisible(c);
    }

    /**
     * The domain in lower case, as a host name in ASCII (RFC 3490) and without points around it; for what is no host
     * name, some text. Compatible forms are the same (NFKC), characters that are not seen are passed over.
     */
    public static String normal(String domain) {
        if (isAscii(domain)) {
            return withoutPoints(domain.toLowerCase(Locale.ROOT));
        }
        String plain = plain(domain, false);
        if (isTooLong(plain)) {
            return plain; // encoding takes the square of the length
        }
        try {
            return IDN.toASCII(plain, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            return plain;
        }
    }

    /**
     * The hosts that programs may take a domain for: the {@linkplain #normal normal form}, and, where the domain has
     * letters that IDNA of 2003 does not keep ({@code \u00df}, {@code \u03c2}, joiners), the form of that of 2008
     * (RFC 5891) too.
     */
    public static Set<String> forms(String domain) {
        String normal = normal(domain);
        if (isAscii(domain)) {
            return Set.of(normal);
        }
        String kept = plain(domain, true);
        if (isTooLong(kept) || kept.chars().noneMatch(c -> DEVIATIONS.indexOf(c) >= 0)) {
            return Set.of(normal);
        }
        String encoded =
                Arrays.stream(kept.split("\\.", -1)).map(MailDomain::label).collect(Collectors.joining("."));
        return encoded.equals(normal) ? Set.of(normal) : Set.of(normal, encoded);
    }

    private static String label(String label) {
        return isAscii(label) ? label : "xn--" + Punycode.encoded(label);
    }

    private static String plain(String domain, boolean keepsJoiners) {
        StringBuilder seen = new StringBuilder(domain.length());
        compatible(domain)
                .codePoints()
                .filter(c -> !isUnseen(c) || keepsJoiners && (c == JOINER || c == NON_JOINER))
                .forEach(seen::appendCodePoint);
        String lower = POINTS.matcher(seen).replaceAll(".").toLowerCase(Locale.ROOT);
        return withoutPoints(compatible(lower)); // what stood apart composes
    }

    private static String compatible(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFKC);
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    private static boolean isTooLong(String domain) {
        return domain.length() > MAX_CHARS || hasLongLabel(domain);
    }

    /** The address with each {@linkplain #forms form} of its domain, and its local part in lower case. */
    public static Set<String> addressForms(String address) {
        int at = address.lastIndexOf('@');
        String local = address.substring(0, at + 1).toLowerCase(Locale.ROOT);
        return forms(address.substring(at + 1)).stream().map(local::concat).collect(Collectors.toUnmodifiableSet());
    }

    /** The address with its domain in {@linkplain #normal normal form}, and its local part in lower case. */
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
