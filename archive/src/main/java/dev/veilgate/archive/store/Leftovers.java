package dev.veilgate.archive.store;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** Files that were being written when their process was killed. */
final class Leftovers {
    private static final Duration OLD = Duration.ofDays(1);

    private Leftovers() {}

    /**
     * Removes those of a folder that nobody has written to for a day.
     *
     * @param prefix how the names of files begin that are being written
     * @param now    by the folder's clock
     */
    static void remove(Filesystem files, Path folder, String prefix, Instant now) throws IOException {
        for (String name : files.names(folder)) {
            if (name.startsWith(prefix)) {
                Path file = folder.resolve(name);
                if (files.look(file)
                        .filter(it -> it.changed().isBefore(now.minus(OLD)))
                        .isPresent()) {
                    files.delete(file);
                }
            }
        }
    }
}
