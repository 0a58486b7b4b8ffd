package dev.veilgate.application.connection;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;

/** Names of clients that did not log in, and of their networks, by which they are counted. */
public final class ClientAddress {
    private ClientAddress() {}

    /**
     * Name of a client in hexadecimal: an IPv4 address, or 64 bits of an IPv6 address, all of which one client can
     * have.
     */
    public static String client(InetAddress address) {
        byte[] bytes = address.getAddress();
        return HexFormat.of().formatHex(bytes, 0, address instanceof Inet6Address ? 8 : bytes.length);
    }

    /** 24 bits of an IPv4 address, 48 of an IPv6 address: who has one client of it often has all. In hexadecimal. */
    public static String network(InetAddress address) {
        return HexFormat.of().formatHex(address.getAddress(), 0, address instanceof Inet6Address ? 6 : 3);
    }

    /** The same as {@link #network} to be read: {@code 192.0.2.0/24}. */
    public static String networkText(InetAddress address) {
        int bytes = address instanceof Inet6Address ? 6 : 3;
        byte[] all = address.getAddress();
        Arrays.fill(all, bytes, all.length, (byte) 0);
        try {
            return InetAddress.getByAddress(all).getHostAddress() + "/" + bytes * Byte.SIZE;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }
}
