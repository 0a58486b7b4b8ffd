package dev.veilgate.sse;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Answers that servers of several schemes give: that something was done, and ids. For those who write a scheme. */
public final class Answers {
    /** Most ids of an answer. */
    public static final int MAX_IDS = 1 << 26;

    private static final int DONE = 0;

    private Answers() {}

    /** Says that a message was carried out. */
    public static byte[] done() {
        return new CborWriter(1).integer(DONE).toByteArray();
    }

    /** The inverse of {@link #done}. */
    public static Done readDone(byte[] answer) throws MalformedEncodingException {
        CborReader in = new CborReader("answer", answer);
        in.uint("done", DONE);
        in.end();
        return Done.DONE;
    }

    /** Documents' ids, in their order. */
    public static byte[] ids(Collection<DocumentId> ids) {
        byte[] all = new byte[ids.size() * DocumentId.BYTES];
        int at = 0;
        for (DocumentId id : ids) {
            System.arraycopy(id.encode(), 0, all, at, DocumentId.BYTES);
            at += DocumentId.BYTES;
        }
        return new CborWriter(all.length + 9).bytes(all).toByteArray();
    }

    /** The inverse of {@link #ids}. */
    public static List<DocumentId> readIds(byte[] answer) throws MalformedEncodingException {
        CborReader in = new CborReader("answer", answer);
        byte[] all = in.bytes("ids", MAX_IDS * DocumentId.BYTES);
        in.end();
        if (all.length % DocumentId.BYTES != 0) {
            throw new MalformedEncodingException("answer.ids", "must have " + DocumentId.BYTES + " bytes each");
        }
        List<DocumentId> ids = new ArrayList<>(all.length / DocumentId.BYTES);
        for (int at = 0; at < all.length; at += DocumentId.BYTES) {
            ids.add(DocumentId.decode(Arrays.copyOfRange(all, at, at + DocumentId.BYTES)));
        }
        return ids;
    }
}
