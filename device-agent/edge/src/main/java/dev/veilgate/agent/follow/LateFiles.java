package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.FileNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Files of one log that were renamed away and read to their end, while their writers may not have noticed. */
final class LateFiles implements AutoCloseable {
    /** A file that was renamed away, and when it grew last. */
    private static final class Late {
        private final FollowedFile file;
        private long sinceNanos = System.nanoTime();

        Late(FollowedFile file) {
            this.file = file;
        }
    }

    private final String name;
    private final PathFollower.Shared shared;
    private final List<Late> files = new ArrayList<>();

    /** @param name of the log */
    LateFiles(String name, PathFollower.Shared shared) {
        this.name = name;
        this.shared = shared;
    }

    boolean isEmpty() {
        return files.isEmpty();
    }

    List<FollowedFile> files() {
        return files.stream().map(late -> late.file).toList();
    }

    void add(FollowedFile file) {
        files.add(new Late(file));
    }

    /** Reads what came late, and ends those in which nothing did for a while. Whether there was something. */
    boolean poll(RecordSink sink) throws IOException, InterruptedException {
        boolean some = false;
        for (Iterator<Late> i = files.iterator(); i.hasNext(); ) {
            Late old = i.next();
            if (!old.file.wasTruncated()) {
                long before = old.file.seen();
                some |= old.file.read(shared.reader(), sink) == FollowedFile.Read.SOME;
                if (old.file.seen() > before) {
                    old.sinceNanos = System.nanoTime(); // a line that is being written is not at its end
                }
            }
            if (System.nanoTime() - old.sinceNanos >= shared.linger().toNanos()) {
                i.remove();
                end(old.file, sink);
            }
        }
        return some;
    }

    /** Ends a file that is read to its end. */
    void end(FollowedFile file, RecordSink sink) throws IOException, InterruptedException {
        file.finish(shared.reader(), sink);
        sink.settle();
        if (file.waitingBytes() > 0) { // it was cut meanwhile
            sink.lost("truncated-file", FileNames.shown(name), 1, file.waitingBytes());
        }
        shared.positions().put(file.position().finished());
        file.close();
    }

    /** Hands over all of them to their end. */
    void finish(RecordSink sink) throws IOException, InterruptedException {
        for (Late old : files) {
            old.file.finish(shared.reader(), sink);
        }
    }

    @Override
    public void close() {
        files.forEach(old -> old.file.close());
    }
}
