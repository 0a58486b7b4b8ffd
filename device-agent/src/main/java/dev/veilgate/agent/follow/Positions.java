package dev.veilgate.agent.follow;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How far every source was sealed. For one thread. */
public final class Positions {
    private static final int MAX_FILES = 1 << 16;

    private final Map<FileId, FilePosition> files = new LinkedHashMap<>();
    private final Map<String, String> cursors = new TreeMap<>();
    private boolean changed;

    /** The files' positions, by identity, in the order in which they were first seen. */
    public Map<FileId, FilePosition> files() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(files));
    }

    /** The position of a file. */
    public @Nullable FilePosition file(FileId id) {
        return files.get(id);
    }

    /** Sets the position of a file. */
    public void put(FilePosition position) {
        files.put(position.id(), position);
        changed = true;
    }

    /** Moves a file behind all others: it is read after them. */
    void putLast(FileId id) {
        FilePosition position = files.remove(id);
        if (position != null) {
            put(position);
        }
    }

    /** Forgets a file that is gone. */
    public void remove(FileId id) {
        changed |= files.remove(id) != null;
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

    /** The encoding. */
    public byte[] encode() {
        CborWriter out = new CborWriter(256 + 256 * files.size()).array(2).array(files.size());
        files.values().forEach(position -> position.encode(out));
        out.array(2 * cursors.size());
        cursors.forEach((source, cursor) -> out.text(source).text(cursor));
        return out.toByteArray();
    }

    /**
     * Reads an encoding.
     *
     * @throws MalformedEncodingException if it is none
     */
    public static Positions decode(byte[] encoded) throws MalformedEncodingException {
        CborReader in = new CborReader("positions", encoded);
        Positions positions = new Positions();
        if (in.array("positions", 2) != 2) {
            throw in.malformed("positions", "must have 2 fields");
        }
        int count = in.array("files", MAX_FILES);
        for (int i = 0; i < count; i++) {
            FilePosition position = FilePosition.decode(in);
            positions.files.put(position.id(), position);
        }
        int texts = in.array("cursors", 2048);
        for (int i = 0; i < texts / 2; i++) {
            positions.cursors.put(in.text("source", 1024), in.text("cursor", 4096));
        }
        in.end();
        return positions;
    }
}
