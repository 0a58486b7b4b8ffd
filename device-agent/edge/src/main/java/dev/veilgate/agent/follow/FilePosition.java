package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.FileNames;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;

/**
 * How far a file was sealed, and by what to know it again: names change in a rotation, an inode may be given to another file.
 *
 * @param path   the name under which it was followed
 * @param id     device, inode and birth
 * @param offset first byte that was not sealed
 * @param head   digest of its first bytes
 * @param tail   digest of the last bytes before the offset: the last record whole, and a kilobyte if there is as much
 * @param line   of the line longer than the limit in which the offset is; empty in most cases
 * @param part   number of that line's next part
 * @param ahead  of what is behind the offset, that which is sealed
 * @param done   rotated away and read to its end
 */
public record FilePosition(
        String path,
        FileId id,
        long offset,
        Digest head,
        Digest tail,
        String line,
        int part,
        SealedRanges ahead,
        boolean done) {

    /** Three times the longest path of Linux, for one whose bytes are written in hexadecimal. */
    private static final int MOST_PATH_BYTES = 1 << 14;

    /** A place behind which nothing is sealed. */
    FilePosition(String path, FileId id, long offset, Digest head, Digest tail, String line, int part, boolean done) {
        this(path, id, offset, head, tail, line, part, SealedRanges.NONE, done);
    }

    /** A file of which nothing was read. */
    public static FilePosition start(String path, FileId id) {
        return new FilePosition(path, id, 0, Digest.EMPTY, Digest.EMPTY, "", 0, false);
    }

    FilePosition finished() {
        return finishedUnder(path);
    }

    FilePosition finishedUnder(String name) {
        return new FilePosition(name, id, offset, head, tail, "", 0, ahead, true);
    }

    /** The same place, with more to read, of a file that is followed under another name from now on. */
    FilePosition under(String name) {
        return new FilePosition(name, id, offset, head, tail, line, part, ahead, false);
    }

    /** The same place, with more of what is behind it sealed. */
    FilePosition with(SealedRanges more) {
        return new FilePosition(path, id, offset, head, tail, line, part, more.behind(offset), done);
    }

    /** The same place in a copy. */
    FilePosition in(FileId copy) {
        return new FilePosition(path, copy, offset, head, tail, line, part, ahead, done);
    }

    void encode(CborWriter out) {
        out.array(ahead.isEmpty() ? 11 : 12)
                .text(FileNames.stored(path))
                .integer(id.device())
                .integer(id.inode())
                .integer(id.birth())
                .integer(offset);
        out.integer(head.length()).bytes(head.sha256());
        out.integer(tail.length()).bytes(tail.sha256());
        out.text(line.isEmpty() ? "" : line + "." + part).bool(done);
        if (!ahead.isEmpty()) {
            ahead.encode(out, offset);
        }
    }

    static FilePosition decode(CborReader in) throws MalformedEncodingException {
        int fields = in.array("position", 12);
        if (fields < 10) { // agents that did not note the birth of files wrote 10
            throw in.malformed("position", "must have 10 to 12 fields");
        }
        String path = FileNames.ofStored(in.text("path", MOST_PATH_BYTES));
        FileId id = new FileId(in.integer("device"), in.integer("inode"), fields > 10 ? in.integer("birth") : 0);
        long offset = in.unsigned("offset", Long.MAX_VALUE);
        Digest head = new Digest(in.uint("head", Digest.HEAD_BYTES), in.bytes("head-digest", 32));
        Digest tail = new Digest(in.uint("tail", Digest.MOST_TAIL_BYTES), in.bytes("tail-digest", 32));
        String line = in.text("line", 64);
        boolean done = in.bool("done");
        SealedRanges ahead = fields == 12 ? SealedRanges.decode(in, offset) : SealedRanges.NONE;
        int dot = line.indexOf('.');
        try {
            String number = dot < 0 ? "" : line.substring(0, dot);
            int part = dot < 0 ? 0 : Integer.parseInt(line.substring(dot + 1));
            return new FilePosition(path, id, offset, head, tail, number, part, ahead, done);
        } catch (NumberFormatException e) {
            throw in.malformed("line", "must be an id and a number");
        }
    }
}
