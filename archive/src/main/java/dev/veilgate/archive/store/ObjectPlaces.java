package dev.veilgate.archive.store;

import dev.veilgate.sse.BlobName;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Places of objects in a folder: {@code <first two digits>/<name>}; formerly {@code <name>}, where they are still
 * read; and {@code trash/<day>/<name>} when no manifest names them.
 */
record ObjectPlaces(Filesystem files, Path folder) {
    /** Beginning of names of files that are not whole; no name of an object begins so. */
    static final String ASIDE = ".object~";

    /** An object that is moved while it is looked for is missed where it was and where it is, but not each time. */
    private static final int ROUNDS = 3;

    private static final Pattern OBJECT = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern SUBFOLDER = Pattern.compile("[0-9a-f]{2}");
    private static final int SUBFOLDER_DIGITS = 2;

    /** An attempt at a path. */
    @FunctionalInterface
    interface Attempt<T> {
        /** @throws NoSuchFileException if there is nothing */
        Optional<T> at(Path path) throws IOException;
    }

    Path place(BlobName name) {
        return folder.resolve(name.value().substring(0, SUBFOLDER_DIGITS)).resolve(name.value());
    }

    Path olderPlace(BlobName name) {
        return folder.resolve(name.value());
    }

    Path trash() {
        return folder.resolve("trash");
    }

    Path trash(LocalDate day) {
        return trash().resolve(day.toString());
    }

    /** A name in the folder that nobody else has. */
    Path aside() {
        return folder.resolve(ASIDE + UUID.randomUUID());
    }

    /** Tries where an object may be until one attempt gives something. */
    <T> Optional<T> find(BlobName name, Attempt<T> attempt) throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            Optional<T> found = at(place(name), attempt);
            if (found.isEmpty()) {
                found = at(olderPlace(name), attempt);
            }
            if (found.isEmpty()) {
                found = findInTrash(name, attempt);
            }
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private <T> Optional<T> findInTrash(BlobName name, Attempt<T> attempt) throws IOException {
        for (LocalDate day : days().reversed()) {
            Optional<T> found = at(trash(day).resolve(name.value()), attempt);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static <T> Optional<T> at(Path path, Attempt<T> attempt) throws IOException {
        try {
            return attempt.at(path);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** The days of what is in the trash, ascending. */
    List<LocalDate> days() throws IOException {
        TreeSet<LocalDate> days = new TreeSet<>();
        for (String name : namesIn(trash())) {
            try {
                LocalDate day = LocalDate.parse(name);
                if (day.toString().equals(name)) {
                    days.add(day);
                }
            } catch (DateTimeException e) {
                // no day
            }
        }
        return List.copyOf(days);
    }

    /** The objects of a day in the trash, ascending. */
    List<BlobName> inTrash(LocalDate day) throws IOException {
        return objects(namesIn(trash(day)), "");
    }

    /** The objects that are not in the trash, ascending. */
    List<BlobName> inPlace() throws IOException {
        List<String> names = namesIn(folder);
        TreeSet<BlobName> all = new TreeSet<>(objects(names, ""));
        for (String subfolder : names) {
            if (SUBFOLDER.matcher(subfolder).matches()) {
                all.addAll(objects(namesIn(folder.resolve(subfolder)), subfolder));
            }
        }
        return List.copyOf(all);
    }

    private static List<BlobName> objects(List<String> names, String prefix) {
        return names.stream()
                .filter(name -> OBJECT.matcher(name).matches() && name.startsWith(prefix))
                .sorted()
                .map(BlobName::new)
                .toList();
    }

    private List<String> namesIn(Path of) throws IOException {
        try {
            return files.names(of);
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /** The time by the clock of the folder, which is that of another machine if it is a share. */
    Instant now() throws IOException {
        try {
            return changedNow();
        } catch (NoSuchFileException e) { // a sweep took the file for a leftover: the computer slept for days
            return changedNow();
        }
    }

    private Instant changedNow() throws IOException {
        Path made = aside();
        try {
            files.create(made, _ -> {});
            return files.look(made)
                    .orElseThrow(() -> new NoSuchFileException(made.toString()))
                    .changed();
        } finally {
            files.delete(made);
        }
    }
}
