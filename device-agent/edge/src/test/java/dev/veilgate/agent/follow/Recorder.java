package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.FileAccess;
import dev.veilgate.agent.paths.Inode;
import dev.veilgate.agent.paths.LinkRule;
import dev.veilgate.agent.paths.OwnFiles;
import dev.veilgate.agent.paths.Refusal;
import dev.veilgate.settings.SourceSettings.Links;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Keeps what it is given, and seals when told to. */
final class Recorder implements RecordSink {
    final List<ReadRecord> open = new ArrayList<>();
    final List<String> sealed = new ArrayList<>();
    final List<String> parts = new ArrayList<>();
    final Set<String> sources = new HashSet<>();
    Positions positions = new Positions();
    byte[] saved = positions.encode();
    final List<String> leftOut = new ArrayList<>();
    final List<String> losses = new ArrayList<>();
    final List<String> repeated = new ArrayList<>();
    final List<String> copied = new ArrayList<>();
    final List<String> notices = new ArrayList<>();
    long lost;
    /** What happens while a record waits for room, as in a full spool. */
    Runnable whileFull = () -> {};

    final List<String> refused = new ArrayList<>();

    /** The rule of an agent whose settings say nothing of links, and which has no files of its own. */
    static final LinkRule RULE = LinkRule.of(Links.SAME_OWNER, OwnFiles.NONE);

    /** Files of any file system, such as one that tells of each access; all may be read. */
    static LogFiles files() {
        return new LogFiles(new FileAccess() {
            @Override
            public FileChannel open(Path name, Check check) throws IOException {
                FileChannel channel = FileChannel.open(name, StandardOpenOption.READ);
                if (!check.holds(Inode.of(name), name)) {
                    channel.close();
                    throw new NoSuchFileException(name.toString());
                }
                return channel;
            }

            @Override
            public void require(Path name) {
                // may be read
            }

            @Override
            public void requireFolder(Path name) {
                // may be searched
            }

            @Override
            public Target target(Path name) throws IOException {
                return new Target(name.toRealPath(), LinkRule.ANYBODY);
            }

            @Override
            public boolean isReadableIn(Path folder, int owner, int mover) {
                return true;
            }
        });
    }

    /** How often it was asked what is open of a log. */
    int askedForOpen;

    /** What followers of one source share, with these positions. */
    PathFollower.Shared shared() {
        return shared((path, status, sink) -> FilePosition.start(path.toString(), status.id()));
    }

    PathFollower.Shared shared(PathFollower.Newcomers newcomers) {
        LogFiles files = files();
        return new PathFollower.Shared(
                new Lane("s", "text/plain", "auto"),
                files,
                new LineReader(4096),
                positions,
                new KnownFiles(positions, files),
                new LeftOutFiles(positions, 0),
                new RotationFolders(files),
                new Looks(null, System::nanoTime),
                new FolderEvents(),
                path -> false,
                family -> {
                    askedForOpen++;
                    return List.of();
                },
                newcomers,
                Duration.ZERO,
                false);
    }

    @Override
    public void accept(ReadRecord record) {
        whileFull.run();
        open.add(record);
    }

    @Override
    public void settle() {
        for (ReadRecord record : open) {
            record.origin().advance(positions, record.bytes());
            sealed.add(new String(record.bytes(), StandardCharsets.ISO_8859_1));
            parts.add(record.part());
            sources.add(record.source());
        }
        open.clear();
        saved = positions.encode();
    }

    @Override
    public void lost(String reason, String source, long records, long bytes) {
        lost += bytes;
        losses.add(reason + " " + source);
    }

    @Override
    public void repeated(String source, long bytes) {
        repeated.add(source);
    }

    @Override
    public void leftOut(LeftOut reason, long bytes) {
        leftOut.add(reason + " " + bytes);
    }

    @Override
    public void copied(String path, String other) {
        copied.add(path + " " + other);
    }

    @Override
    public void refused(String path, Refusal refusal) {
        refused.add(refusal + " " + path);
    }

    @Override
    public void notice(String what) {
        notices.add(what);
    }
}
