package dev.veilgate.agent.follow;

import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Files that were seen among the names of rotation and not read. Each is said once, when it has been so for a while: what is copied is in most cases cut at once, and the copy
 * is then read; what cannot be opened may have been renamed at that moment.
 */
final class LeftOutFiles {
    private static final int MOST = 1 << 16;

    private record Entry(LeftOut reason, long bytes, long sinceNanos) {}

    private final Positions positions;
    private final long delayNanos;
    private final Map<FileId, Entry> waiting = new LinkedHashMap<>();
    private final Set<FileId> said = new HashSet<>();

    /** @param delayNanos how long a file must have been left out until it is said */
    LeftOutFiles(Positions positions, long delayNanos) {
        this.positions = positions;
        this.delayNanos = delayNanos;
    }

    void add(FileId.Status status, LeftOut reason) {
        if (!said.contains(status.id()) && waiting.size() < MOST) {
            Entry before = waiting.get(status.id());
            long since = before == null ? System.nanoTime() : before.sinceNanos;
            waiting.put(status.id(), new Entry(reason, status.size(), since));
        }
    }

    void report(RecordSink sink) {
        if (waiting.isEmpty()) {
            return;
        }
        long now = System.nanoTime();
        for (Iterator<Map.Entry<FileId, Entry>> i = waiting.entrySet().iterator(); i.hasNext(); ) {
            Map.Entry<FileId, Entry> next = i.next();
            if (positions.file(next.getKey()) != null) {
                i.remove(); // read after all
            } else if (now - next.getValue().sinceNanos >= delayNanos) {
                i.remove();
                if (said.size() >= MOST) {
                    said.clear();
                }
                said.add(next.getKey());
                sink.leftOut(next.getValue().reason, next.getValue().bytes);
            }
        }
    }
}
