package dev.veilgate.extract.mail;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Reads attachments in a process of its own ({@link AttachmentWorker}). A thread that loops inside a parser cannot be ended in Java, and memory that it
 * takes cannot be bounded; a process can be killed, and has a heap of its own. So what takes too long, or more memory than there is, costs this
 * attachment and a new process, nothing else.
 *
 * <p>One process, started with the first attachment that needs it and ended after a minute without any; attachments wait for their turn. Their
 * bytes pass through a pipe and are never on disk. For several threads.
 */
final class AttachmentReader implements AutoCloseable {
    private static final int IDLE_SECONDS = 60;
    /** For a new process to begin, and for one that is there to answer; not part of an attachment's time. */
    private static final int START_MILLIS = 60_000;

    private static final int GREET_MILLIS = 3_000;
    private static final int CHUNK_BYTES = 1 << 15;

    private final MailLimits limits;
    private final Semaphore turn = new Semaphore(1, true);
    private volatile @Nullable Worker worker;
    private long uses;
    private volatile int started;

    AttachmentReader(MailLimits limits) {
        this.limits = limits;
    }

    private record Worker(Process process, DataInputStream in, DataOutputStream out) {
        /** Whether it is there and listens; waits for one that has just been started. */
        boolean greets() {
            try {
                out.write(AttachmentWorker.HELLO);
                out.flush();
                return in.read() == AttachmentWorker.HELLO;
            } catch (IOException e) {
                return false;
            }
        }
    }

    /** The attachment itself could not be read from its mail. */
    static final class SourceException extends IOException {
        private static final long serialVersionUID = 1L;

        SourceException(IOException cause) {
            super(cause);
        }
    }

    /** How many processes were started. */
    int started() {
        return started;
    }

    /** The process, if there is one. */
    Optional<ProcessHandle> process() {
        Worker present = worker;
        return present == null ? Optional.empty() : Optional.of(present.process.toHandle());
    }

    /**
     * The text of an attachment.
     *
     * @param type     the type that the mail declares, lower case
     * @param maxChars characters wanted
     * @param millis   time there is
     * @throws SourceException if {@code body} fails
     */
    AttachmentText read(String type, InputStream body, int maxChars, long millis) throws SourceException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            if (millis <= 0 || !turn.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
                return AttachmentText.refused(Refusal.Reason.TIME_LIMIT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return AttachmentText.refused(Refusal.Reason.TIME_LIMIT);
        }
        try {
            long before = System.nanoTime();
            Worker ready = ready();
            deadline += System.nanoTime() - before;
            return ready == null
                    ? AttachmentText.refused(Refusal.Reason.READER_FAILED)
                    : ask(ready, type, body, maxChars, deadline);
        } finally {
            retireWhenIdle(++uses);
            turn.release();
        }
    }

    private @Nullable Worker ready() {
        Worker present = worker;
        if (present != null && greets(present, GREET_MILLIS)) {
            return present;
        }
        end();
        try {
            Worker fresh = start();
            worker = fresh;
            if (greets(fresh, START_MILLIS)) {
                return fresh;
            }
        } catch (IOException e) {
            return null;
        }
        end();
        return null;
    }

    private static boolean greets(Worker worker, int millis) {
        AtomicBoolean over = new AtomicBoolean();
        killAt(worker.process, millis, over);
        boolean greets = worker.greets();
        return over.compareAndSet(false, true) && greets;
    }

    private static void killAt(Process process, long millis, AtomicBoolean over) {
        Executor later = CompletableFuture.delayedExecutor(Math.max(1, millis), TimeUnit.MILLISECONDS);
        later.execute(() -> {
            if (over.compareAndSet(false, true)) {
                process.destroyForcibly();
            }
        });
    }

    private AttachmentText ask(Worker ready, String type, InputStream body, int maxChars, long deadline)
            throws SourceException {
        AtomicBoolean over = new AtomicBoolean();
        killAt(ready.process, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()), over);
        boolean sound = false;
        try {
            ready.out.writeUTF(type.length() > 200 ? "" : type);
            ready.out.writeInt(maxChars);
            boolean whole = send(body, ready.out);
            AttachmentText answer = AttachmentText.read(ready.in, limits);
            sound = over.compareAndSet(false, true);
            return whole ? answer : AttachmentText.refused(Refusal.Reason.TOO_LARGE);
        } catch (SourceException e) {
            throw e;
        } catch (IOException e) {
            boolean killed = !over.compareAndSet(false, true);
            return AttachmentText.refused(killed ? Refusal.Reason.TIME_LIMIT : Refusal.Reason.READER_FAILED);
        } finally {
            if (!sound) {
                over.set(true);
                end();
            }
        }
    }

    private boolean send(InputStream body, DataOutputStream out) throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        int total = 0;
        while (true) {
            int n;
            try {
                n = body.read(chunk);
            } catch (IOException e) {
                throw new SourceException(e);
            }
            if (n < 0 || total + n > limits.maxAttachmentBytes()) {
                out.writeInt(n < 0 ? AttachmentWorker.END : AttachmentWorker.ABANDON);
                out.flush();
                return n < 0;
            }
            if (n > 0) {
                out.writeInt(n);
                out.write(chunk, 0, n);
                total += n;
            }
        }
    }

    private Worker start() throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        ProcessBuilder builder = new ProcessBuilder(
                java.toString(),
                "-Xmx" + limits.readerMegabytes() + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:-UsePerfData",
                "-Djava.awt.headless=true",
                // No such folder: what would write a temporary file fails.
                "-Djava.io.tmpdir=" + Path.of(System.getProperty("java.home"), "no-temporary-files"),
                "-cp",
                System.getProperty("java.class.path"),
                AttachmentWorker.class.getName(),
                Long.toString(limits.maxInflatedBytes()),
                Integer.toString(limits.maxEmbedded()),
                Integer.toString(limits.maxEmbeddedDepth()),
                Integer.toString(limits.maxAttachmentBytes()));
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(List.of("SystemRoot", "LD_LIBRARY_PATH"));
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.directory(new File(System.getProperty("user.dir")));
        Process process = builder.start();
        started++;
        return new Worker(
                process,
                new DataInputStream(new BufferedInputStream(process.getInputStream(), 1 << 16)),
                new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), 1 << 16)));
    }

    private void retireWhenIdle(long use) {
        if (worker != null) {
            CompletableFuture.delayedExecutor(IDLE_SECONDS, TimeUnit.SECONDS).execute(() -> {
                if (turn.tryAcquire()) {
                    try {
                        if (uses == use) {
                            end();
                        }
                    } finally {
                        turn.release();
                    }
                }
            });
        }
    }

    private void end() {
        Worker present = worker;
        worker = null;
        if (present != null) {
            present.process.destroyForcibly();
        }
    }

    /** Ends the process; a later attachment starts another. */
    @Override
    public void close() {
        turn.acquireUninterruptibly();
        try {
            end();
        } finally {
            turn.release();
        }
    }
}
