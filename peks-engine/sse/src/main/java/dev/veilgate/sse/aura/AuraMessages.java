package dev.veilgate.sse.aura;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.AesBlocks;
import dev.veilgate.sse.Answers;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.RowMessages;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Messages of Aura and their answers.
 *
 * <pre>
 *   [0, number, entries]                                         add;  answer [0]
 *   [1, number, label key, cache, generation, taken, cover]      search;  answer [0, tags opened, tags not opened]
 *   [2, number, cache, generation]                               search without updates before it;  same answer
 *   [3, number, cache, generation, (tag, id) of live suspects]   settle;  answer [0]
 *   any of them from an older state of the owner                 answer [1]
 * </pre>
 */
final class AuraMessages {
    static final int ADD = 0;
    static final int SEARCH = 1;
    static final int AGAIN = 2;
    static final int SETTLE = 3;

    /** Bytes of a tag and its id. */
    static final int OPENED_BYTES = Aura.TAG_BYTES + DocumentId.BYTES;

    private static final int CARRIED_OUT = 0;
    private static final int MAX_BYTES = 1 << 30;

    private AuraMessages() {}

    static byte[] add(long number, byte[] entries) {
        return new CborWriter(entries.length + 32)
                .array(3)
                .integer(ADD)
                .integer(number)
                .bytes(entries)
                .toByteArray();
    }

    static byte[] search(long number, byte[] labelKey, byte[] cache, long generation, BitSet taken, byte[] cover) {
        return new CborWriter(cover.length + 1 << 10)
                .array(7)
                .integer(SEARCH)
                .integer(number)
                .bytes(labelKey)
                .bytes(cache)
                .integer(generation)
                .bytes(PlaceCoding.write(taken))
                .bytes(cover)
                .toByteArray();
    }

    static byte[] again(long number, byte[] cache, long generation) {
        return new CborWriter(1 << 6)
                .array(4)
                .integer(AGAIN)
                .integer(number)
                .bytes(cache)
                .integer(generation)
                .toByteArray();
    }

    static byte[] settle(long number, byte[] cache, long generation, byte[] live) {
        return new CborWriter(live.length + 64)
                .array(5)
                .integer(SETTLE)
                .integer(number)
                .bytes(cache)
                .integer(generation)
                .bytes(live)
                .toByteArray();
    }

    static byte[] entries(CborReader in, int entryBytes) throws MalformedEncodingException {
        return inPieces(in, "entries", entryBytes);
    }

    static byte[] key(CborReader in, String field) throws MalformedEncodingException {
        return in.fixedBytes(field, AesBlocks.BYTES);
    }

    static long generation(CborReader in) throws MalformedEncodingException {
        return in.unsigned("generation", Long.MAX_VALUE);
    }

    static byte[] cover(CborReader in) throws MalformedEncodingException {
        return in.bytes("cover", MAX_BYTES);
    }

    static byte[] live(CborReader in) throws MalformedEncodingException {
        return inPieces(in, "live", OPENED_BYTES);
    }

    private static byte[] inPieces(CborReader in, String field, int length) throws MalformedEncodingException {
        byte[] all = in.bytes(field, MAX_BYTES);
        if (all.length % length != 0) {
            throw in.malformed(field, "must have " + length + " bytes each");
        }
        return all;
    }

    static byte[] found(byte[] opened, byte[] suspects) {
        return new CborWriter(opened.length + suspects.length + 32)
                .array(3)
                .integer(CARRIED_OUT)
                .bytes(opened)
                .bytes(suspects)
                .toByteArray();
    }

    /** The tags of an answer, those that were opened before the suspects; ids are not needed, as tags have them. */
    static Tags readFound(byte[] answer) throws MalformedEncodingException {
        CborReader in = new CborReader("answer", answer);
        RowMessages.begin(in, "answer", 3);
        in.uint("done", CARRIED_OUT);
        byte[] opened = tags(in, "opened");
        byte[] suspects = tags(in, "suspects");
        in.end();
        byte[] all = Arrays.copyOf(opened, opened.length + suspects.length);
        System.arraycopy(suspects, 0, all, opened.length, suspects.length);
        return new Tags(all, opened.length / Aura.TAG_BYTES);
    }

    private static byte[] tags(CborReader in, String field) throws MalformedEncodingException {
        byte[] tags = in.bytes(field, Answers.MAX_IDS * Aura.TAG_BYTES);
        if (tags.length % Aura.TAG_BYTES != 0) {
            throw in.malformed(field, "must have " + Aura.TAG_BYTES + " bytes each");
        }
        return tags;
    }

    /**
     * Tags that a server found.
     *
     * @param all    one after the other
     * @param opened how many of them, the first ones, it opened
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Tags(byte[] all, int opened) {
        int count() {
            return all.length / Aura.TAG_BYTES;
        }
    }
}
