package dev.veilgate.archive;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A folder on the disk of this device, readable by its user only, that is removed with what is in it when it is closed,
 * or when the process ends. What a killed process left is removed by the next that makes one: a lock tells. What merges
 * write there is sealed under a random key.
 */
final class TemporaryFolder implements AutoCloseable {
    private static final String BEGINNING = "veilgate-merge-";
    private static final String LOCK = "lock";
    private static final Duration YOUNG = Duration.ofMinutes(1);
    private static final Set<TemporaryFolder> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Thread last = Thread.ofPlatform().unstarted(() -> List.copyOf(OPEN).forEach(TemporaryFolder::remove));
        Runtime.getRuntime().addShutdownHook(last);
    }

    private final Path path;
    private final FileChannel lock;

    private TemporaryFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /** @throws IOException naming the folder that it would be in */
    static TemporaryFolder create() throws IOException {
        return create(Path.of(System.getProperty("java.io.tmpdir")));
    }

    static TemporaryFolder create(Path parent) throws IOException {
        try {
            removeLeft(parent);
            Path path = Files.createTempDirectory(parent, BEGINNING);
            FileChannel lock =
                    FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            TemporaryFolder folder = new TemporaryFolder(path, lock);
            OPEN.add(folder);
            lock.lock();
            return folder;
        } catch (IOException e) {
            throw new IOException("no room for merging in the temporary folder " + parent + ": " + e.getMessage(), e);
        }
    }

    Path path() {
        return path;
    }

    private static void removeLeft(Path parent) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, BEGINNING + "*")) {
            for (Path folder : folders) {
                if (Files.isWritable(folder)) {
                    removeIfLeft(folder);
                }
            }
        }
    }

    private static void removeIfLeft(Path folder) {
        if (OPEN.stream().anyMatch(each -> each.path.equals(folder))) {
            return; // closing another channel of its lock would let go of it
        }
        try {
            FileTime made = Files.getLastModifiedTime(folder.resolve(LOCK));
            if (made.toInstant().isAfter(Instant.now().minus(YOUNG))) {
                return; // it may be about to be locked
            }
        } catch (IOException e) {
            return; // it is none of these, or gone
        }
        try (FileChannel channel = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock != null) {
                removeAll(folder);
            }
        } catch (OverlappingFileLockException | IOException e) {
            // another is faster
        }
    }

    private static void removeAll(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.toList();
        }
        for (Path each : files) {
            Files.deleteIfExists(each);
        }
        Files.deleteIfExists(folder);
    }

    private void remove() {
        try {
            close();
        } catch (IOException e) {
            // the next one that is made removes it
        }
    }

    @Override
    public void close() throws IOException {
        if (OPEN.remove(this)) {
            try {
                removeAll(path);
            } finally {
                lock.close();
            }
        }
    }
}
