package dev.veilgate.proxy;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Clock;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/** How often each client may try passwords: a check costs much, and whoever guesses must not keep others waiting. Safe for use by several threads. */
final class LoginAttempts {
    /** Passwords of one client that were wrong within a minute of the clock; then it is told to come later. */
    static final int MAX_FAILED = 5;

    /** The same of a network: the first 24 bits of an IPv4 address, 48 of an IPv6 address. */
    static final int MAX_FAILED_OF_NETWORK = 20;

    /** Checks that wait or run: each holds a thread that serves other connections too. */
    private static final int MAX_WAITING = 12;

    /** Then only those who did not fail yet are let in. */
    private static final int MAX_WAITING_AFTER_FAILURE = 2;

    private final Clock clock;
    private final Map<String, Integer> failed = new HashMap<>();
    private long minute;
    private int waiting;

    LoginAttempts(Clock clock) {
        this.clock = clock;
    }

    /** What counts as one client: one can have all addresses of an IPv6 network. */
    private static String client(InetAddress address) {
        return start(address, address instanceof Inet6Address ? 8 : 4);
    }

    private static String network(InetAddress address) {
        return start(address, address instanceof Inet6Address ? 6 : 3);
    }

    private static String start(InetAddress address, int bytes) {
        return HexFormat.of().formatHex(address.getAddress(), 0, bytes);
    }

    /** Whether a password of this client may be checked now; then {@link #end} follows. */
    synchronized boolean begin(InetAddress address) {
        long now = clock.millis() / 60_000;
        if (now != minute) {
            failed.clear();
            minute = now;
        }
        int ofClient = failed.getOrDefault(client(address), 0);
        int ofNetwork = failed.getOrDefault(network(address), 0);
        if (ofClient >= MAX_FAILED
                || ofNetwork >= MAX_FAILED_OF_NETWORK
                || waiting >= (ofClient == 0 ? MAX_WAITING : MAX_WAITING_AFTER_FAILURE)) {
            return false;
        }
        waiting++;
        return true;
    }

    /** The check is over. */
    synchronized void end(InetAddress address, boolean matched) {
        waiting--;
        if (!matched) {
            failed.merge(client(address), 1, Integer::sum);
            failed.merge(network(address), 1, Integer::sum);
        }
    }
}
