package dev.veilgate.agent.paths;

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
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Functions of Linux that Java has no names for: a descriptor of a name, whatever it stands for, without opening
 * that.
 */
@SuppressWarnings("restricted") // calls of the system are what this class is for
final class LibC {
    /** In place of a folder: none, the name is absolute. */
    static final int NO_FOLDER = -100;

    private static final int O_PATH = 0x20_0000;
    private static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x8_0000;
    private static final int MOST_LINK_BYTES = 4096;
    private static final int AT_EMPTY_PATH = 0x1000;
    /** Size of struct statx, which is laid out alike on all processors. */
    private static final int STATX_BYTES = 256;

    private static final int STATX_BASIC = 0x7FF;
    private static final int STATX_BORN = 0x800;
    private static final int NOT_THERE = 2;
    private static final int NOT_ALLOWED = 13;
    private static final @Nullable LibC INSTANCE = load();

    private final int noFollow;
    private final StructLayout state = Linker.Option.captureStateLayout();
    private final VarHandle errno = state.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private final MethodHandle openAt;
    private final MethodHandle readLinkAt;
    private final MethodHandle close;
    private final MethodHandle statX;

    private LibC(int noFollow) {
        Linker linker = Linker.nativeLinker();
        Linker.Option captured = Linker.Option.captureCallState("errno");
        this.noFollow = noFollow;
        this.openAt = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("openat"),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT),
                captured,
                Linker.Option.firstVariadicArg(3));
        this.readLinkAt = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("readlinkat"),
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG),
                captured);
        this.statX = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("statx"),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS));
        this.close = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    }

    /** Null where there is no Linux of a known processor, or Java may not call it. */
    static @Nullable LibC instance() {
        return INSTANCE;
    }

    private static @Nullable LibC load() {
        int noFollow = switch (System.getProperty("os.arch").toLowerCase(Locale.ROOT)) {
            case "amd64", "riscv64", "s390x", "loongarch64" -> 0x2_0000;
            case "aarch64", "ppc64le" -> 0x8000;
            default -> 0;
        };
        if (noFollow == 0 || !System.getProperty("os.name").equals("Linux")) {
            return null;
        }
        try {
            return new LibC(noFollow);
        } catch (RuntimeException | LinkageError e) {
            return null; // no native access
        }
    }

    /**
     * A descriptor of what a name in a folder stands for: of a link itself, and not of what it leads to. Nothing is
     * opened, so nothing blocks and no device notices.
     *
     * @param folder a descriptor, or {@link #NO_FOLDER}
     * @param shown  the name, for errors
     */
    int descriptor(int folder, byte[] name, String shown) throws IOException {
        return open(folder, name, O_PATH | O_CLOEXEC | noFollow, shown);
    }

    /**
     * Opens a file for reading without waiting for anybody, such as for whoever has a lease on it, fcntl(2), as each
     * owner of a file may.
     *
     * @param name absolute
     * @throws FileSystemException if others would be waited for; they are asked to let go
     */
    int openAtOnce(byte[] name, String shown) throws IOException {
        return open(NO_FOLDER, name, O_NONBLOCK | O_CLOEXEC, shown);
    }

    private int open(int folder, byte[] name, int flags, String shown) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment failure = arena.allocate(state);
            int descriptor = (int) openAt.invokeExact(failure, folder, text(arena, name), flags);
            if (descriptor < 0) {
                throw failed((int) errno.get(failure, 0L), shown);
            }
            return descriptor;
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // of a downcall there is no other
        }
    }

    /**
     * Type, owner and rights of what a descriptor is of; null if the system does not say it so, as under some filters
     * of calls.
     */
    @Nullable
    Inode inode(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment is = arena.allocate(STATX_BYTES, Long.BYTES);
            int failed = (int) statX.invokeExact(
                    descriptor, text(arena, new byte[0]), AT_EMPTY_PATH, STATX_BASIC | STATX_BORN, is);
            if (failed != 0) {
                return null;
            }
            boolean known = (is.get(JAVA_INT, 0) & STATX_BORN) != 0;
            return new Inode(
                    device(is.get(JAVA_INT, 136), is.get(JAVA_INT, 140)),
                    is.get(JAVA_LONG, 32),
                    is.get(JAVA_INT, 20),
                    Short.toUnsignedInt(is.get(JAVA_SHORT, 28)),
                    is.get(JAVA_INT, 16),
                    known ? is.get(JAVA_LONG, 80) * 1_000_000_000 + is.get(JAVA_INT, 88) : 0);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** The number of a device, of two as makedev(3) has it. */
    private static long device(int major, int minor) {
        return (major & 0xFFFF_F000L) << 32 | (major & 0xFFFL) << 8 | (minor & 0xFFFF_FF00L) << 12 | minor & 0xFFL;
    }

    /** To where a link leads. */
    byte[] linkTarget(int link, String shown) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment failure = arena.allocate(state);
            MemorySegment target = arena.allocate(MOST_LINK_BYTES);
            long length = (long)
                    readLinkAt.invokeExact(failure, link, text(arena, new byte[0]), target, (long) MOST_LINK_BYTES);
            if (length < 0 || length >= MOST_LINK_BYTES) {
                throw failed((int) errno.get(failure, 0L), shown);
            }
            return target.asSlice(0, length).toArray(JAVA_BYTE);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    void close(int descriptor) {
        try {
            int ignored = (int) close.invokeExact(descriptor); // nothing was written
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static MemorySegment text(Arena arena, byte[] bytes) {
        MemorySegment text = arena.allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, text, JAVA_BYTE, 0, bytes.length);
        return text;
    }

    private static IOException failed(int error, String shown) {
        return switch (error) {
            case NOT_THERE -> new NoSuchFileException(shown);
            case NOT_ALLOWED -> new AccessDeniedException(shown);
            default -> new FileSystemException(shown, null, "error " + error + " of the system");
        };
    }
}
