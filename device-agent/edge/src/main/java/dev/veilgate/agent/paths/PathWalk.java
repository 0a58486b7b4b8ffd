package dev.veilgate.agent.paths;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * A walk along the names of a path, link by link, as the system does it itself when a path is opened.
 *
 * @param <P> what is held of a name that was reached
 */
final class PathWalk<P> {
    /** As many as Linux follows. */
    private static final int MOST_LINKS = 40;

    /** Questions of a walk to the system. */
    interface Places<P> {
        P root() throws IOException;

        /** A name in a folder, without following it if it is a link. */
        P child(P folder, String name) throws IOException;

        Inode inode(P place) throws IOException;

        /** To where a link leads, as text of {@link FileNames}. */
        String linkTarget(P link) throws IOException;

        void close(P place);
    }

    private final Places<P> places;
    private final List<ResolvedFile.Step> steps = new ArrayList<>();
    private final List<Inode> folders = new ArrayList<>();
    private final Deque<String> real = new ArrayDeque<>();
    private final Deque<String> left = new ArrayDeque<>();
    private P at;
    private Inode is;

    /**
     * Walks to the end of a path, or throws and holds nothing.
     *
     * @param path absolute
     */
    PathWalk(Path path, Places<P> places) throws IOException {
        this.places = places;
        this.at = places.root();
        boolean arrived = false;
        try {
            this.is = places.inode(at);
            folders.add(is);
            putBefore(FileNames.text(path));
            while (!left.isEmpty()) {
                walk(left.removeFirst(), path);
            }
            arrived = true;
        } finally {
            if (!arrived) {
                places.close(at);
            }
        }
    }

    private void putBefore(String names) {
        for (String name : Arrays.asList(names.split("/")).reversed()) {
            if (!name.isEmpty() && !name.equals(".")) {
                left.addFirst(name);
            }
        }
    }

    private void walk(String name, Path path) throws IOException {
        P next = places.child(at, name);
        boolean kept = false;
        try {
            Inode found = places.inode(next);
            if (found.isLink()) {
                steps.add(new ResolvedFile.Step(found, is));
                if (steps.size() > MOST_LINKS) {
                    throw new FileSystemLoopException(FileNames.shown(path));
                }
                follow(places.linkTarget(next));
                return;
            }
            places.close(at);
            at = next;
            is = found;
            kept = true;
        } finally {
            if (!kept) {
                places.close(next);
            }
        }
        if (name.equals("..")) {
            real.pollLast();
        } else {
            real.addLast(name);
        }
        if (is.isFolder()) {
            folders.add(is);
        }
    }

    private void follow(String target) throws IOException {
        if (target.startsWith("/")) {
            P root = places.root();
            places.close(at);
            at = root;
            is = places.inode(root);
            folders.add(is);
            real.clear();
        }
        putBefore(target);
    }

    /** The end of the path; to be closed by the caller. */
    P end() {
        return at;
    }

    Inode inode() {
        return is;
    }

    List<ResolvedFile.Step> steps() {
        return steps;
    }

    List<Inode> folders() {
        return folders;
    }

    Path real() {
        return FileNames.path("/" + String.join("/", real));
    }
}
