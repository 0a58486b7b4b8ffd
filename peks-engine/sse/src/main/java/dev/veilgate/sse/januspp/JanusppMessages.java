package dev.veilgate.sse.januspp;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.Answers;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.RowMessages;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages of Janus++ and their answers.
 *
 * <pre>
 *   [0, number, entries]                                               add;  answer [0]
 *   [1, number, deletions]                                             delete;  answer [0]
 *   [2, number, entries key, deletions key, cache, generation, punctured, rest]      search;  answer [0, ids]
 *   [3, number, cache, generation]                                     search without updates before it;  same answer
 *   any of them from an older state of the owner                       answer [1]
 * </pre>
 */
final class JanusppMessages {
    static final int ADD = 0;
    static final int DELETE = 1;
    static final int SEARCH = 2;
    static final int AGAIN = 3;

    private static final int MAX_BYTES = 1 << 30;

    private JanusppMessages() {}

    /** Adds entries or deletions. */
    static byte[] update(int kind, long number, byte[] updates) {
        return new CborWriter(updates.length + 32)
                .array(3)
                .integer(kind)
                .integer(number)
                .bytes(updates)
                .toByteArray();
    }

    static byte[] search(long number, WordKeys keys, long generation, int punctured, byte[] rest) {
        return search(
                number,
                keys.entries(generation),
                keys.deletions(generation),
                keys.cache(),
                generation,
                punctured,
                rest);
    }

    static byte[] search(
            long number, byte[] entries, byte[] deletions, byte[] cache, long generation, int punctured, byte[] rest) {
        return new CborWriter(rest.length + 128)
                .array(8)
                .integer(SEARCH)
                .integer(number)
                .bytes(entries)
                .bytes(deletions)
                .bytes(cache)
                .integer(generation)
                .integer(punctured)
                .bytes(rest)
                .toByteArray();
    }

    static byte[] again(long number, byte[] cache, long generation) {
        return new CborWriter(64)
                .array(4)
                .integer(AGAIN)
                .integer(number)
                .bytes(cache)
                .integer(generation)
                .toByteArray();
    }

    static byte[] updates(CborReader in, int bytesEach) throws MalformedEncodingException {
        byte[] updates = in.bytes("updates", MAX_BYTES);
        if (updates.length % bytesEach != 0) {
            throw in.malformed("updates", "must have " + bytesEach + " bytes each");
        }
        return updates;
    }

    static byte[] rest(CborReader in) throws MalformedEncodingException {
        return in.bytes("rest", MAX_BYTES);
    }

    static byte[] found(byte[] ids) {
        return new CborWriter(ids.length + 16).array(2).integer(0).bytes(ids).toByteArray();
    }

    static List<DocumentId> readFound(byte[] answer) throws MalformedEncodingException {
        CborReader in = new CborReader("answer", answer);
        RowMessages.begin(in, "answer", 2);
        in.uint("done", 0);
        byte[] all = in.bytes("ids", Answers.MAX_IDS * DocumentId.BYTES);
        in.end();
        if (all.length % DocumentId.BYTES != 0) {
            throw in.malformed("ids", "must have " + DocumentId.BYTES + " bytes each");
        }
        ByteBuffer ids = ByteBuffer.wrap(all);
        List<DocumentId> found = new ArrayList<>(all.length / DocumentId.BYTES);
        while (ids.hasRemaining()) {
            found.add(new DocumentId(ids.getLong()));
        }
        return found;
    }
}
