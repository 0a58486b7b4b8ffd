package dev.veilgate.extract;

import java.nio.charset.StandardCharsets;

/** IP addresses in lower-case text: where they end, and their canonical form (RFC 5952). */
public final class IpAddresses {
    /** Most bytes of a canonical form. */
    public static final int MAX_TEXT_BYTES = 48;

    private static final int MAX_IP6_BYTES = 64;
    private static final int[] NONE = {};

    private IpAddresses() {}

    /** Where four numbers of 0 to 255 without leading zeros, with points between them, end; 0 if they do not begin here. */
    static int endOfIp4(byte[] text, int at, int to) {
        int end = at;
        for (int part = 0; part < 4; part++) {
            if (part > 0) {
                if (end >= to || text[end] != '.') {
                    return 0;
                }
                end++;
            }
            int first = end;
            int value = 0;
            while (end < to && end - first < 4 && text[end] >= '0' && text[end] <= '9') {
                value = 10 * value + text[end++] - '0';
            }
            if (end == first || value > 255 || text[first] == '0' && end - first > 1 || end - first > 3) {
                return 0;
            }
        }
        return end;
    }

    static boolean isHex(byte[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (hex(text[i]) < 0) {
                return false;
            }
        }
        return true;
    }

    private static int hex(byte b) {
        return b >= '0' && b <= '9' ? b - '0' : b >= 'a' && b <= 'f' ? b - 'a' + 10 : -1;
    }

    /**
     * Where what may be an IPv6 address ends: behind hexadecimal digits, colons and points, without a colon or point at its end that does not belong to it,
     * and without the port of an address that has all eight parts. 0 if it cannot be one.
     */
    static int endOfIp6(byte[] text, int at, int to) {
        int end = at;
        int colons = 0;
        int eighth = 0;
        int limit = Math.min(to, at + MAX_IP6_BYTES);
        boolean digit = false;
        boolean shortened = false;
        while (end < limit) {
            byte b = text[end];
            if (b == ':') {
                colons++;
                shortened |= end > at && text[end - 1] == ':';
                eighth = colons == 8 ? end : eighth;
            } else if (b != '.' && hex(b) < 0) {
                break;
            }
            digit |= b >= '0' && b <= '9';
            end++;
        }
        if (!digit || colons < 2 || !shortened && colons < 6) {
            return 0;
        }
        if (colons == 8 && !shortened) {
            return eighth;
        }
        while (end > at && (text[end - 1] == '.' || text[end - 1] == ':' && text[end - 2] != ':')) {
            end--;
        }
        return end;
    }

    /**
     * Writes the canonical form of an IPv6 address.
     *
     * @return its length, or 0 if the text is no address
     */
    static int canonicalIp6(byte[] text, int from, int to, byte[] out) {
        int[] parts = ip6(text, from, to);
        return parts.length == 0 ? 0 : write(parts, out);
    }

    /** The eight parts of an IPv6 address; none if the text is no address. */
    static int[] ip6(byte[] text, int from, int to) {
        int[] parts = new int[8];
        int gap = -1;
        int count = 0;
        int at = from;
        if (to - from >= 2 && text[from] == ':' && text[from + 1] == ':') {
            gap = 0;
            at = from + 2;
        }
        while (at < to) {
            int dotted = count <= 6 ? endOfIp4(text, at, to) : 0;
            if (dotted == to) {
                int value = ip4(text, at, to);
                parts[count++] = value >>> 16;
                parts[count++] = value & 0xffff;
                break;
            }
            int end = endOfPart(text, at, to);
            boolean goesOn = end + 1 < to && text[end] == ':';
            if (end == 0 || count == 8 || end < to && !goesOn) {
                return NONE;
            }
            parts[count++] = Integer.parseInt(new String(text, at, end - at, StandardCharsets.US_ASCII), 16);
            at = end + 1;
            if (goesOn && text[at] == ':') {
                if (gap >= 0) {
                    return NONE;
                }
                gap = count;
                at++;
            }
        }
        return (gap < 0 ? count != 8 : count > 7) ? NONE : expanded(parts, count, gap);
    }

    /**
     * Writes an IPv6 network, {@code 2001:db8::/32}; returns the length.
     *
     * @param bits 1 to 128
     */
    static int network6(int[] address, int bits, byte[] out) {
        int[] masked = new int[8];
        for (int i = 0; i < 8; i++) {
            int ofPart = Math.clamp(bits - 16L * i, 0, 16);
            masked[i] = address[i] & 0xffff << 16 - ofPart & 0xffff;
        }
        int at = write(masked, out);
        out[at++] = '/';
        return decimal(bits, out, at);
    }

    /** Behind one to four hexadecimal digits; 0 if there are none, or more. */
    private static int endOfPart(byte[] text, int at, int to) {
        int end = at;
        while (end < to && end - at < 5 && hex(text[end]) >= 0) {
            end++;
        }
        return end == at || end - at > 4 ? 0 : end;
    }

    private static int[] expanded(int[] parts, int count, int gap) {
        if (gap < 0) {
            return parts;
        }
        int[] all = new int[8];
        System.arraycopy(parts, 0, all, 0, gap);
        System.arraycopy(parts, gap, all, 8 - (count - gap), count - gap);
        return all;
    }

    private static int write(int[] parts, byte[] out) {
        boolean mapped = parts[5] == 0xffff && (parts[0] | parts[1] | parts[2] | parts[3] | parts[4]) == 0;
        int last = mapped ? 6 : 8;
        int gap = -1;
        int gapLength = 1; // one zero is not shortened
        for (int i = 0; i < last; i++) {
            int end = i;
            while (end < last && parts[end] == 0) {
                end++;
            }
            if (end - i > gapLength) {
                gap = i;
                gapLength = end - i;
            }
        }
        StringBuilder text = new StringBuilder(MAX_TEXT_BYTES);
        for (int i = 0; i < last; i++) {
            if (i == gap) {
                text.append("::");
                i += gapLength - 1;
            } else {
                text.append(i == 0 || i == gap + gapLength && gap >= 0 ? "" : ":")
                        .append(Integer.toHexString(parts[i]));
            }
        }
        if (mapped) {
            text.append(':').append(parts[6] >> 8).append('.').append(parts[6] & 0xff);
            text.append('.').append(parts[7] >> 8).append('.').append(parts[7] & 0xff);
        }
        byte[] ascii = text.toString().getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(ascii, 0, out, 0, ascii.length);
        return ascii.length;
    }

    /** The bits of an IPv4 address. */
    static int ip4(byte[] text, int from, int to) {
        int value = 0;
        int part = 0;
        for (int i = from; i < to; i++) {
            if (text[i] == '.') {
                value = value << 8 | part;
                part = 0;
            } else {
                part = 10 * part + text[i] - '0';
            }
        }
        return value << 8 | part;
    }

    /** Writes an IPv4 network, {@code 10.0.0.0/8}; returns the length. */
    static int network(int address, int bits, byte[] out) {
        int masked = address & -1 << 32 - bits;
        int at = 0;
        for (int shift = 24; shift >= 0; shift -= 8) {
            at = decimal(masked >>> shift & 0xff, out, at);
            out[at++] = (byte) (shift > 0 ? '.' : '/');
        }
        return decimal(bits, out, at);
    }

    private static int decimal(int value, byte[] out, int at) {
        int next = at;
        if (value >= 100) {
            out[next++] = (byte) ('0' + value / 100);
        }
        if (value >= 10) {
            out[next++] = (byte) ('0' + value / 10 % 10);
        }
        out[next++] = (byte) ('0' + value % 10);
        return next;
    }

    /** The canonical form of an address in folded text, IPv4 or IPv6; empty if it is none. */
    static String canonical(String folded) {
        byte[] text = folded.getBytes(StandardCharsets.UTF_8);
        if (endOfIp4(text, 0, text.length) == text.length) {
            return folded;
        }
        byte[] out = new byte[MAX_TEXT_BYTES];
        int length = text.length <= MAX_IP6_BYTES ? canonicalIp6(text, 0, text.length, out) : 0;
        return new String(out, 0, length, StandardCharsets.US_ASCII);
    }
}
