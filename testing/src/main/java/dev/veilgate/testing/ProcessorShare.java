package dev.veilgate.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * A small share of one processor for processes and all that they start, as on a machine that is busy with other things.
 * By a control group of Linux where one can be made, else by stopping the processes most of the time. When this is
 * closed, or the JVM ends, they go on as before.
 *
 * <p>A process that is to have its share from the beginning on is limited right behind its start: what it does in the
 * few milliseconds before is all that it does without. A JVM that starts in a control group takes the machine for one
 * of a single processor. For several threads.
 */
public final class ProcessorShare implements AutoCloseable {
    private final ProcessorLimit limit;
    private final Thread hook = new Thread(this::letGo);
    private boolean isClosed;

    /**
     * A share that nothing has yet.
     *
     * @param cores of a processor, more than 0 and less than 1, for all processes together: 0.2 are 20 ms of each
     *              100 ms
     * @throws IOException if there is no way to limit processes
     */
    public ProcessorShare(double cores) throws IOException {
        this(way(cores));
    }

    ProcessorShare(ProcessorLimit limit) {
        this.limit = limit;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private static ProcessorLimit way(double cores) throws IOException {
        if (!(cores > 0 && cores < 1)) {
            throw new IllegalArgumentException("a share of a processor is between 0 and 1");
        }
        Optional<ControlGroup> group = ControlGroup.make(cores);
        return group.isPresent() ? group.get() : new StopSignals(cores);
    }

    /**
     * Limits a process, with all that it started and will start.
     *
     * @throws IOException if it cannot be limited and has not ended
     */
    public synchronized void limit(ProcessHandle process) throws IOException {
        limit.add(process);
    }

    /** Lets all processes go. A second call does nothing. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM ends: the hook does the same.
        }
        letGo();
    }

    private synchronized void letGo() {
        if (!isClosed) {
            isClosed = true;
            try {
                limit.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
