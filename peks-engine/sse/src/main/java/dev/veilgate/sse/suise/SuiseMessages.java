package dev.veilgate.sse.suise;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.Answers;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.RowMessages;
import dev.veilgate.sse.SseExpression;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The messages of SUISE: CBOR arrays of kind, the owner's states (two items), and what it is about. */
final class SuiseMessages {
    static final int ADD = 0;
    static final int DELETE = 1;
    static final int SEARCH = 2;

    private static final int MAX_DOCUMENTS = 1 << 20;
    /** Words and their beginnings. */
    private static final int MAX_TERMS = 32 * Document.MAX_WORDS;

    private SuiseMessages() {}

    /**
     * A document at an addition.
     *
     * @param ciphertexts ascending
     * @param searched    tokens of its words that were searched before, ascending
     */
    record Entry(DocumentId id, List<byte[]> ciphertexts, List<byte[]> searched) {}

    static byte[] add(SuiseHistory.States states, List<Entry> entries) {
        CborWriter out = begin(ADD, states).array(entries.size());
        for (Entry entry : entries) {
            out.array(3)
                    .bytes(entry.id().encode())
                    .bytes(joined(entry.ciphertexts(), Suise.CIPHERTEXT_BYTES))
                    .bytes(joined(entry.searched(), Suise.TOKEN_BYTES));
        }
        return out.toByteArray();
    }

    static byte[] delete(SuiseHistory.States states, List<DocumentId> ids) {
        return begin(DELETE, states)
                .bytes(joined(ids.stream().map(DocumentId::encode).toList(), DocumentId.BYTES))
                .toByteArray();
    }

    static byte[] search(SuiseHistory.States states, List<byte[]> tokens) {
        return begin(SEARCH, states).bytes(joined(tokens, Suise.TOKEN_BYTES)).toByteArray();
    }

    private static CborWriter begin(int kind, SuiseHistory.States states) {
        return new CborWriter(1 << 10)
                .array(4)
                .integer(kind)
                .integer(states.first())
                .bytes(joined(states.digests(), SuiseHistory.DIGEST_BYTES));
    }

    static SuiseHistory.States readStates(CborReader in) throws MalformedEncodingException {
        long first = in.unsigned("state", Long.MAX_VALUE - SuiseHistory.MAX_UNANSWERED);
        List<byte[]> digests = parts(in, "state.digests", SuiseHistory.DIGEST_BYTES, SuiseHistory.MAX_UNANSWERED + 1);
        if (digests.isEmpty()) {
            throw in.malformed("state.digests", "must be at least one");
        }
        return new SuiseHistory.States(first, digests);
    }

    static List<Entry> readEntries(CborReader in) throws MalformedEncodingException {
        int count = in.array("documents", MAX_DOCUMENTS);
        List<Entry> entries = new ArrayList<>(Math.min(count, 1 << 10));
        for (int i = 0; i < count; i++) {
            RowMessages.begin(in, "document", 3);
            DocumentId id = DocumentId.decode(in.fixedBytes("document.id", DocumentId.BYTES));
            entries.add(new Entry(
                    id,
                    parts(in, "document.words", Suise.CIPHERTEXT_BYTES, MAX_TERMS),
                    parts(in, "document.searched", Suise.TOKEN_BYTES, MAX_TERMS)));
        }
        return entries;
    }

    static List<DocumentId> readIds(CborReader in) throws MalformedEncodingException {
        return parts(in, "ids", DocumentId.BYTES, Answers.MAX_IDS).stream()
                .map(DocumentId::decode)
                .toList();
    }

    static List<byte[]> readTokens(CborReader in) throws MalformedEncodingException {
        List<byte[]> tokens = parts(in, "tokens", Suise.TOKEN_BYTES, SseExpression.MAX_WORDS);
        if (tokens.isEmpty()) {
            throw in.malformed("tokens", "must be at least one");
        }
        return tokens;
    }

    private static byte[] joined(List<byte[]> parts, int length) {
        byte[] all = new byte[parts.size() * length];
        for (int i = 0; i < parts.size(); i++) {
            System.arraycopy(parts.get(i), 0, all, i * length, length);
        }
        return all;
    }

    private static List<byte[]> parts(CborReader in, String field, int length, int most)
            throws MalformedEncodingException {
        byte[] all = in.bytes(field, (int) Math.min(Integer.MAX_VALUE, (long) length * most));
        if (all.length % length != 0) {
            throw in.malformed(field, "must have " + length + " bytes each");
        }
        List<byte[]> parts = new ArrayList<>(all.length / length);
        for (int at = 0; at < all.length; at += length) {
            parts.add(Arrays.copyOfRange(all, at, at + length));
        }
        return parts;
    }
}
