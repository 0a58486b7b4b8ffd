package dev.veilgate.agent.follow;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.tests.mockfile.FilterFileChannel;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;

/** The file system of this machine, which tells a test before each look at a name, each opening and each read. */
final class WatchedFiles extends FilterFileSystemProvider {
    private final Runnable before;
    private final Set<Long> denied = new HashSet<>();

    /** @param before run before each access */
    WatchedFiles(FileSystem files, Runnable before) {
        super("watched://", files);
        this.before = before;
    }

    /** Makes a file one that may not be read, whatever its name is, also for the superuser. */
    void deny(Path file) throws IOException {
        denied.add((Long) Files.getAttribute(file, "unix:ino"));
    }

    /** The same path, watched. */
    Path watched(Path path) {
        return wrapPath(path);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        before.run();
        return super.readAttributes(path, attributes, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        before.run();
        return super.readAttributes(path, type, options);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        before.run();
        return super.newDirectoryStream(folder, filter);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        before.run();
        if (denied.contains((Long) Files.getAttribute(toDelegate(path), "unix:ino"))) {
            throw new AccessDeniedException(path.toString());
        }
        return new FilterFileChannel(super.newFileChannel(path, options, attributes)) {
            @Override
            public long size() throws IOException {
                before.run();
                return super.size();
            }

            @Override
            public int read(ByteBuffer bytes, long position) throws IOException {
                before.run();
                return super.read(bytes, position);
            }
        };
    }
}
