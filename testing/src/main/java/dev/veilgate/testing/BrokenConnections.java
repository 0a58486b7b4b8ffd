package dev.veilgate.testing;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * Connections to a port of TLS on this machine that end before a handshake is done: without a byte, in the middle of a
 * ClientHello, after bytes that are none, and by a reset. For tests of servers in the same process, which must not keep
 * file descriptors of them.
 */
public final class BrokenConnections {
    /** The record and the beginning of a ClientHello of 512 bytes (RFC 8446, 4.1.2). */
    private static final byte[] HALF_A_CLIENT_HELLO = {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3, 0, 0};

    private BrokenConnections() {}

    /**
     * Opens connections one after another, and ends each.
     *
     * @param number of them, in turns of the four kinds
     */
    public static void open(int port, int number) throws IOException {
        open(InetAddress.getLoopbackAddress(), port, number);
    }

    /**
     * Opens connections one after another from an address of this machine, and ends each.
     *
     * @param from   such as 127.0.0.2, all of 127.0.0.0/8 being this machine's on Linux
     * @param number of them, in turns of the four kinds
     */
    public static void open(InetAddress from, int port, int number) throws IOException {
        for (int i = 0; i < number; i++) {
            try (Socket socket = new Socket()) {
                socket.setReuseAddress(true); // ports of connections that have ended are good enough
                socket.bind(new InetSocketAddress(from, 0));
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                switch (i % 4) {
                    case 0 -> {}
                    case 1 -> socket.getOutputStream().write(HALF_A_CLIENT_HELLO);
                    case 2 -> socket.getOutputStream().write(new byte[300]);
                    default -> socket.setSoLinger(true, 0);
                }
            }
        }
    }

    /** Opens a connection from an address of this machine, and ends it at once by a reset. */
    public static void reset(InetAddress from, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(from, 0));
            socket.setSoLinger(true, 0);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }
    }

    /** Open file descriptors of this process; Linux only. */
    public static int descriptors() {
        String[] open = new File("/proc/self/fd").list();
        if (open == null) {
            throw new IllegalStateException("there is no /proc/self/fd");
        }
        return open.length;
    }

    /**
     * Waits until the process has fewer descriptors, as a server hears of ends a little later, and gives their number.
     *
     * @param enough a number below which it does not wait any longer
     */
    public static int descriptorsBelow(int enough) throws InterruptedException {
        int open = descriptors();
        for (int i = 0; i < 1200 && open >= enough; i++) {
            Thread.sleep(50);
            open = descriptors();
        }
        return open;
    }
}
