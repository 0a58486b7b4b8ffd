package dev.veilgate.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A file system of its own, in memory, that a test can fill to the last byte or make read-only. Root may mount one, or
 * who may call sudo without a password: else it fails, and says so.
 */
public final class SmallDisk implements AutoCloseable {
    private final Path folder;
    private final Thread hook = new Thread(this::unmount);

    /** @param megabytes that it holds */
    public SmallDisk(int megabytes) throws IOException {
        folder = Files.createTempDirectory("veilgate-disk");
        try {
            runAsRoot("mount", "-t", "tmpfs", "-o", "mode=0777,size=" + megabytes + "m", "tmpfs", folder.toString());
        } catch (IOException e) {
            Files.delete(folder);
            throw new IOException(
                    "a full disk is tested on a file system of its own, which only root can mount: run the tests as"
                            + " root, or allow sudo without a password",
                    e);
        }
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Where it is mounted. */
    public Path folder() {
        return folder;
    }

    /** Takes all that is free. */
    public void fill() throws IOException {
        byte[] block = new byte[1 << 16];
        try (OutputStream filler = Files.newOutputStream(filler())) {
            for (int size = block.length; size > 0; size /= 2) {
                fillWith(filler, block, size);
            }
        }
    }

    private static void fillWith(OutputStream filler, byte[] block, int size) {
        try {
            while (true) {
                filler.write(block, 0, size);
            }
        } catch (IOException full) {
            // as it should be
        }
    }

    /** Gives back what {@link #fill} took. */
    public void free() throws IOException {
        Files.deleteIfExists(filler());
    }

    /** Whether nobody can write, not even root. */
    public void readOnly(boolean is) throws IOException {
        runAsRoot("mount", "-o", is ? "remount,ro" : "remount,rw", folder.toString());
    }

    private Path filler() {
        return folder.resolve("of-somebody-else");
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(hook);
        unmount();
    }

    private void unmount() {
        try {
            runAsRoot("umount", "--lazy", folder.toString());
            deleteWithWhatIsWrittenStill();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A program that was not waited for may make folders anew where the disk was. */
    private void deleteWithWhatIsWrittenStill() throws IOException {
        for (int tries = 100; ; tries--) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
                return;
            } catch (DirectoryNotEmptyException | UncheckedIOException e) {
                if (tries == 0) {
                    throw e;
                }
                LockSupport.parkNanos(100_000_000);
            }
        }
    }

    private static void runAsRoot(String... command) throws IOException {
        try {
            run(List.of(command));
        } catch (IOException notRoot) {
            List<String> asRoot = new ArrayList<>(List.of("sudo", "-n"));
            asRoot.addAll(List.of(command));
            try {
                run(asRoot);
            } catch (IOException e) {
                notRoot.addSuppressed(e);
                throw notRoot;
            }
        }
    }

    private static void run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + ": " + said.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
