package dev.veilgate.cli;

import dev.veilgate.enrolment.EnrolmentFiles;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.files.FileNamePart;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.UUID;

/**
 * The folder with the files that a new user of mail is given. Its owner alone can read it, and it is there as a whole
 * or not at all.
 */
final class EnrolmentFolder {
    private EnrolmentFolder() {}

    /** The folder of an address unless its keeper names another. */
    static Path unlessGiven(String address) {
        return Path.of(FileNamePart.of(address));
    }

    /** Nothing is overwritten, for there may be somebody's only key in it. */
    static void requireNew(Path folder) throws CommandFailure {
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new CommandFailure(
                    ExitCode.IO, folder + " exists already; remove it, or name another folder with --out");
        }
    }

    /** Writes all of it beside its place, and then moves it there. */
    static void write(Path folder, EnrolmentFiles files) throws IOException, CommandFailure {
        Path place = folder.toAbsolutePath();
        Path parent = DurableFiles.folderOf(place);
        Path aside = parent.resolve("." + place.getFileName() + "~" + UUID.randomUUID() + ".tmp");
        boolean whole = false;
        try {
            DurableFiles.createFolder(aside);
            for (Map.Entry<String, byte[]> each : files.byName().entrySet()) {
                DurableFiles.replace(aside, each.getKey(), null, each.getValue());
            }
            requireNew(folder);
            Files.move(aside, place, StandardCopyOption.ATOMIC_MOVE);
            DurableFiles.forceFolder(parent);
            whole = true;
        } finally {
            if (!whole) {
                delete(aside, files);
            }
        }
    }

    /** Removes what was written, where the key folder could not be. */
    static void delete(Path folder, EnrolmentFiles files) throws IOException {
        for (String name : files.byName().keySet()) {
            Files.deleteIfExists(folder.resolve(name));
        }
        Files.deleteIfExists(folder);
    }
}
