package dev.veilgate.sse.suise;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.Answers;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.MessageOrder;
import dev.veilgate.sse.MessageSink;
import dev.veilgate.sse.RowMessages;
import dev.veilgate.sse.Sha256;
import dev.veilgate.sse.SseServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The server's side, in four tables: gamma_f is {@code files} (ciphertexts by id), gamma_w is {@code words} (token
 * and id) with {@code searched} (tokens whose answer is kept), and {@code kept} is gamma_w by id, for deletions.
 * {@code state} has the owner's {@linkplain SuiseHistory history} at the last search.
 */
final class SuiseServer implements SseServer {
    private static final String FILES = "files";
    private static final String SEARCHED = "searched";
    private static final String WORDS = "words";
    private static final String KEPT = "kept";
    private static final String STATE = "state";
    private static final byte[] LAST = {0};
    private static final byte[] NOTHING = new byte[0];

    private final CellStore store;

    SuiseServer(CellStore store) {
        this.store = store;
    }

    @Override
    public void answer(Message message, MessageSink out) throws IOException, MalformedEncodingException {
        CborReader in = new CborReader("suise", message.toBytes());
        RowMessages.begin(in, "message", 4);
        int kind = in.uint("kind", SuiseMessages.SEARCH);
        SuiseHistory.States states = SuiseMessages.readStates(in);
        CellStore.Work<byte[], RuntimeException> work = switch (kind) {
            case SuiseMessages.ADD -> {
                List<SuiseMessages.Entry> entries = SuiseMessages.readEntries(in);
                yield cells -> add(cells, entries);
            }
            case SuiseMessages.DELETE -> {
                List<DocumentId> ids = SuiseMessages.readIds(in);
                yield cells -> delete(cells, ids);
            }
            default -> {
                List<byte[]> tokens = SuiseMessages.readTokens(in);
                yield cells -> search(cells, states, tokens);
            }
        };
        in.end();
        byte[] answer = store.transact(cells -> isKnown(cells, states) ? work.with(cells) : MessageOrder.outdated());
        out.send(Message.of(answer));
    }

    /** Whether the owner knows of all searches that were answered: what she adds would be missing in them otherwise. */
    private static boolean isKnown(Cells cells, SuiseHistory.States states) {
        byte[] last = cells.get(STATE, LAST);
        return last == null
                || states.follow(ByteBuffer.wrap(last).getLong(), Arrays.copyOfRange(last, Long.BYTES, last.length));
    }

    private static byte[] add(Cells cells, List<SuiseMessages.Entry> entries) {
        for (SuiseMessages.Entry entry : entries) {
            byte[] id = entry.id().encode();
            forget(cells, id);
            byte[] all = new byte[entry.ciphertexts().size() * Suise.CIPHERTEXT_BYTES];
            for (int i = 0; i < entry.ciphertexts().size(); i++) {
                System.arraycopy(
                        entry.ciphertexts().get(i), 0, all, i * Suise.CIPHERTEXT_BYTES, Suise.CIPHERTEXT_BYTES);
            }
            cells.put(FILES, id, all);
            for (byte[] token : entry.searched()) {
                if (cells.get(SEARCHED, token) != null) {
                    keep(cells, token, id);
                }
            }
        }
        return Answers.done();
    }

    private static byte[] delete(Cells cells, List<DocumentId> ids) {
        for (DocumentId id : ids) {
            byte[] key = id.encode();
            forget(cells, key);
            cells.remove(FILES, key);
        }
        return Answers.done();
    }

    private static byte[] search(Cells cells, SuiseHistory.States states, List<byte[]> tokens) {
        cells.put(
                STATE,
                LAST,
                ByteBuffer.allocate(Long.BYTES + SuiseHistory.DIGEST_BYTES)
                        .putLong(states.last())
                        .put(states.lastDigest())
                        .array());
        SortedSet<DocumentId> found = null;
        for (byte[] token : tokens) {
            SortedSet<DocumentId> of = search(cells, token);
            if (found == null) {
                found = of;
            } else {
                found.retainAll(of);
            }
        }
        return Answers.ids(found == null ? List.of() : found);
    }

    private static SortedSet<DocumentId> search(Cells cells, byte[] token) {
        SortedSet<DocumentId> ids = new TreeSet<>();
        if (cells.get(SEARCHED, token) != null) {
            cells.scan(
                    WORDS,
                    token,
                    (key, _) -> ids.add(DocumentId.decode(Arrays.copyOfRange(key, Suise.TOKEN_BYTES, key.length))));
            return ids;
        }
        Sha256 h = new Sha256();
        cells.scan(FILES, NOTHING, (id, ciphertexts) -> {
            for (int at = 0; at < ciphertexts.length; at += Suise.CIPHERTEXT_BYTES) {
                if (Suise.matches(token, ciphertexts, at, h)) {
                    ids.add(DocumentId.decode(id));
                    break;
                }
            }
        });
        cells.put(SEARCHED, token, NOTHING);
        ids.forEach(id -> keep(cells, token, id.encode()));
        return ids;
    }

    private static void keep(Cells cells, byte[] token, byte[] id) {
        cells.put(WORDS, joined(token, id), NOTHING);
        cells.put(KEPT, joined(id, token), NOTHING);
    }

    /** Takes a document out of the kept answers. */
    private static void forget(Cells cells, byte[] id) {
        SortedSet<byte[]> tokens = new TreeSet<>(Arrays::compareUnsigned);
        cells.scan(KEPT, id, (key, _) -> tokens.add(Arrays.copyOfRange(key, id.length, key.length)));
        for (byte[] token : tokens) {
            cells.remove(WORDS, joined(token, id));
            cells.remove(KEPT, joined(id, token));
        }
    }

    private static byte[] joined(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }
}
