package dev.veilgate.agent.spool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Envelopes that the gateway refused for good, as files that can be looked at and sent again by hand, each with a file of the same name that says why. */
record RefusedFolder(Path folder, SpoolDisk disk) {
    private static final String REASON = ".reason";

    /**
     * Keeps an envelope.
     *
     * @param maxBytes of all; the oldest go, if there would be more
     */
    void keep(long sequence, byte[] envelope, String why, long maxBytes) throws IOException {
        Files.createDirectories(folder);
        String name = SpoolFile.name(sequence);
        store(name + REASON, (why + "\n").getBytes(StandardCharsets.UTF_8));
        store(name, envelope);
        disk.forceFolder(folder);
        prune(maxBytes, name);
    }

    private void store(String name, byte[] content) throws IOException {
        Path aside = folder.resolve("refused.tmp");
        disk.write(aside, content);
        disk.rename(aside, folder.resolve(name));
    }

    private void prune(long maxBytes, String newest) throws IOException {
        List<Path> envelopes;
        try (Stream<Path> files = Files.list(folder)) {
            envelopes = files.filter(file -> SpoolFile.sequence(file).isPresent())
                    .sorted()
                    .toList();
        }
        long bytes = 0;
        for (Path file : envelopes) {
            bytes += Files.size(file);
        }
        for (Path file : envelopes) {
            if (bytes <= maxBytes || file.getFileName().toString().equals(newest)) {
                return;
            }
            bytes -= Files.size(file);
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder.resolve(file.getFileName() + REASON));
        }
    }
}
