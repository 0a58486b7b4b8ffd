package dev.veilgate.gateway.broker;

import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/**
 * The data of the embedded broker as files. A broker that hangs keeps its files open until the process ends, so that another one can only begin with copies. The files are append-only
 * logs that a hanging broker does not write any more, and a copy of them is what a crash would leave.
 */
final class BrokerData {
    private final Path data;
    private final Path left;
    private final Path copy;

    /** @param folder that has them; the caller holds its lock */
    BrokerData(Path folder) {
        data = folder.resolve("data");
        left = folder.resolve("data-left");
        copy = folder.resolve("data-copy");
    }

    /** Ends what a crash interrupted. Nothing is lost: the data are whole under one of two names. */
    void recover() throws IOException {
        FileSystemUtils.deleteRecursively(copy);
        if (Files.exists(left)) {
            if (Files.exists(data)) {
                FileSystemUtils.deleteRecursively(left);
            } else {
                Files.move(left, data);
            }
        }
    }

    /** Puts copies in the place of the files, after {@link #recover}. Fails without effect if there is no room for them. */
    void renew() throws IOException {
        try {
            FileSystemUtils.copyRecursively(data, copy);
            force(copy);
        } catch (IOException e) {
            FileSystemUtils.deleteRecursively(copy);
            throw e;
        }
        Files.move(data, left);
        Files.move(copy, data);
        DurableFiles.forceFolder(DurableFiles.folderOf(data.toAbsolutePath()));
        FileSystemUtils.deleteRecursively(left);
    }

    private static void force(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> found = Files.walk(folder)) {
            all = found.toList();
        }
        for (Path file : all) {
            if (Files.isDirectory(file)) {
                DurableFiles.forceFolder(file);
            } else {
                DurableFiles.force(file);
            }
        }
    }
}
