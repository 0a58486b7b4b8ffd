package dev.veilgate.gateway.ingest.sender;

/**
 * Punycode (RFC 3492), the encoding of a label of a domain name in ASCII: the runtime's encodes by IDNA of 2003 only,
 * which has no {@code \u00df}. Encodes alone. Time is the square of the length, so labels are short.
 */
final class Punycode {
    private static final int BASE = 36;
    private static final int LEAST = 1;
    private static final int MOST = 26;
    private static final int SKEW = 38;
    private static final int DAMP = 700;
    private static final int FIRST_BIAS = 72;
    private static final int FIRST_POINT = 0x80;

    private Punycode() {}

    /**
     * The label without the prefix {@code xn--}.
     *
     * @param label with a character that is not ASCII, {@value MailDomain#MAX_LABEL} characters at most
     */
    static String encoded(String label) {
        int[] points = label.codePoints().toArray();
        StringBuilder out = new StringBuilder();
        label.chars().filter(c -> c < FIRST_POINT).forEach(c -> out.append((char) c));
        int basic = out.length();
        if (basic > 0) {
            out.append('-');
        }
        int bias = FIRST_BIAS;
        int delta = 0;
        int point = FIRST_POINT;
        for (int handled = basic; handled < points.length; ) {
            int next = least(points, point);
            delta += (next - point) * (handled + 1);
            point = next;
            for (int each : points) {
                if (each < point) {
                    delta++;
                } else if (each == point) {
                    append(out, delta, bias);
                    handled++;
                    bias = adapted(delta, handled, handled == basic + 1);
                    delta = 0;
                }
            }
            delta++;
            point++;
        }
        return out.toString();
    }

    private static int least(int[] points, int from) {
        int least = Integer.MAX_VALUE;
        for (int each : points) {
            least = each >= from ? Math.min(least, each) : least;
        }
        return least;
    }

    /** A number in digits of varying bases, the least first. */
    private static void append(StringBuilder out, int number, int bias) {
        int left = number;
        for (int k = BASE; ; k += BASE) {
            int threshold = Math.clamp(k - bias, LEAST, MOST);
            if (left < threshold) {
                out.append(digit(left));
                return;
            }
            out.append(digit(threshold + (left - threshold) % (BASE - threshold)));
            left = (left - threshold) / (BASE - threshold);
        }
    }

    private static char digit(int value) {
        return Character.forDigit((value + 10) % BASE, BASE); // a to z, then 0 to 9
    }

    private static int adapted(int delta, int points, boolean isFirst) {
        int left = isFirst ? delta / DAMP : delta / 2;
        left += left / points;
        int k = 0;
        while (left > (BASE - LEAST) * MOST / 2) {
            left /= BASE - LEAST;
            k += BASE;
        }
        return k + (BASE - LEAST + 1) * left / (left + SKEW);
    }
}
