package dev.veilgate.sse;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Cells in memory whose store fails on demand, before a transaction counts or after. */
final class FaultyCells implements CellStore {
    private final MemoryCells cells;
    private int left = Integer.MAX_VALUE;
    private boolean after;

    FaultyCells() {
        this(new MemoryCells());
    }

    private FaultyCells(MemoryCells cells) {
        this.cells = cells;
    }

    /** A copy as of now. */
    FaultyCells copy() {
        return new FaultyCells(cells.copy());
    }

    /** Lets so many transactions succeed; the next one fails, with its changes ({@code after}) or without. */
    void failAfter(int transactions, boolean withItsChanges) {
        left = transactions;
        after = withItsChanges;
    }

    void mend() {
        left = Integer.MAX_VALUE;
    }

    @Override
    public <R extends @Nullable Object, E extends Exception> R transact(Work<R, E> work) throws E {
        if (left == Integer.MAX_VALUE) {
            return cells.transact(work);
        }
        left--;
        if (left >= 0) {
            return cells.transact(work);
        }
        if (after) {
            cells.transact(work);
        }
        throw new UncheckedIOException(new IOException("the process was killed"));
    }

    @Override
    public void close() {
        cells.close();
    }
}
