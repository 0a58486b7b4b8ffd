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
    private final Map<String, Table> tables = new HashMap<>();

    /** No cells yet. */
    public MemoryCells() {}

    /** The key of a cell, compared by its bytes. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Key(byte[] bytes) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && Arrays.equals(bytes, key.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }

    /** Cells by key, and in order from the first scan on. */
    private static final class Table {
        private final Map<Key, byte[]> cells = new HashMap<>();
        private @Nullable NavigableMap<byte[], byte[]> inOrder;

        byte @Nullable [] put(byte[] key, byte[] value) {
            if (inOrder != null) {
                inOrder.put(key, value);
            }
            return cells.put(new Key(key), value);
        }

        byte @Nullable [] remove(byte[] key) {
            if (inOrder != null) {
                inOrder.remove(key);
            }
            return cells.remove(new Key(key));
        }

        NavigableMap<byte[], byte[]> inOrder() {
            if (inOrder == null) {
                NavigableMap<byte[], byte[]> all = new TreeMap<>(Arrays::compareUnsigned);
                cells.forEach((key, value) -> all.put(key.bytes(), value));
                inOrder = all;
            }
            return inOrder;
        }
    }

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
        tables.forEach((name, table) -> copy.table(name).cells.putAll(table.cells));
        return copy;
    }

    private Table table(String name) {
        return tables.computeIfAbsent(name, _ -> new Table());
    }

    /** Changes at once, and how they are taken back. */
    private final class Transaction implements Cells {
        private final Deque<Runnable> undo = new ArrayDeque<>();

        @Override
        public byte @Nullable [] get(String table, byte[] key) {
            return table(table).cells.get(new Key(key));
        }

        @Override
        public void put(String table, byte[] key, byte[] value) {
            CellLimits.check(key, value);
            byte[] of = key.clone();
            Table into = table(table);
            remember(into, of, into.put(of, value.clone()));
        }

        @Override
        public void remove(String table, byte[] key) {
            Table from = table(table);
            byte[] former = from.remove(key);
            if (former != null) {
                remember(from, key.clone(), former);
            }
        }

        private void remember(Table table, byte[] key, byte @Nullable [] former) {
            undo.push(() -> {
                if (former == null) {
                    table.remove(key);
                } else {
                    table.put(key, former);
                }
            });
        }

        @Override
        public <E extends Exception> void scan(String table, byte[] prefix, Visitor<E> visitor) throws E {
            for (Map.Entry<byte[], byte[]> cell :
                    table(table).inOrder().tailMap(prefix, true).entrySet()) {
                if (!CellLimits.beginsWith(cell.getKey(), prefix)) {
                    return;
                }
                visitor.visit(cell.getKey(), cell.getValue());
            }
        }

        @Override
        public long count(String table) {
            return table(table).cells.size();
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
