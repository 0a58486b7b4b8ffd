package dev.veilgate.cli;

import dev.veilgate.files.DurableFiles;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Where a command writes: a file that appears when it is whole, or standard output, binary never to a terminal. */
final class Output {
    static final String STANDARD = "-";

    private Output() {}

    /** What is done with the stream. */
    @FunctionalInterface
    interface Work {
        void write(OutputStream out) throws Exception;
    }

    /**
     * Runs the work with the stream of a name.
     *
     * @param name a file, or "-" or null for standard output
     */
    static void to(Terminal terminal, @Nullable String name, boolean binary, Work work) throws Exception {
        if (name == null || name.equals(STANDARD)) {
            requireNoTerminal(terminal, name, binary);
            work.write(terminal.out());
            terminal.out().flush();
            if (terminal.out().checkError()) {
                throw new CommandFailure(ExitCode.IO, "standard output was closed");
            }
            return;
        }
        Path file = Path.of(name).toAbsolutePath();
        if (Files.exists(file) && !Files.isRegularFile(file)) { // a named pipe, /dev/null
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
                work.write(out);
            }
            return;
        }
        Path folder = DurableFiles.folderOf(file);
        // with the permissions that the user's umask gives
        Path aside = folder.resolve("." + file.getFileName() + "~" + UUID.randomUUID() + ".tmp");
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(aside), 1 << 16)) {
                work.write(new FilterOutputStream(out) {
                    @Override
                    public void write(byte[] bytes, int from, int length) throws IOException {
                        out.write(bytes, from, length);
                    }

                    @Override
                    public void close() {
                        // closed here, when everything was written
                    }
                });
            }
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    private static void requireNoTerminal(Terminal terminal, @Nullable String name, boolean binary)
            throws CommandFailure {
        if (binary && name == null && terminal.outIsTerminal()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "the output is binary, and this is a terminal; name a file with -o, or -o - if you mean it");
        }
    }
}
