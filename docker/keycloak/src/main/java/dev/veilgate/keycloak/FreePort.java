package dev.veilgate.keycloak;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback for servers that tests start later, or again. They are below those that systems give to whoever asks for any, so no other connection or server takes them
 * meanwhile.
 */
public final class FreePort {
    private static final int FIRST = 20_000;
    private static final int END = 32_000; // Linux gives away 32768 to 60999

    private static final Set<Integer> CHOSEN = ConcurrentHashMap.newKeySet();

    private FreePort() {}

    /** Another one at each call. */
    public static int choose() {
        for (int tried = 0; tried < END - FIRST; tried++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (CHOSEN.add(port) && isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no port is free");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
