package dev.veilgate.gateway.broker;

import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.springframework.util.FileSystemUtils;

/** Data of the embedded broker that it could not start with, moved away from where it starts. */
final class SetAsideData {
    private static final Duration APART = Duration.ofHours(1);
    private static final String MARK = "set-aside";

    private final Path data;
    private final Path aside;
    private final Path mark;

    private SetAsideData(Path data, Path aside, Path mark) {
        this.data = data;
        this.aside = aside;
        this.mark = mark;
    }

    /**
     * Moves the data of a folder away, and makes an empty place for new ones.
     *
     * @param why the start with them failed
     * @throws IllegalStateException if some were moved away less than an hour ago: what damages them goes on
     */
    static SetAsideData of(Path folder, Exception why) throws IOException {
        Path data = folder.resolve("data");
        Path mark = folder.resolve(MARK);
        if (isRecent(mark)) {
            throw new IllegalStateException(
                    "its data are damaged again, less than " + APART.toHours()
                            + " h after others were set aside; they stay in " + data
                            + ": look at the disk, or move them away",
                    why);
        }
        Path aside = unusedSibling(data);
        Files.move(data, aside);
        DurableFiles.createFolder(data);
        DurableFiles.replace(folder, MARK, null, Instant.now().toString().getBytes(StandardCharsets.US_ASCII));
        return new SetAsideData(data, aside, mark);
    }

    private static boolean isRecent(Path mark) throws IOException {
        if (!Files.exists(mark)) {
            return false;
        }
        try {
            Instant then = Instant.parse(Files.readString(mark).strip());
            return Duration.between(then, Instant.now()).abs().compareTo(APART) < 0;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static Path unusedSibling(Path data) {
        int number = 1;
        while (Files.exists(data.resolveSibling("data-damaged-" + number))) {
            number++;
        }
        return data.resolveSibling("data-damaged-" + number);
    }

    /** Where they are. */
    Path path() {
        return aside;
    }

    /** Moves them back, in place of what came meanwhile: the fault was not theirs. */
    void putBack() throws IOException {
        FileSystemUtils.deleteRecursively(data);
        Files.move(aside, data);
        Files.deleteIfExists(mark);
    }
}
