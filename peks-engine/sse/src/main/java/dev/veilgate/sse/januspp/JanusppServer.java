package dev.veilgate.sse.januspp;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.AesBlocks;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.FoundEntries;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.MessageOrder;
import dev.veilgate.sse.MessageSink;
import dev.veilgate.sse.SseServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The server's side: entries and deletions by label; of each word that was searched, by its cache name, tags and ids
 * that were found. A search that comes again is answered from these.
 */
final class JanusppServer implements SseServer {
    private static final String ENTRIES = "entries";
    private static final String DELETIONS = "deletions";
    private static final String SEARCHED = "searched";
    private static final int AT_A_TIME = 1 << 8;
    private static final int FOUND_BYTES = Long.BYTES + DocumentId.BYTES;

    private final Puncturable scheme;
    private final CellStore store;
    private final AesBlocks aes = new AesBlocks();

    JanusppServer(Puncturable scheme, CellStore store) {
        this.scheme = scheme;
        this.store = store;
    }

    @Override
    public synchronized void answer(Message message, MessageSink out) throws IOException, MalformedEncodingException {
        byte[] bytes = message.toBytes();
        CborReader in = new CborReader("januspp", bytes);
        int items = in.array("message", 8);
        int kind = in.uint("kind", JanusppMessages.AGAIN);
        long number = in.unsigned("number", Long.MAX_VALUE);
        int expected = switch (kind) {
            case JanusppMessages.ADD, JanusppMessages.DELETE -> 3;
            case JanusppMessages.SEARCH -> 8;
            default -> 4;
        };
        if (items != expected) {
            throw in.malformed("message", "must have " + expected + " items");
        }
        out.send(Message.of(
                switch (kind) {
                    case JanusppMessages.ADD -> update(in, number, bytes, ENTRIES, JanusEntry.BYTES);
                    case JanusppMessages.DELETE ->
                        update(in, number, bytes, DELETIONS, JanusEntry.deletionBytes(scheme));
                    case JanusppMessages.SEARCH -> search(in, number, bytes);
                    default -> {
                        byte[] cache = in.fixedBytes("cache", AesBlocks.BYTES);
                        long generation = in.unsigned("generation", Long.MAX_VALUE);
                        in.end();
                        yield store.transact(cells -> MessageOrder.last(cells) <= number
                                ? kept(cells, cache, generation)
                                : MessageOrder.outdated());
                    }
                }));
    }

    private byte[] inOrder(long number, byte[] message, CellStore.Work<byte[], MalformedEncodingException> work)
            throws MalformedEncodingException {
        return store.transact(
                cells -> MessageOrder.accept(cells, number, message) ? work.with(cells) : MessageOrder.outdated());
    }

    private byte[] update(CborReader in, long number, byte[] message, String table, int length)
            throws MalformedEncodingException {
        byte[] updates = JanusppMessages.updates(in, length);
        in.end();
        return inOrder(number, message, cells -> {
            for (int at = 0; at < updates.length; at += length) {
                int value = at + AesBlocks.BYTES;
                cells.put(
                        table, Arrays.copyOfRange(updates, at, value), Arrays.copyOfRange(updates, value, at + length));
            }
            return MessageOrder.done();
        });
    }

    /** A search that was read. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Search(
            byte[] entries, byte[] deletions, byte[] cache, long generation, int punctured, byte[] whole) {}

    private byte[] search(CborReader in, long number, byte[] message) throws MalformedEncodingException {
        byte[] entries = in.fixedBytes("entries", AesBlocks.BYTES);
        byte[] deletions = in.fixedBytes("deletions", AesBlocks.BYTES);
        byte[] cache = in.fixedBytes("cache", AesBlocks.BYTES);
        long generation = in.unsigned("generation", Long.MAX_VALUE);
        int punctured = in.uint("punctured", scheme.trees());
        byte[] rest = JanusppMessages.rest(in);
        in.end();
        Search search =
                new Search(entries, deletions, cache, generation, punctured, scheme.expandRest(rest, punctured));
        return inOrder(number, message, cells -> {
            Kept before = Kept.of(cells, cache);
            if (before.generation() < generation) {
                search(cells, search, before);
            }
            return kept(cells, cache, generation);
        });
    }

    /** The number of cells with what was found of a word, and the generation of the search that found it. */
    private record Kept(long generation, int count) {
        static Kept of(Cells cells, byte[] cache) {
            byte[] value = cells.get(SEARCHED, cache);
            if (value == null) {
                return new Kept(0, 0);
            }
            ByteBuffer in = ByteBuffer.wrap(value);
            return new Kept(in.getLong(), in.getInt());
        }

        void save(Cells cells, byte[] cache) {
            cells.put(
                    SEARCHED,
                    cache,
                    ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                            .putLong(generation)
                            .putInt(count)
                            .array());
        }
    }

    /** The ids that were found of a word: of a server that was restored from a copy, perhaps not all. */
    private static byte[] kept(Cells cells, byte[] cache, long generation) {
        Kept kept = Kept.of(cells, cache);
        if (kept.generation() > generation) {
            return MessageOrder.outdated();
        }
        ByteArrayOutputStream ids = new ByteArrayOutputStream();
        FoundEntries.read(cells, cache, kept.generation(), kept.count(), some -> {
            for (int at = 0; at < some.length; at += FOUND_BYTES) {
                ids.write(some, at + Long.BYTES, DocumentId.BYTES);
            }
        });
        return JanusppMessages.found(ids.toByteArray());
    }

    private void search(Cells cells, Search search, Kept before) {
        List<byte[]> punctures = punctures(cells, search);
        Set<Long> deleted = new HashSet<>();
        punctures.forEach(puncture -> deleted.add(ByteBuffer.wrap(puncture).getLong()));
        FoundEntries found = new FoundEntries(cells, search.cache(), search.generation(), FOUND_BYTES, 0);
        FoundEntries.read(cells, search.cache(), before.generation(), before.count(), some -> {
            for (int at = 0; at < some.length; at += FOUND_BYTES) {
                if (!deleted.contains(ByteBuffer.wrap(some).getLong(at))) {
                    found.add(some, at);
                }
            }
        });
        if (punctures.size() == search.punctured()) {
            open(cells, search, joined(punctures), deleted, found);
        }
        new Kept(search.generation(), found.end()).save(cells, search.cache());
        FoundEntries.remove(cells, search.cache(), before.generation(), before.count());
    }

    /**
     * Decrypts the deletions of a generation, and forgets them. If this server has lost one, as it was restored from a
     * copy, what is behind it is of no use either: no entry of the generation can be opened. The owner finds that some
     * are missing, and goes on; she could not if she was refused.
     */
    private List<byte[]> punctures(Cells cells, Search search) {
        List<byte[]> punctures = new ArrayList<>();
        for (int i = 0; i < search.punctured(); i++) {
            byte[] label = aes.encryptWith(search.deletions(), 0).of(i, 0);
            byte[] value = cells.get(DELETIONS, label);
            if (value == null) {
                return punctures;
            }
            punctures.add(JanusEntry.puncture(search.deletions(), i, value, aes));
            cells.remove(DELETIONS, label);
        }
        return punctures;
    }

    private byte[] joined(List<byte[]> punctures) {
        ByteBuffer all = ByteBuffer.allocate(punctures.size() * scheme.punctureBytes());
        punctures.forEach(all::put);
        return all.array();
    }

    /** Decrypts the entries of a generation whose tags are not deleted, some at a time, and forgets all. */
    private void open(Cells cells, Search search, byte[] punctures, Set<Long> deleted, FoundEntries found) {
        long from = 0;
        boolean last = false;
        while (!last) {
            byte[] labels = aes.encryptWith(search.entries(), 0).ofCounters(from, AT_A_TIME);
            List<byte[]> entries = new ArrayList<>(AT_A_TIME);
            for (int i = 0; i < AT_A_TIME && !last; i++) {
                byte[] label = Arrays.copyOfRange(labels, i * AesBlocks.BYTES, (i + 1) * AesBlocks.BYTES);
                byte[] value = cells.get(ENTRIES, label);
                if (value == null) {
                    last = true;
                } else {
                    cells.remove(ENTRIES, label);
                    if (!deleted.contains(JanusEntry.tag(value))) {
                        entries.add(JanusEntry.joined(label, value));
                    }
                }
            }
            long[] ids = JanusEntry.open(entries, punctures, search.whole(), scheme);
            for (int i = 0; i < ids.length; i++) {
                found.add(
                        ByteBuffer.allocate(FOUND_BYTES)
                                .putLong(JanusEntry.tag(entries.get(i), AesBlocks.BYTES))
                                .putLong(ids[i])
                                .array(),
                        0);
            }
            from += AT_A_TIME;
        }
    }
}
