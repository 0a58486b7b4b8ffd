package dev.veilgate.archive.store;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Places of manifests in a folder: number n is the file {@code <n / 1000>/<n>}, both in canonical decimal. */
record ManifestPlaces(Filesystem files, Path folder) {
    static final int IN_A_FOLDER = 1000;

    private static final Pattern CANONICAL = Pattern.compile("0|[1-9][0-9]{0,14}");

    Path folderOf(long number) {
        return folder.resolve(Long.toString(number / IN_A_FOLDER));
    }

    Path file(long number) {
        if (number < 1) {
            throw new IllegalArgumentException("manifests have numbers from 1");
        }
        return folderOf(number).resolve(Long.toString(number));
    }

    boolean taken(long number) throws IOException {
        return files.look(file(number)).isPresent();
    }

    /**
     * The highest number. A listing may be older than what is there, so the numbers behind are looked up by name.
     *
     * @param known a number that was taken, 0 if none is known
     */
    long newest(long known) throws IOException {
        long newest = listed();
        if (known > newest && taken(known)) {
            newest = known;
        }
        while (taken(newest + 1)) {
            newest++;
        }
        return newest;
    }

    /** The highest number of the last folder that has any, since a new folder is made before its first number. */
    private long listed() throws IOException {
        long below = Long.MAX_VALUE;
        while (true) {
            OptionalLong last = last(folder, 0, below);
            if (last.isEmpty()) {
                return 0;
            }
            below = last.getAsLong();
            long first = below * IN_A_FOLDER;
            OptionalLong number = lastIn(folder.resolve(Long.toString(below)), Math.max(1, first), first + IN_A_FOLDER);
            if (number.isPresent()) {
                return number.getAsLong();
            }
        }
    }

    private OptionalLong lastIn(Path subfolder, long from, long below) throws IOException {
        try {
            return last(subfolder, from, below);
        } catch (NoSuchFileException e) { // a file
            return OptionalLong.empty();
        }
    }

    private OptionalLong last(Path listed, long from, long below) throws IOException {
        return files.names(listed).stream()
                .filter(name -> CANONICAL.matcher(name).matches())
                .mapToLong(Long::parseLong)
                .filter(number -> number >= from && number < below)
                .max();
    }
}
