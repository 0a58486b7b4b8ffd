package dev.veilgate.extract.mail;

import com.ibm.icu.text.IDNA;
import dev.veilgate.envelope.smime.InvisibleCharacters;
import dev.veilgate.extract.KeywordText;
import java.net.IDN;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Internationalised domain names (UTS 46, non-transitional, as browsers and mail programs read them): the spellings of a domain in Unicode and in ASCII ({@code xn--}) are one.
 *
 * <p>It reads what anybody wrote, and is lenient: the rules of bidirectional text, joiners, hyphens and underscores forbid nothing, since whoever looks for an address has seen it. A label that is none (not Punycode, or of what no
 * label has; longer than DNS has), or a name that is none, stays as it is. Nothing throws, and the time is linear in the length of the name.
 */
public final class DomainName {
    private static final String ACE = "xn--";
    private static final int LONGEST_LABEL = 63;
    /** Four times as much as DNS has, for characters that are shorter there. Beyond it is no name. */
    private static final int LONGEST_CHARS = 1012;
    /** As code points of the supplementary planes have two of them. */
    private static final int LONGEST_LABEL_CHARS = 2 * LONGEST_LABEL;

    private static final char IDEOGRAPHIC_STOP = '\u3002';
    private static final Pattern STOPS = Pattern.compile("[.\u3002\uff0e\uff61]");

    private DomainName() {}

    /** Loaded with the first name that needs it: in most mails none does. */
    private static final class Rules {
        static final IDNA UTS46 =
                IDNA.getUTS46Instance(IDNA.NONTRANSITIONAL_TO_ASCII | IDNA.NONTRANSITIONAL_TO_UNICODE);
    }

    /** The form in which domains are compared: in Unicode, folded as all values are. It does not change when it is taken again. */
    static String comparable(String domain) {
        String folded = KeywordText.fold(domain);
        if (isAscii(folded) && !folded.contains(ACE) || folded.length() > LONGEST_CHARS) {
            return folded;
        }
        String seen = KeywordText.fold(seen(folded)); // what stood apart may compose
        return labels(seen.replace(IDEOGRAPHIC_STOP, '.'), DomainName::unicode);
    }

    /** The form in which an earlier version, which knew IDNA 2003 only, compared the ASCII spelling; the same as {@link #comparable} for most. */
    static String comparableBefore(String domain) {
        String ascii = ascii(domain);
        return KeywordText.fold(ascii.length() > LONGEST_CHARS ? ascii : labels(ascii, DomainName::unicodeBefore));
    }

    /** The ASCII spelling, in lower case: what servers and certificates name. */
    public static String ascii(String domain) {
        return isAscii(domain) || domain.length() > LONGEST_CHARS
                ? domain.toLowerCase(Locale.ROOT)
                : labels(domain, DomainName::asciiLabel);
    }

    /** The same for the domain of an address. */
    public static String asciiOf(String address) {
        int at = address.lastIndexOf('@');
        return address.substring(0, at + 1) + ascii(address.substring(at + 1));
    }

    private static String labels(String domain, UnaryOperator<String> each) {
        return Arrays.stream(STOPS.split(domain, -1)).map(each).collect(Collectors.joining("."));
    }

    /** Without what UTS 46 ignores; joiners are part of a name. */
    private static String seen(String text) {
        return text.codePoints()
                .filter(c -> c == 0x200C || c == 0x200D || !InvisibleCharacters.isInvisible(c))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Of a folded label. */
    private static String unicode(String label) {
        if (!isAce(label)) {
            return label;
        }
        IDNA.Info info = new IDNA.Info();
        String read =
                Rules.UTS46.labelToUnicode(label, new StringBuilder(), info).toString();
        return info.hasErrors() ? label : KeywordText.fold(read);
    }

    private static String unicodeBefore(String label) {
        return isAce(label) ? IDN.toUnicode(label) : label;
    }

    private static String asciiLabel(String label) {
        if (isAscii(label) || label.length() > LONGEST_LABEL_CHARS) {
            return label.toLowerCase(Locale.ROOT);
        }
        IDNA.Info info = new IDNA.Info();
        String read = Rules.UTS46.labelToASCII(label, new StringBuilder(), info).toString();
        return info.hasErrors() ? label.toLowerCase(Locale.ROOT) : read;
    }

    private static boolean isAce(String label) {
        return label.startsWith(ACE) && label.length() <= LONGEST_LABEL && isAscii(label);
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }
}
