package dev.veilgate.archive.store;

import dev.veilgate.files.DurableFiles;
import dev.veilgate.sse.CellLimits;
import dev.veilgate.sse.CellStore;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.type.ByteArrayDataType;
import org.jspecify.annotations.Nullable;

/**
 * Cells in one file, by H2's MVStore. A transaction that changes something ends with a commit of the store and a
 * synchronisation of the file with the disk. After a kill of the process the file has all of each transaction that
 * returned, and of one that did not all or nothing.
 *
 * <p>One process has the file at a time, by a lock of the operating system that ends with the process. Each cell has a
 * checksum: one that was altered on the disk is refused when it is read. A file whose last write is cut off is taken
 * for that of a process that was killed then.
 *
 * <p>Not against an attacker with access to the file, who can compute checksums and put back an older file.
 */
public final class MvStoreCells implements CellStore {
    /** Before names of tables, for the store has maps of its own. */
    private static final String TABLE = "table.";

    private final Path file;
    private final MVStore store;

    private MvStoreCells(Path file, MVStore store) {
        this.file = file;
        this.store = store;
    }

    /**
     * Makes a file without cells, readable by its owner only: cells of a scheme's owner are not sealed.
     *
     * @throws java.nio.file.FileAlreadyExistsException if there is one
     */
    public static MvStoreCells create(Path file) throws IOException {
        Path absolute = file.toAbsolutePath();
        DurableFiles.createFile(absolute);
        MvStoreCells cells = new MvStoreCells(file, openStore(absolute));
        cells.commit();
        DurableFiles.forceFolder(DurableFiles.folderOf(absolute));
        return cells;
    }

    /**
     * Opens a file.
     *
     * @throws NoSuchFileException if there is none
     * @throws StoreInUseException if another process, or this one, has it open
     * @throws DamagedStoreException if it is not such a file, or damaged
     */
    public static MvStoreCells open(Path file) throws IOException {
        Path absolute = file.toAbsolutePath();
        if (!Files.exists(absolute)) {
            throw new NoSuchFileException(file.toString());
        }
        if (Files.size(absolute) == 0) { // the store would begin a new one
            throw new DamagedStoreException(file + " is damaged: it is empty", null);
        }
        return new MvStoreCells(file, openStore(absolute));
    }

    private static MVStore openStore(Path file) throws IOException {
        try {
            MVStore store = new MVStore.Builder()
                    .fileName(file.toString())
                    .autoCommitDisabled()
                    .open();
            // space is free when a synchronised version does without it: others wait 45 s for disks to order their
            // writes
            store.setRetentionTime(0);
            return store;
        } catch (RuntimeException | AssertionError e) {
            throw named(file, e);
        }
    }

    /** Names a failure. Damage shows by exceptions of many kinds; where asserts are on, by those. */
    private static IOException named(Path file, Throwable e) {
        boolean ended = e.getCause() instanceof EOFException;
        int code = e instanceof MVStoreException m && !ended ? m.getErrorCode() : DataUtils.ERROR_FILE_CORRUPT;
        return switch (code) {
            case DataUtils.ERROR_FILE_LOCKED -> new StoreInUseException(file + " is in use by another process", e);
            case DataUtils.ERROR_CLOSED -> new IOException(file + " was closed", e);
            case DataUtils.ERROR_READING_FAILED, DataUtils.ERROR_WRITING_FAILED ->
                new IOException(file + " cannot be read or written" + reason(e), e);
            default -> new DamagedStoreException(file + " is damaged, or not a file of cells", e);
        };
    }

    /** The operating system's reason, such as a full disk; empty if there is none. */
    private static String reason(Throwable e) {
        String reason = switch (e.getCause()) {
            case FileSystemException f -> f.getReason();
            case IOException io -> io.getMessage();
            case null ->
                e instanceof MVStoreException m && m.getErrorCode() == DataUtils.ERROR_WRITING_FAILED
                        ? "it is read-only" // which H2 notices itself
                        : null;
            default -> null;
        };
        return reason == null ? "" : ": " + reason;
    }

    /** Asks the store. */
    private <T extends @Nullable Object> T ask(Supplier<T> question) {
        try {
            return question.get();
        } catch (RuntimeException | AssertionError e) {
            throw new UncheckedIOException(named(file, e));
        }
    }

    @Override
    public synchronized <R extends @Nullable Object, E extends Exception> R transact(Work<R, E> work) throws E {
        if (store.isClosed()) {
            throw new UncheckedIOException(new IOException(file + " was closed"));
        }
        Transaction transaction = new Transaction();
        boolean done = false;
        try {
            R result = work.with(transaction);
            commit();
            done = true;
            return result;
        } finally {
            if (!done) {
                transaction.undo();
            }
        }
    }

    private void commit() {
        ask(() -> {
            if (store.hasUnsavedChanges()) {
                store.commit();
                store.sync();
            }
            return store;
        });
    }

    /** The number of cells in all tables. */
    public synchronized long cells() {
        return ask(() -> store.getMapNames().stream()
                .filter(name -> name.startsWith(TABLE))
                .mapToLong(name -> map(name).sizeAsLong())
                .sum());
    }

    /** Bytes of the file. */
    public synchronized long bytes() {
        try {
            return Files.size(file.toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Frees the file. Does not move what is in it: the store's way to do so fails now and then after a kill, by
     * assertions of its own.
     */
    @Override
    public synchronized void close() {
        try {
            store.close();
        } catch (RuntimeException | AssertionError e) {
            store.closeImmediately();
            throw new UncheckedIOException(named(file, e));
        }
    }

    private MVMap<byte[], byte[]> map(String name) {
        return store.openMap(
                name,
                new MVMap.Builder<byte[], byte[]>()
                        .keyType(ByteArrayDataType.INSTANCE)
                        .valueType(ByteArrayDataType.INSTANCE));
    }

    /** Changes at once, which only a commit writes, and how they are taken back. */
    private final class Transaction implements Cells {
        private final Deque<Runnable> undo = new ArrayDeque<>();

        private @Nullable MVMap<byte[], byte[]> existing(String table) {
            String name = TABLE + table;
            return ask(() -> store.hasMap(name) ? map(name) : null);
        }

        @Override
        public byte @Nullable [] get(String table, byte[] key) {
            MVMap<byte[], byte[]> cells = existing(table);
            byte[] cell = cells == null ? null : ask(() -> cells.get(key));
            return cell == null ? null : checked(key, cell);
        }

        private byte[] checked(byte[] key, byte[] cell) {
            try {
                return CheckedCell.value(key, cell);
            } catch (IOException e) {
                String message = file + " is damaged: " + e.getMessage();
                throw new UncheckedIOException(new DamagedStoreException(message, e));
            }
        }

        @Override
        public void put(String table, byte[] key, byte[] value) {
            CellLimits.check(key, value);
            MVMap<byte[], byte[]> cells = ask(() -> map(TABLE + table));
            byte[] own = key.clone();
            byte[] cell = CheckedCell.of(own, value);
            remember(cells, own, ask(() -> cells.put(own, cell)));
        }

        @Override
        public void remove(String table, byte[] key) {
            MVMap<byte[], byte[]> cells = existing(table);
            if (cells != null) {
                byte[] own = key.clone();
                remember(cells, own, ask(() -> cells.remove(own)));
            }
        }

        private void remember(MVMap<byte[], byte[]> cells, byte[] key, byte @Nullable [] former) {
            undo.push(() -> {
                if (former == null) {
                    cells.remove(key);
                } else {
                    cells.put(key, former);
                }
            });
        }

        @Override
        public <E extends Exception> void scan(String table, byte[] prefix, Visitor<E> visitor) throws E {
            MVMap<byte[], byte[]> cells = existing(table);
            if (cells == null) {
                return;
            }
            Cursor<byte[], byte[]> cursor = ask(() -> cells.cursor(prefix));
            while (ask(cursor::hasNext)) {
                byte[] key = ask(cursor::next);
                if (!CellLimits.beginsWith(key, prefix)) {
                    return;
                }
                visitor.visit(key, checked(key, cursor.getValue()));
            }
        }

        @Override
        public long count(String table) {
            MVMap<byte[], byte[]> cells = existing(table);
            return cells == null ? 0 : ask(cells::sizeAsLong);
        }

        /** If the file failed meanwhile, the store is closed and nothing of the transaction was written. */
        void undo() {
            ask(() -> {
                if (!store.isClosed()) {
                    undo.forEach(Runnable::run);
                }
                return store;
            });
        }
    }
}
