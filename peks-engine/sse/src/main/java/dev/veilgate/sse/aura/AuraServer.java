package dev.veilgate.sse.aura;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.CellStore.Cells;
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
import java.util.BitSet;
import java.util.List;

/**
 * The server's side: entries by label; of each word that was searched, by its cache name, what was opened. A search
 * writes what it opens beside what earlier ones did, and only Settle replaces these by it: so the same search again has
 * the same answer.
 */
final class AuraServer implements SseServer {
    private static final String ENTRIES = "entries";
    private static final String SETTLED = "settled";
    private static final String SEARCHED = "searched";
    private static final int AT_A_TIME = 1 << 9;

    private final AuraEntries entries;
    private final CellStore store;

    AuraServer(AuraEntries entries, CellStore store) {
        this.entries = entries;
        this.store = store;
    }

    @Override
    public synchronized void answer(Message message, MessageSink out) throws IOException, MalformedEncodingException {
        byte[] bytes = message.toBytes();
        CborReader in = new CborReader("aura", bytes);
        int items = in.array("message", 7);
        int kind = in.uint("kind", AuraMessages.SETTLE);
        long number = in.unsigned("number", Long.MAX_VALUE);
        int expected = switch (kind) {
            case AuraMessages.ADD -> 3;
            case AuraMessages.SEARCH -> 7;
            case AuraMessages.AGAIN -> 4;
            default -> 5;
        };
        if (items != expected) {
            throw in.malformed("message", "must have " + expected + " items");
        }
        out.send(Message.of(
                switch (kind) {
                    case AuraMessages.ADD -> {
                        byte[] added = AuraMessages.entries(in, entries.entryBytes());
                        in.end();
                        yield inOrder(number, bytes, cells -> add(cells, added));
                    }
                    case AuraMessages.SEARCH -> {
                        Search search = new Search(
                                AuraMessages.key(in, "label"),
                                AuraMessages.key(in, "cache"),
                                AuraMessages.generation(in));
                        BitSet taken = PlaceCoding.read(in);
                        byte[] cover = AuraMessages.cover(in);
                        in.end();
                        AuraEntries.KnownLeaves leaves = entries.leaves(taken, cover);
                        yield inOrder(number, bytes, cells -> search(cells, search, leaves));
                    }
                    case AuraMessages.AGAIN -> {
                        byte[] cache = AuraMessages.key(in, "cache");
                        long generation = AuraMessages.generation(in);
                        in.end();
                        yield store.transact(cells -> MessageOrder.last(cells) <= number
                                ? again(cells, cache, generation)
                                : MessageOrder.outdated());
                    }
                    default -> {
                        byte[] cache = AuraMessages.key(in, "cache");
                        long generation = AuraMessages.generation(in);
                        byte[] live = AuraMessages.live(in);
                        in.end();
                        yield inOrder(number, bytes, cells -> settle(cells, cache, generation, live));
                    }
                }));
    }

    private byte[] inOrder(long number, byte[] message, CellStore.Work<byte[], MalformedEncodingException> work)
            throws MalformedEncodingException {
        return store.transact(
                cells -> MessageOrder.accept(cells, number, message) ? work.with(cells) : MessageOrder.outdated());
    }

    private byte[] add(Cells cells, byte[] added) {
        for (int at = 0; at < added.length; at += entries.entryBytes()) {
            int value = at + Aura.TAG_BYTES;
            cells.put(
                    ENTRIES,
                    Arrays.copyOfRange(added, at, value),
                    Arrays.copyOfRange(added, value, value + entries.valueBytes()));
        }
        return MessageOrder.done();
    }

    /** The names in a search. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Search(byte[] labels, byte[] cache, long generation) {}

    /** The number of cells with the entries of a word that were opened, and their generation. */
    private record Settled(long generation, int count) {
        static Settled of(Cells cells, byte[] cache) {
            byte[] value = cells.get(SETTLED, cache);
            if (value == null) {
                return new Settled(0, 0);
            }
            ByteBuffer in = ByteBuffer.wrap(value);
            return new Settled(in.getLong(), in.getInt());
        }

        void save(Cells cells, byte[] cache) {
            cells.put(
                    SETTLED,
                    cache,
                    ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                            .putLong(generation)
                            .putInt(count)
                            .array());
        }
    }

    private byte[] search(Cells cells, Search search, AuraEntries.KnownLeaves leaves) {
        Settled settled = Settled.of(cells, search.cache());
        if (search.generation() <= settled.generation()) {
            return MessageOrder.outdated();
        }
        FoundEntries opened =
                new FoundEntries(cells, search.cache(), search.generation(), AuraMessages.OPENED_BYTES, 0);
        ByteArrayOutputStream openedTags = new ByteArrayOutputStream();
        ByteArrayOutputStream suspects = new ByteArrayOutputStream();
        FoundEntries.read(cells, search.cache(), settled.generation(), settled.count(), some -> {
            for (int at = 0; at < some.length; at += AuraMessages.OPENED_BYTES) {
                if (leaves.opens(some, at)) {
                    opened.add(some, at);
                    openedTags.write(some, at, Aura.TAG_BYTES);
                } else {
                    suspects.write(some, at, Aura.TAG_BYTES);
                }
            }
        });
        long count = open(cells, search, leaves, opened, openedTags, suspects);
        int written = opened.end();
        cells.put(
                SEARCHED,
                search.cache(),
                ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES + Aura.TAG_BYTES)
                        .putLong(search.generation())
                        .putLong(count)
                        .putInt(written)
                        .put(search.labels())
                        .array());
        return AuraMessages.found(openedTags.toByteArray(), suspects.toByteArray());
    }

    /** Opens a generation's entries, some at a time. Returns how many there are. */
    private long open(
            Cells cells,
            Search search,
            AuraEntries.KnownLeaves leaves,
            FoundEntries opened,
            ByteArrayOutputStream openedTags,
            ByteArrayOutputStream suspects) {
        long number = 0;
        while (true) {
            byte[] names = entries.labels(search.labels(), number, AT_A_TIME);
            List<byte[]> labels = new ArrayList<>(AT_A_TIME);
            List<byte[]> values = new ArrayList<>(AT_A_TIME);
            boolean last = false;
            for (int i = 0; i < AT_A_TIME && !last; i++) {
                byte[] label = Arrays.copyOfRange(names, i * Aura.TAG_BYTES, (i + 1) * Aura.TAG_BYTES);
                byte[] value = cells.get(ENTRIES, label);
                if (value == null) {
                    last = true;
                } else if (leaves.opens(value, Aura.SALT_BYTES)) {
                    labels.add(label);
                    values.add(value);
                    number++;
                } else {
                    suspects.write(value, Aura.SALT_BYTES, Aura.TAG_BYTES);
                    number++;
                }
            }
            long[] ids = leaves.open(labels, values);
            ByteBuffer pair = ByteBuffer.allocate(AuraMessages.OPENED_BYTES);
            for (int i = 0; i < ids.length; i++) {
                pair.clear().put(values.get(i), Aura.SALT_BYTES, Aura.TAG_BYTES).putLong(ids[i]);
                opened.add(pair.array(), 0);
                openedTags.write(pair.array(), 0, Aura.TAG_BYTES);
            }
            if (last) {
                return number;
            }
        }
    }

    /** The tags that were settled of a word: of a server that was restored from a copy, perhaps not all. */
    private static byte[] again(Cells cells, byte[] cache, long generation) {
        Settled settled = Settled.of(cells, cache);
        if (settled.generation() > generation) {
            return MessageOrder.outdated();
        }
        ByteArrayOutputStream tags = new ByteArrayOutputStream();
        FoundEntries.read(cells, cache, settled.generation(), settled.count(), some -> {
            for (int at = 0; at < some.length; at += AuraMessages.OPENED_BYTES) {
                tags.write(some, at, Aura.TAG_BYTES);
            }
        });
        return AuraMessages.found(tags.toByteArray(), new byte[0]);
    }

    private byte[] settle(Cells cells, byte[] cache, long generation, byte[] live) throws MalformedEncodingException {
        Settled settled = Settled.of(cells, cache);
        if (generation <= settled.generation()) {
            return MessageOrder.done();
        }
        byte[] searched = cells.get(SEARCHED, cache);
        if (searched == null || ByteBuffer.wrap(searched).getLong() != generation) {
            throw new MalformedEncodingException("entries.generation", "must be of the last search");
        }
        ByteBuffer in = ByteBuffer.wrap(searched);
        in.getLong();
        long count = in.getLong();
        int written = in.getInt();
        FoundEntries opened = new FoundEntries(cells, cache, generation, AuraMessages.OPENED_BYTES, written);
        for (int at = 0; at < live.length; at += AuraMessages.OPENED_BYTES) {
            opened.add(live, at);
        }
        new Settled(generation, opened.end()).save(cells, cache);
        FoundEntries.remove(cells, cache, settled.generation(), settled.count());
        byte[] labelKey = new byte[Aura.TAG_BYTES];
        in.get(labelKey);
        removeEntries(cells, labelKey, count);
        cells.remove(SEARCHED, cache);
        return MessageOrder.done();
    }

    private void removeEntries(Cells cells, byte[] labelKey, long count) {
        for (long from = 0; from < count; from += AT_A_TIME) {
            int some = (int) Math.min(AT_A_TIME, count - from);
            byte[] names = entries.labels(labelKey, from, some);
            for (int i = 0; i < some; i++) {
                cells.remove(ENTRIES, Arrays.copyOfRange(names, i * Aura.TAG_BYTES, (i + 1) * Aura.TAG_BYTES));
            }
        }
    }
}
