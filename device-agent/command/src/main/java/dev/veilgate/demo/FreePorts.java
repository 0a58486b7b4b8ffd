package dev.veilgate.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback for programs that are started later. They are below those that systems give to whoever asks for any, so no other connection or server takes them
 * meanwhile.
 */
public final class FreePorts {
    private static final int FIRST = 26_000;
    private static final int END = 32_000; // Linux gives away 32768 to 60999

    private static final Set<Integer> CHOSEN = ConcurrentHashMap.newKeySet();

    private FreePorts() {}

    /**
     * Different ones, and other ones at each call.
     *
     * @throws IOException if there are not so many
     */
    public static int[] choose(int count) throws IOException {
        int[] chosen = new int[count];
        int found = 0;
        for (int tried = 0; tried < END - FIRST && found < count; tried++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (CHOSEN.add(port) && isFree(port)) {
                chosen[found++] = port;
            }
        }
        if (found < count) {
            throw new IOException("no port between " + FIRST + " and " + END + " is free");
        }
        return chosen;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
