package dev.veilgate.gateway.ingest;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;

/** What counts as one client, and as one network, when clients that did not log in are counted. */
public final class ClientAddress {
    private ClientAddress() {}

    /** One IPv4 address, or 64 bits of an IPv6 address, all of which one client can have. In hexadecimal. */
    public static String client(InetAddress address) {
        byte[] bytes = address.getAddress();
        return HexFormat.of().formatHex(bytes, 0, address instanceof Inet6Address ? 8 : bytes.length);
    }

    /** 24 bits of an IPv4 address, 48 of an IPv6 address: who has one client of it often has all. In hexadecimal. */
    public static String network(InetAddress address) {
        return HexFormat.of().formatHex(address.getAddress(), 0, address instanceof Inet6Address ? 6 : 3);
    }
}
