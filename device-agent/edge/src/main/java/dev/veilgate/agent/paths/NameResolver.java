package dev.veilgate.agent.paths;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;

/**
 * Resolves paths by their names, where descriptors cannot be had: a file is the same before and behind its opening, or
 * it is not read. Whoever renames files in the very moment may deceive that.
 */
final class NameResolver implements ResolvedFile.Resolver {
    @Override
    public ResolvedFile resolve(Path path) throws IOException {
        return new Named(new PathWalk<>(path.toAbsolutePath(), new Names(path)));
    }

    private record Names(Path of) implements PathWalk.Places<Path> {
        @Override
        public Path root() {
            return Objects.requireNonNull(of.toAbsolutePath().getRoot());
        }

        @Override
        public Path child(Path folder, String name) {
            if (name.equals("..")) {
                return Objects.requireNonNullElse(folder.getParent(), folder);
            }
            return folder.resolve(FileNames.path(name));
        }

        @Override
        public Inode inode(Path place) throws IOException {
            return Inode.of(place, LinkOption.NOFOLLOW_LINKS);
        }

        @Override
        public String linkTarget(Path link) throws IOException {
            return FileNames.text(Files.readSymbolicLink(link));
        }

        @Override
        public void close(Path place) {
            // holds nothing
        }
    }

    private record Named(PathWalk<Path> walk) implements ResolvedFile {
        @Override
        public List<Step> steps() {
            return walk.steps();
        }

        @Override
        public List<Inode> folders() {
            return walk.folders();
        }

        @Override
        public Inode inode() {
            return walk.inode();
        }

        @Override
        public Path real() {
            return walk.end();
        }

        @Override
        public Path held() {
            return walk.end();
        }

        @Override
        public FileChannel open() throws IOException {
            FileChannel channel = FileChannel.open(walk.end(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            boolean same = false;
            try {
                same = Inode.of(walk.end(), LinkOption.NOFOLLOW_LINKS).isSameAs(walk.inode());
            } finally {
                if (!same) {
                    channel.close();
                }
            }
            if (!same) {
                throw new NoSuchFileException(walk.end().toString(), null, "renamed meanwhile");
            }
            return channel;
        }

        @Override
        public void close() {
            // holds nothing
        }
    }
}
