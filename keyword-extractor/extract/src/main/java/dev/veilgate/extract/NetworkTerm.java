package dev.veilgate.extract;

import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A network that a query asks for, {@code 10.0.0.0/8} or {@code 2001:db8::/32}: by the keyword of networks of its
 * length, or, where records have none of that length, by those of all networks or addresses in it.
 */
final class NetworkTerm {
    private static final Pattern TEXT = Pattern.compile("([0-9a-f:.]{2,45})/([0-9]{1,3})");

    /**
     * Bits by which a length that is indexed may be longer than the one that is asked for: so many keywords to the
     * power of two.
     */
    private static final int MOST_BITS = 7;

    private final int[] parts;
    private final int bits;
    private final boolean isIp4;

    private NetworkTerm(int[] parts, int bits, boolean isIp4) {
        this.parts = parts;
        this.bits = bits;
        this.isIp4 = isIp4;
    }

    /** Whether a text has the form of a network. */
    static boolean isNetwork(String folded) {
        return of(folded) != null;
    }

    /** The network that a text is; null if it is none. */
    static @Nullable NetworkTerm of(String folded) {
        Matcher network = TEXT.matcher(folded);
        if (!network.matches()) {
            return null;
        }
        byte[] address = network.group(1).getBytes(StandardCharsets.US_ASCII);
        int bits = Integer.parseInt(network.group(2));
        if (IpAddresses.endOfIp4(address, 0, address.length) == address.length) {
            int ip4 = IpAddresses.ip4(address, 0, address.length);
            return bits > 32 ? null : new NetworkTerm(new int[] {ip4 >>> 16, ip4 & 0xffff}, bits, true);
        }
        int[] ip6 = IpAddresses.ip6(address, 0, address.length);
        return bits > 128 || ip6.length == 0 ? null : new NetworkTerm(ip6, bits, false);
    }

    /**
     * Keywords of which one must be there.
     *
     * @return empty if the profile has no networks by which it can be found
     */
    List<Keyword> keywords(ExtractorProfile profile) {
        int whole = isIp4 ? 32 : 128;
        if (!isAsked(bits, lengths(profile), whole)) {
            return List.of();
        }
        int length = indexed(bits, lengths(profile), whole);
        List<Keyword> anyOf = new ArrayList<>();
        for (int i = 0; i < 1 << length - bits; i++) {
            anyOf.add(keyword(within(length, i), length));
        }
        return anyOf;
    }

    /** The shortest length that is indexed and not shorter than some bits. */
    private static int indexed(int bits, SortedSet<Integer> lengths, int whole) {
        return lengths.stream().filter(length -> length >= bits).findFirst().orElse(whole);
    }

    /** Whether networks of some bits can be asked for. */
    static boolean isAsked(int bits, SortedSet<Integer> lengths, int whole) {
        return bits > 0 && indexed(bits, lengths, whole) - bits <= MOST_BITS;
    }

    /** The address of the network of some length that is in this one, counted from 0. */
    private int[] within(int length, int number) {
        int[] address = parts.clone();
        for (int bit = 0; bit < address.length * 16; bit++) {
            int mask = 0x8000 >>> bit % 16;
            boolean isSet = bit < bits
                    ? (address[bit / 16] & mask) != 0
                    : bit < length && (number >>> length - 1 - bit & 1) != 0;
            address[bit / 16] = isSet ? address[bit / 16] | mask : address[bit / 16] & ~mask;
        }
        return address;
    }

    private Keyword keyword(int[] address, int length) {
        byte[] text = new byte[IpAddresses.MAX_TEXT_BYTES];
        if (isIp4) {
            int written = IpAddresses.network(address[0] << 16 | address[1], length, text);
            String network = new String(text, 0, written, StandardCharsets.US_ASCII);
            return length == 32
                    ? Keyword.text("ip", network.substring(0, network.indexOf('/')))
                    : Keyword.text("ip-prefix", network);
        }
        int written = IpAddresses.network6(address, length, text);
        String network = new String(text, 0, written, StandardCharsets.US_ASCII);
        return length == 128
                ? Keyword.text("ip", network.substring(0, network.indexOf('/')))
                : Keyword.text("ip-prefix", network);
    }

    private SortedSet<Integer> lengths(ExtractorProfile profile) {
        return isIp4 ? profile.ipPrefixes() : profile.ip6Prefixes();
    }

    /** Which networks can be asked for. */
    String lengthsOf(ExtractorProfile profile) {
        SortedSet<Integer> lengths = lengths(profile);
        int whole = isIp4 ? 32 : 128;
        String ofFewer = " and those that are at most " + (1 << MOST_BITS) + " of them or of addresses";
        return lengths.isEmpty()
                ? "it indexes whole addresses only, of which at most " + (1 << MOST_BITS) + " are asked for: /"
                        + (whole - MOST_BITS) + " to /" + whole
                : "it indexes those of "
                        + lengths.stream().map(String::valueOf).collect(Collectors.joining(", "))
                        + " bits," + ofFewer;
    }
}
