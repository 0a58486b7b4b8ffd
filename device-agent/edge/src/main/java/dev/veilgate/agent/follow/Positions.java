package dev.veilgate.agent.follow;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How far every source was sealed. For one thread. */
public final class Positions {
    private static final int MAX_FILES = 1 << 20;
    private static final int FEW_FILES = 128;
    /** Where a journal has its cursor; no journal is called so. */
    private static final String FILES = "files";
    /** When names were looked at. */
    private static final String LOOKED = "looked";

    private final Map<FileId, FilePosition> files = new LinkedHashMap<>();
    private final Map<String, String> cursors = new TreeMap<>();
    private final Map<String, Set<FileId>> byPath = new HashMap<>();
    private final Map<Long, Set<FileId>> byInode = new HashMap<>();
    private final Map<FileSource, Optional<Instant>> looks = new HashMap<>(); // they are equal to themselves alone
    private @Nullable Instant lookedLastRun;
    private boolean changed;
    private long base;
    /** Set since the base, in the order in which those that are new came. */
    private final Set<FileId> sinceBase = new LinkedHashSet<>();

    private final Set<FileId> removedSinceBase = new LinkedHashSet<>();

    /** The files' positions, by identity, in the order in which they were first seen. */
    public Map<FileId, FilePosition> files() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(files));
    }

    /** The position of a file. */
    public @Nullable FilePosition file(FileId id) {
        return files.get(id);
    }

    /** The positions of what was followed under a path. */
    List<FilePosition> of(String path) {
        List<FilePosition> found = new ArrayList<>();
        byPath.getOrDefault(path, Set.of()).forEach(id -> found.add(files.get(id)));
        return found;
    }

    /** The positions of files with an inode, on whatever device. */
    List<FilePosition> withInode(long inode) {
        List<FilePosition> found = new ArrayList<>();
        byInode.getOrDefault(inode, Set.of()).forEach(id -> found.add(files.get(id)));
        return found;
    }

    /** Sets the position of a file. */
    public void put(FilePosition position) {
        FilePosition before = files.put(position.id(), position);
        if (before == null) {
            byInode.computeIfAbsent(position.id().inode(), inode -> new LinkedHashSet<>(2))
                    .add(position.id());
        }
        if (before == null || !before.path().equals(position.path())) {
            if (before != null) {
                forgetPath(before);
            }
            byPath.computeIfAbsent(position.path(), path -> new LinkedHashSet<>(2))
                    .add(position.id());
        }
        sinceBase.add(position.id());
        changed = true;
    }

    private void forgetPath(FilePosition position) {
        byPath.computeIfPresent(position.path(), (path, ids) -> {
            ids.remove(position.id());
            return ids.isEmpty() ? null : ids;
        });
    }

    /** Moves a file behind all others: it is read after them. */
    void putLast(FileId id) {
        FilePosition position = files.get(id);
        if (position != null) {
            remove(id);
            put(position);
        }
    }

    /** Forgets a file that is gone. */
    public void remove(FileId id) {
        FilePosition position = files.remove(id);
        if (position != null) {
            forgetPath(position);
            byInode.computeIfPresent(id.inode(), (inode, ids) -> {
                ids.remove(id);
                return ids.isEmpty() ? null : ids;
            });
            sinceBase.remove(id);
            removedSinceBase.add(id);
            changed = true;
        }
    }

    /** Whether files were looked for before: if not, what is there now was there before the agent. */
    boolean filesBegun() {
        return !files.isEmpty() || cursors.containsKey(FILES);
    }

    /** Notes that files were looked for. */
    void beginFiles() {
        if (!cursors.containsKey(FILES)) {
            putCursor(FILES, "begun");
        }
    }

    /** When names were looked at in the last run; null if nobody noted it. */
    @Nullable
    Instant lookedLastRun() {
        return lookedLastRun;
    }

    /** Lets a source say from now on when it looked at names. */
    void beginLooks(FileSource source) {
        if (looks.isEmpty()) {
            String noted = cursors.get(LOOKED);
            try {
                lookedLastRun = noted == null ? null : Instant.parse(noted);
            } catch (DateTimeParseException e) {
                lookedLastRun = null;
            }
        }
        looks.put(source, Optional.ofNullable(lookedLastRun));
    }

    void endLooks(FileSource source) {
        looks.remove(source);
    }

    /** Notes when a source looked at names, if there is anything to write down anyway: what was written to files before that was seen. All sources have to say so. */
    void look(FileSource source, Instant when) {
        looks.put(source, Optional.of(when));
        if (changed && looks.values().stream().allMatch(Optional::isPresent)) {
            Instant least = looks.values().stream()
                    .map(Optional::get)
                    .min(Comparator.naturalOrder())
                    .orElse(when);
            cursors.put(LOOKED, least.toString());
        }
    }

    /** A journal's cursor. */
    public @Nullable String cursor(String source) {
        return cursors.get(source);
    }

    /** Sets a journal's cursor. */
    public void putCursor(String source, String cursor) {
        cursors.put(source, cursor);
        changed = true;
    }

    /** Whether anything was set since {@link #saved}. */
    public boolean changed() {
        return changed;
    }

    /** They are on disk. */
    public void saved() {
        changed = false;
    }

    /** Whether all of them are few enough to be written with each envelope. */
    public boolean isSmall() {
        return files.size() <= FEW_FILES;
    }

    /** Whether so much changed since the base that there should be a new one. */
    public boolean needsBase() {
        return !isSmall() && (base == 0 || sinceBase.size() + removedSinceBase.size() > FEW_FILES);
    }

    /** All of them were written somewhere else as they are now, or, with number 0, nowhere: {@link #encodeChanges} says what changes from now on. */
    public void based(long number) {
        base = number;
        sinceBase.clear();
        removedSinceBase.clear();
    }

    /** Number of what {@link #encodeChanges} is to be read behind; 0 if it is complete. */
    public long base() {
        return base;
    }

    /** All of them. */
    public byte[] encode() {
        CborWriter out = new CborWriter(256 + 256 * files.size()).array(2).array(files.size());
        files.values().forEach(position -> position.encode(out));
        return encodeCursors(out);
    }

    private byte[] encodeCursors(CborWriter out) {
        out.array(2 * cursors.size());
        cursors.forEach((source, cursor) -> out.text(source).text(cursor));
        return out.toByteArray();
    }

    /** What changed since the base; all of them if there is none. */
    public byte[] encodeChanges() {
        if (base == 0) {
            return encode();
        }
        CborWriter out = new CborWriter(256 + 256 * sinceBase.size()).array(4);
        out.array(removedSinceBase.size());
        removedSinceBase.forEach(
                id -> out.array(3).integer(id.device()).integer(id.inode()).integer(id.birth()));
        // those that were in the base keep their place, the others follow in the order in which they came
        out.array(sinceBase.size());
        sinceBase.forEach(id -> Objects.requireNonNull(files.get(id)).encode(out)); // one that is removed is not in it
        return encodeCursors(out);
    }

    /**
     * Reads what changed since a base.
     *
     * @param number  of the base
     * @param all     the base
     * @param changes what {@link #encodeChanges} made
     * @throws MalformedEncodingException if either is none
     */
    public static Positions decode(long number, byte[] all, byte[] changes) throws MalformedEncodingException {
        Positions positions = decode(all);
        positions.based(number);
        positions.cursors.clear();
        CborReader in = new CborReader("changed-positions", changes);
        int fields = in.array("positions", 4);
        if (fields < 3) {
            throw in.malformed("positions", "must have 3 or 4 fields");
        }
        positions.readRemoved(in, fields == 3);
        positions.readFilesAndCursors(in);
        positions.changed = false;
        return positions;
    }

    /** @param old as agents wrote them that did not note the birth of files: device and inode by turns */
    private void readRemoved(CborReader in, boolean old) throws MalformedEncodingException {
        int count = in.array("removed", 4 * MAX_FILES) / (old ? 2 : 1);
        for (int i = 0; i < count; i++) {
            if (!old && in.array("removed-file", 3) != 3) {
                throw in.malformed("removed-file", "must have 3 fields");
            }
            FileId id = new FileId(in.integer("device"), in.integer("inode"), old ? 0 : in.integer("birth"));
            remove(id);
            removedSinceBase.add(id);
        }
    }

    private void readFilesAndCursors(CborReader in) throws MalformedEncodingException {
        int count = in.array("files", MAX_FILES);
        for (int i = 0; i < count; i++) {
            put(FilePosition.decode(in));
        }
        int texts = in.array("cursors", 2048);
        for (int i = 0; i < texts / 2; i++) {
            cursors.put(in.text("source", 1024), in.text("cursor", 4096));
        }
        in.end();
    }

    /**
     * Reads what {@link #encode} made.
     *
     * @throws MalformedEncodingException if it is none
     */
    public static Positions decode(byte[] encoded) throws MalformedEncodingException {
        CborReader in = new CborReader("positions", encoded);
        Positions positions = new Positions();
        if (in.array("positions", 2) != 2) {
            throw in.malformed("positions", "must have 2 fields");
        }
        positions.readFilesAndCursors(in);
        positions.based(0);
        positions.changed = false;
        return positions;
    }
}
