package dev.veilgate.agent.paths;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Resolves paths by descriptors, so that nobody can put another file in the place of one between the look at it and its
 * opening. Nothing but the file that was looked at is opened. Linux alone.
 */
final class DescriptorResolver implements ResolvedFile.Resolver {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private final LibC system;

    DescriptorResolver(LibC system) {
        this.system = system;
    }

    private static Path named(int descriptor) {
        return DESCRIPTORS.resolve(Integer.toString(descriptor));
    }

    @Override
    public ResolvedFile resolve(Path path) throws IOException {
        return new Held(new PathWalk<>(path.toAbsolutePath(), new Descriptors()));
    }

    private final class Descriptors implements PathWalk.Places<Integer> {
        @Override
        public Integer root() throws IOException {
            return system.descriptor(LibC.NO_FOLDER, new byte[] {'/'}, "/");
        }

        @Override
        public Integer child(Integer folder, String name) throws IOException {
            return system.descriptor(folder, FileNames.bytes(name), FileNames.shown(name));
        }

        @Override
        public Inode inode(Integer place) throws IOException {
            Inode inode = system.inode(place);
            return inode != null ? inode : Inode.of(named(place)); // of a link itself, if it is a descriptor of one
        }

        @Override
        public String linkTarget(Integer link) throws IOException {
            return FileNames.ofBytes(system.linkTarget(link, "a link"));
        }

        @Override
        public void close(Integer place) {
            system.close(place);
        }
    }

    private final class Held implements ResolvedFile {
        private final PathWalk<Integer> walk;

        Held(PathWalk<Integer> walk) {
            this.walk = walk;
        }

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
            return walk.real();
        }

        @Override
        public Path held() {
            return named(walk.end());
        }

        /** Java waits where another program has a lease on the file; nobody gets one while a descriptor is open. */
        @Override
        public FileChannel open() throws IOException {
            String name = held().toString();
            int opened = system.openAtOnce(FileNames.bytes(name), name);
            try {
                return FileChannel.open(held(), StandardOpenOption.READ);
            } finally {
                system.close(opened);
            }
        }

        @Override
        public void close() {
            system.close(walk.end());
        }
    }
}
