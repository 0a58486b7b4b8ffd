package dev.veilgate.archive;

import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** A thread that prepares one change of an archive while another thread uses the archive. */
@Secret
final class PreparationThread implements AutoCloseable {
    private final FutureTask<Archive.Ready> task;

    private PreparationThread(FutureTask<Archive.Ready> task) {
        this.task = task;
    }

    static PreparationThread start(String name, Archive.Preparation preparation) {
        FutureTask<Archive.Ready> task = new FutureTask<>(preparation::prepare);
        Thread.ofPlatform().daemon().name(name).start(task);
        return new PreparationThread(task);
    }

    /** Tells if {@link #commit} need not wait. */
    boolean isDone() {
        return task.isDone();
    }

    /** Waits for the change, and makes it. Throws what preparing it threw. */
    Archive.Added commit() throws IOException {
        try (Archive.Ready ready = result()) {
            return ready.commit();
        }
    }

    /** Waits without an end for what has one: the thread may not leave a change half done. */
    private void await() {
        boolean interrupted = false;
        while (!task.isDone()) {
            try {
                task.get();
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException e) {
                break; // it is thrown when the result is asked for
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Archive.Ready result() throws IOException {
        await();
        if (task.state() == Future.State.SUCCESS) {
            return task.resultNow();
        }
        Throwable cause = task.exceptionNow();
        switch (cause) {
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(cause);
        }
    }

    /** Waits for the change, and does not make it. */
    @Override
    public void close() throws IOException {
        await();
        if (task.state() == Future.State.SUCCESS) {
            task.resultNow().close();
        }
    }
}
