package dev.veilgate.cli;

import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Parameters;

/** The envelopes that a command is given: files and pipes of one or many, folders of such files in the order of their names. */
final class EnvelopeSource {
    static final String DESCRIPTION =
            "Files of one envelope or many, folders of such files, or - for standard input, which is also the default.";

    @Parameters(arity = "0..*", paramLabel = "ENVELOPES", description = DESCRIPTION)
    private List<String> names = new ArrayList<>();

    /** Whether any are named; otherwise standard input is read. */
    boolean isNamed() {
        return !names.isEmpty();
    }

    /** What is done with each envelope. */
    @FunctionalInterface
    interface Each {
        /** @param source the file, and the envelope's place in it */
        void envelope(String source, byte[] bytes) throws Exception;

        /** How many envelopes are read ahead of the one that something is done with. */
        default int ahead() {
            return 0;
        }

        /** An envelope was read; its turn comes later. */
        default void comes(byte[] bytes) {}
    }

    /**
     * Goes on behind what is refused: an envelope that is malformed or does not open, and all of a file behind the place where no
     * envelope begins. Each is named on standard error.
     *
     * @return how many were refused
     */
    long forEach(Terminal terminal, Each each) throws Exception {
        return forEach(terminal, names, each);
    }

    /** For commands that have another argument before these. */
    static long forEach(Terminal terminal, List<String> names, Each each) throws Exception {
        EnvelopePass pass = new EnvelopePass(terminal, each);
        for (String name : names.isEmpty() ? List.of("-") : names) {
            if (name.equals("-")) {
                pass.stream("standard input", terminal.in());
                continue;
            }
            Path path = Path.of(name);
            for (Path file : Files.isDirectory(path) ? filesOf(path) : List.of(path)) {
                try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
                    pass.stream(file.toString(), in);
                }
            }
        }
        return pass.end();
    }

    private static List<Path> filesOf(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> Files.isRegularFile(file)
                            && !file.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    static CommandFailure refused(String source, Exception e) {
        return new CommandFailure(ExitCode.REFUSED, source + ": " + e.getMessage(), e);
    }
}
