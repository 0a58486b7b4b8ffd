package dev.veilgate.gateway.ingest;

import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Entries that cannot be applied, however often it is tried ({@link LastingFailure}): their payloads, a file each, named by the journal's position behind the
 * entry. What is here is passed over when its batch is applied, so its file is all that sets it aside. Written by the applier; the number is for any thread.
 */
final class SetAside {
    private static final Pattern NAME = Pattern.compile("0\\d{19}\\.entry");
    private static final int DIGITS = 20;

    private final Path folder;
    private final SortedSet<Long> positions = new ConcurrentSkipListSet<>();

    /** @param folder of its own; made if it is not there */
    SetAside(Path folder) throws IOException {
        this.folder = folder;
        DurableFiles.createFolder(folder);
        try (Stream<Path> files = Files.list(folder)) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> NAME.matcher(name).matches())
                    .map(name -> Long.parseLong(name.substring(0, DIGITS)))
                    .forEach(positions::add);
        }
    }

    static String name(long position) {
        return "%020d.entry".formatted(position);
    }

    /** Whether the entry before this position is here. */
    boolean holds(long position) {
        return positions.contains(position);
    }

    /** In the journal's order. */
    List<Long> positions() {
        return List.copyOf(positions);
    }

    /** How many are here. */
    int count() {
        return positions.size();
    }

    /** Durable when it returns. */
    void put(long position, byte[] payload) throws IOException {
        DurableFiles.replace(folder, name(position), null, payload);
        positions.add(position);
    }

    byte[] payload(long position) throws IOException {
        return Files.readAllBytes(folder.resolve(name(position)));
    }

    /** Of what is durable in store and database. */
    void remove(long position) throws IOException {
        Files.deleteIfExists(folder.resolve(name(position)));
        DurableFiles.forceFolder(folder); // it must not come back once it is forgotten that it was applied
        positions.remove(position);
    }
}
