package dev.veilgate.cli;

import dev.veilgate.encoding.CborSequence;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
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
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Parameters;

/** The envelopes that a command is given: files and pipes of one or many, folders of such files in the order of their names. */
final class EnvelopeSource {
    static final String DESCRIPTION =
            "Files of one envelope or many, folders of such files, or - for standard input, which is also the default.";

    @Parameters(arity = "0..*", paramLabel = "ENVELOPES", description = DESCRIPTION)
    private List<String> names = new ArrayList<>();

    /** What is done with each envelope. */
    @FunctionalInterface
    interface Each {
        /** @param source the file, and the envelope's place in it */
        void envelope(String source, byte[] bytes) throws Exception;
    }

    void forEach(Terminal terminal, Each each) throws Exception {
        forEach(terminal, names, each);
    }

    /** For commands that have another argument before these. */
    static void forEach(Terminal terminal, List<String> names, Each each) throws Exception {
        for (String name : names.isEmpty() ? List.of("-") : names) {
            if (name.equals("-")) {
                stream(terminal, "standard input", terminal.in(), each);
                continue;
            }
            Path path = Path.of(name);
            for (Path file : Files.isDirectory(path) ? filesOf(path) : List.of(path)) {
                try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
                    stream(terminal, file.toString(), in, each);
                }
            }
        }
    }

    private static List<Path> filesOf(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> Files.isRegularFile(file)
                            && !file.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    private static void stream(Terminal terminal, String name, InputStream in, Each each) throws Exception {
        CborSequence sequence = new CborSequence("envelope", in, Envelope.MAX_BYTES);
        for (long place = 1; ; place++) {
            String source = name + ":" + place;
            Optional<byte[]> next;
            try {
                next = sequence.next();
            } catch (MalformedEncodingException e) {
                throw refused(source, e);
            }
            if (next.isEmpty()) {
                return;
            }
            each.envelope(source, next.get());
            if (terminal.out().checkError()) { // flushes; who read it has seen enough
                throw new CommandFailure(ExitCode.IO, "");
            }
        }
    }

    /** Decodes, naming the place of what is refused. */
    static Envelope decode(String source, byte[] bytes) throws CommandFailure {
        try {
            return Envelope.decode(bytes);
        } catch (MalformedEncodingException e) {
            throw refused(source, e);
        }
    }

    static CommandFailure refused(String source, Exception e) {
        return new CommandFailure(ExitCode.REFUSED, source + ": " + e.getMessage(), e);
    }
}
