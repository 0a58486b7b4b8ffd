package dev.veilgate.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback interface for servers that tests start later, or again.
 *
 * <p>A port is reserved until the JVM that chose it ends: a lock on a file in the temporary folder keeps the other test JVMs of this user from choosing it. Ports are below the range
 * from which the system takes ports for connections and for servers that ask for any (Linux: 32768 to 60999), and below those of the demonstration, so nothing else takes them before
 * the server starts.
 */
public final class FreePort {
    private static final int FIRST = 20_000;
    private static final int END = 26_000; // the demonstration takes its ports from here on

    /** Open, and so locked, until the JVM ends. */
    private static final Map<Integer, FileChannel> RESERVATIONS = new HashMap<>();

    private FreePort() {}

    /**
     * Reserves a port that no server listens on, another one at each call.
     *
     * @throws IllegalStateException if all are taken
     */
    public static synchronized int choose() {
        Path folder =
                Path.of(System.getProperty("java.io.tmpdir"), "veilgate-test-ports-" + System.getProperty("user.name"));
        try {
            Files.createDirectories(folder);
            for (int tried = 0; tried < END - FIRST; tried++) {
                int port = ThreadLocalRandom.current().nextInt(FIRST, END);
                if (reserve(folder, port) && isFree(port)) {
                    return port;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("no port from " + FIRST + " to " + (END - 1) + " is free");
    }

    /**
     * A lock ends with its process, also with one that is killed. A file that this JVM has locked is not opened again: on POSIX systems closing any of its channels would end the lock.
     */
    private static boolean reserve(Path folder, int port) throws IOException {
        if (RESERVATIONS.containsKey(port)) {
            return false;
        }
        FileChannel channel = FileChannel.open(
                folder.resolve(Integer.toString(port)), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (channel.tryLock() == null) {
            channel.close();
            return false;
        }
        RESERVATIONS.put(port, channel);
        return true;
    }

    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
