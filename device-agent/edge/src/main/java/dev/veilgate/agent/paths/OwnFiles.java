package dev.veilgate.agent.paths;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Files of this process itself, which it never reads as logs: known by device and inode, so under every name. */
public final class OwnFiles {
    /** No file but the log. */
    public static final OwnFiles NONE = new OwnFiles(List.of(), List.of());

    /** Standard output and standard error: its own log, where they are files. */
    private static final List<Inode> STREAMS = inodes(List.of(Path.of("/dev/fd/1"), Path.of("/dev/fd/2")));

    private static final int USER = LinkRule.userOfThisProcess();
    private static final int MOST_LISTED = 1 << 20;
    /** A key is replaced seldom, and files are opened by thousands. */
    private static final long KEPT_NANOS = 200_000_000;

    private final List<Path> files;
    private final List<Path> folders;
    private Known known;

    private record Known(List<Inode> files, List<Inode> folders, long sinceNanos) {}

    /**
     * Names them.
     *
     * @param files   settings and keys
     * @param folders the state, with all that is in it
     */
    public OwnFiles(List<Path> files, List<Path> folders) {
        this.files = List.copyOf(files);
        this.folders = List.copyOf(folders);
        this.known = ask();
    }

    private Known ask() {
        return new Known(inodes(files), inodes(folders), System.nanoTime());
    }

    private static List<Inode> inodes(List<Path> paths) {
        List<Inode> inodes = new ArrayList<>();
        for (Path path : paths) {
            try {
                inodes.add(Inode.of(path));
            } catch (IOException e) {
                // not there
            }
        }
        return inodes;
    }

    boolean have(ResolvedFile file) {
        if (System.nanoTime() - known.sinceNanos >= KEPT_NANOS) {
            known = ask();
        }
        return isAmong(known.files, file.inode())
                || isAmong(STREAMS, file.inode())
                || file.folders().stream().anyMatch(folder -> isAmong(known.folders, folder))
                || file.inode().names() > 1 && mayBeMade(file.inode()) && isBelowAny(file.inode());
    }

    /**
     * Tells if a file has an owner of whom files are in the state: of this process's user, or of the folders', as where
     * a server of files gives them all to one. Else whoever makes second names has the state searched for each.
     */
    private boolean mayBeMade(Inode file) {
        return file.owner() == USER || known.folders.stream().anyMatch(folder -> folder.owner() == file.owner());
    }

    private boolean isBelowAny(Inode file) {
        return folders.stream().anyMatch(folder -> isBelow(folder, file));
    }

    private static boolean isAmong(List<Inode> own, Inode inode) {
        return own.stream().anyMatch(inode::isSameAs);
    }

    private static boolean isBelow(Path folder, Inode inode) {
        try (Stream<Path> all = Files.walk(folder)) {
            return isAmong(inodes(all.limit(MOST_LISTED).toList()), inode);
        } catch (IOException | UncheckedIOException e) {
            return true; // rather not read than read what may be the state
        }
    }
}
