package dev.veilgate.sse;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Cells in memory: for measurements and tests, since nothing of it is left when the process ends. */
public final class MemoryCells implements CellStore {
    private final Map<String, NavigableMap<byte[], byte[]>> tables = new HashMap<>();

    /** No cells yet. */
    public MemoryCells() {}

    @Override
    public synchronized <R extends @Nullable Object, E extends Exception> R transact(Work<R, E> work) throws E {
        Transaction transaction = new Transaction();
        boolean done = false;
        try {
            R result = work.with(transaction);
            done = true;
            return result;
        } finally {
            if (!done) {
                transaction.undo();
            }
        }
    }

    /** A copy as of now, as if it were of a file. */
    public synchronized MemoryCells copy() {
        MemoryCells copy = new MemoryCells();
        tables.forEach((name, cells) -> copy.tables.put(name, new TreeMap<>(cells)));
        return copy;
    }

    /** Changes at once, and how they are taken back. */
    private final class Transaction implements Cells {
        private final Deque<Runnable> undo = new ArrayDeque<>();

        private NavigableMap<byte[], byte[]> table(String name) {
            return tables.computeIfAbsent(name, _ -> new TreeMap<>(Arrays::compareUnsigned));
        }

        @Override
        public byte @Nullable [] get(String table, byte[] key) {
            return table(table).get(key);
        }

        @Override
        public void put(String table, byte[] key, byte[] value) {
            CellLimits.check(key, value);
            remember(table, key, table(table).put(key.clone(), value.clone()));
        }

        @Override
        public void remove(String table, byte[] key) {
            remember(table, key, table(table).remove(key));
        }

        private void remember(String table, byte[] key, byte @Nullable [] former) {
            byte[] of = key.clone();
            undo.push(() -> {
                if (former == null) {
                    table(table).remove(of);
                } else {
                    table(table).put(of, former);
                }
            });
        }

        @Override
        public <E extends Exception> void scan(String table, byte[] prefix, Visitor<E> visitor) throws E {
            for (Map.Entry<byte[], byte[]> cell :
                    table(table).tailMap(prefix, true).entrySet()) {
                if (!CellLimits.beginsWith(cell.getKey(), prefix)) {
                    return;
                }
                visitor.visit(cell.getKey(), cell.getValue());
            }
        }

        @Override
        public long count(String table) {
            return table(table).size();
        }

        void undo() {
            undo.forEach(Runnable::run);
        }
    }

    @Override
    public synchronized void close() {
        tables.clear();
    }
}
