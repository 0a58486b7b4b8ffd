package dev.veilgate.agent.follow;

import java.nio.charset.StandardCharsets;
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
    final List<String> notices = new ArrayList<>();
    long lost;
    /** What happens while a record waits for room, as in a full spool. */
    Runnable whileFull = () -> {};

    /** What followers of one source share, with these positions. */
    PathFollower.Shared shared() {
        return shared((path, status, sink) -> FilePosition.start(path.toString(), status.id()));
    }

    PathFollower.Shared shared(PathFollower.Newcomers newcomers) {
        return new PathFollower.Shared(
                new Lane("s", "text/plain", "auto"),
                new LineReader(4096),
                positions,
                new KnownFiles(positions),
                new LeftOutFiles(positions, 0),
                new RotationFolders(),
                new Looks(null, System::nanoTime),
                path -> false,
                family -> List.of(),
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
    public void notice(String what) {
        notices.add(what);
    }
}
