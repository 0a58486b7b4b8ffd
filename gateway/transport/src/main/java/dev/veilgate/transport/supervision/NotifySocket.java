package dev.veilgate.transport.supervision;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * The datagram socket of Linux on which systemd hears how its services are (sd_notify(3)). Java has no such sockets:
 * three functions of the C library send the messages. The program {@code systemd-notify} would be another process for
 * each message, which has often ended before systemd looks whose it was.
 */
@SuppressWarnings("restricted") // calls of the C library are what this class is for
final class NotifySocket {
    private static final short AF_UNIX = 1;
    private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
    private static final int MSG_DONTWAIT_NOSIGNAL = 0x40 | 0x4000;
    /** Error of a call that would have to wait. */
    private static final int EAGAIN = 11;
    /** Bytes of a path in {@code sockaddr_un}. */
    private static final int PATH_BYTES = 108;

    private final StructLayout state = Linker.Option.captureStateLayout();
    private final VarHandle errno = state.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private final MethodHandle socket;
    private final MethodHandle sendto;
    private final MethodHandle close;
    private final byte[] path;

    /**
     * A socket that others listen on.
     *
     * @param name a path, or {@code @} and a name of Linux's abstract space
     * @throws IOException if there is no such system, or a name that it cannot have
     */
    NotifySocket(String name) throws IOException {
        path = name.getBytes(StandardCharsets.UTF_8);
        if (path.length < 2 || path.length >= PATH_BYTES || path[0] != '/' && path[0] != '@') {
            throw new IOException("NOTIFY_SOCKET is neither a path nor a name: " + name);
        }
        if (!System.getProperty("os.name", "").equals("Linux")) {
            throw new IOException("NOTIFY_SOCKET is for Linux only");
        }
        if (path[0] == '@') {
            path[0] = 0;
        }
        try {
            socket = function("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
            sendto = function(
                    "sendto",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT),
                    Linker.Option.captureCallState("errno"));
            close = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        } catch (RuntimeException | LinkageError e) {
            throw new IOException("the C library cannot be called", e);
        }
    }

    private static MethodHandle function(String name, FunctionDescriptor types, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), types, options);
    }

    /**
     * Sends one message.
     *
     * @param text lines of {@code NAME=value}
     * @return false if whoever listens has more to read than the system keeps: later it may be taken
     * @throws IOException if nobody listens
     */
    boolean send(String text) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            byte[] message = text.getBytes(StandardCharsets.UTF_8);
            MemorySegment address = arena.allocate(Short.BYTES + PATH_BYTES, Short.BYTES);
            address.set(JAVA_SHORT, 0, AF_UNIX);
            MemorySegment.copy(path, 0, address, JAVA_BYTE, Short.BYTES, path.length);
            int descriptor = (int) socket.invokeExact((int) AF_UNIX, SOCK_DGRAM_CLOEXEC, 0);
            if (descriptor < 0) {
                throw new IOException("no socket of the kind of NOTIFY_SOCKET can be made");
            }
            MemorySegment failure = arena.allocate(state);
            long sent;
            try {
                sent = (long) sendto.invokeExact(
                        failure,
                        descriptor,
                        arena.allocateFrom(ValueLayout.JAVA_BYTE, message),
                        (long) message.length,
                        MSG_DONTWAIT_NOSIGNAL,
                        address,
                        Short.BYTES + path.length);
            } finally {
                int _ = (int) close.invokeExact(descriptor);
            }
            if (sent < 0 && (int) errno.get(failure, 0L) == EAGAIN) {
                return false;
            }
            if (sent != message.length) {
                throw new IOException("nobody takes messages at NOTIFY_SOCKET");
            }
            return true;
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IOException(e); // the functions throw nothing
        }
    }
}
