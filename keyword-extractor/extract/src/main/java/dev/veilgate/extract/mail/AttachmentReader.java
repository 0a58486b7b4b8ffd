package dev.veilgate.extract.mail;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads attachments in a process of its own ({@link AttachmentWorker}). A thread that loops inside a parser cannot be
 * ended in Java, and memory that it takes cannot be bounded; a process can be killed, and has a heap of its own. So
 * what takes too long, or more memory than there is, costs this attachment and a new process, nothing else.
 *
 * <p>One process, started with the first attachment that needs it, and ended after a fault, a deadline,
 * {@value #MOST_MAILS} mails, or a minute without any; attachments wait for their turn, which does not count. Their
 * bytes pass through a pipe and are never on disk. For several threads.
 */
final class AttachmentReader implements AutoCloseable {
    /** Mails whose attachments one process reads: whatever a library keeps of them ends with it. */
    static final int MOST_MAILS = 100;

    private static final int IDLE_SECONDS = 60;
    /** For a process that has nothing to do to say that it listens; else another takes its place. */
    private static final Duration GREETING = Duration.ofSeconds(3);

    private final MailLimits limits;
    private final Semaphore turn = new Semaphore(1, true);
    private volatile @Nullable ReaderProcess present;
    private @Nullable AttachmentTime lastMail;
    private int mails;
    private long uses;
    private volatile int started;
    private volatile boolean isAbandoned;

    AttachmentReader(MailLimits limits) {
        this.limits = limits;
    }

    /** How many processes were started. */
    int started() {
        return started;
    }

    /** The process, if there is one. */
    Optional<ProcessHandle> process() {
        return Optional.ofNullable(present).map(ReaderProcess::handle);
    }

    /**
     * The text of an attachment.
     *
     * @param type     the type that the mail declares, lower case
     * @param maxChars characters wanted
     * @param time     that its mail has left
     * @throws ReaderProcess.SourceException if {@code body} fails
     * @throws ReaderProcess.StartException  if there is no process
     */
    ReaderProcess.Answer read(String type, InputStream body, int maxChars, AttachmentTime time)
            throws ReaderProcess.SourceException, ReaderProcess.StartException {
        try {
            turn.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReaderProcess.StartException(new InterruptedIOException("interrupted before its turn"));
        }
        try {
            return ask(type, body, maxChars, time);
        } finally {
            retireWhenIdle(++uses);
            turn.release();
        }
    }

    private ReaderProcess.Answer ask(String type, InputStream body, int maxChars, AttachmentTime time)
            throws ReaderProcess.SourceException, ReaderProcess.StartException {
        boolean isSound = false;
        try {
            ReaderProcess.Answer answer = ready(time).read(type, body, maxChars, time);
            isSound = answer.isSound();
            return answer;
        } finally {
            if (!isSound) {
                end();
            }
        }
    }

    private ReaderProcess ready(AttachmentTime mail) throws ReaderProcess.StartException {
        if (mail != lastMail) {
            lastMail = mail;
            mails++;
        }
        refuseIfAbandoned();
        ReaderProcess ready = present;
        if (ready != null && mails <= MOST_MAILS && ready.greets(GREETING)) {
            return ready;
        }
        end();
        mails = 1;
        started++;
        try {
            ready = ReaderProcess.start(limits);
        } catch (IOException e) {
            throw new ReaderProcess.StartException(e);
        }
        mail.spend(0, ready.used().toNanos());
        present = ready;
        if (isAbandoned) { // while it was started
            end();
            refuseIfAbandoned();
        }
        return ready;
    }

    private void refuseIfAbandoned() throws ReaderProcess.StartException {
        if (isAbandoned) {
            throw new ReaderProcess.StartException(new IOException("nothing more is to be read"));
        }
    }

    private void retireWhenIdle(long use) {
        if (present != null) {
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
        ReaderProcess ready = present;
        present = null;
        if (ready != null) {
            ready.close();
        }
    }

    /** Ends the process at once, also while it reads an attachment, which is refused then; no other is started. */
    void abandon() {
        isAbandoned = true;
        ReaderProcess reading = present;
        if (reading != null) {
            reading.close();
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
