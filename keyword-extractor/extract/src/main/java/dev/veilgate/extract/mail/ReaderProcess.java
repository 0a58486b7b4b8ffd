package dev.veilgate.extract.mail;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A process that reads attachments ({@link AttachmentWorker}), seen from where they come from. For one thread at a
 * time.
 */
final class ReaderProcess implements AutoCloseable {
    /**
     * Processor time for the runtime and the libraries to begin, and for each kind of document to be read for the
     * first time.
     */
    private static final Duration START = Duration.ofSeconds(30);

    private static final int CHUNK_BYTES = 1 << 15;
    private static final int MAX_TYPE_CHARS = 200;

    private final MailLimits limits;
    private final Process process;
    private final DataInputStream in;
    private final DataOutputStream out;
    private int warmUps;

    /** The attachment itself could not be read from its mail. */
    static final class SourceException extends IOException {
        private static final long serialVersionUID = 1L;

        SourceException(IOException cause) {
            super(cause);
        }
    }

    /** No process could be started, whatever the attachment. */
    static final class StartException extends IOException {
        private static final long serialVersionUID = 1L;

        StartException(IOException cause) {
            super(cause);
        }
    }

    private ReaderProcess(MailLimits limits, Process process) {
        this.limits = limits;
        this.process = process;
        this.in = new DataInputStream(new BufferedInputStream(process.getInputStream(), 1 << 16));
        this.out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), 1 << 16));
    }

    /**
     * Starts one and waits until it listens.
     *
     * @throws IOException if it cannot be started, or ends
     */
    static ReaderProcess start(MailLimits limits) throws IOException {
        AttachmentLimits bounds = limits.attachments();
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        ProcessBuilder builder = new ProcessBuilder(
                java.toString(),
                "-Xmx" + bounds.readerMegabytes() + "m",
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
                Long.toString(bounds.maxInflatedBytes()),
                Integer.toString(bounds.maxEmbedded()),
                Integer.toString(bounds.maxEmbeddedDepth()),
                Integer.toString(bounds.maxBytes()));
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(List.of("SystemRoot", "LD_LIBRARY_PATH"));
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.directory(new File(System.getProperty("user.dir")));
        ReaderProcess started = new ReaderProcess(limits, builder.start());
        if (!started.greets(started.stall())) {
            started.close();
            throw new IOException("the reader of attachments ended before it listened");
        }
        return started;
    }

    /** Processor time that it has used since it was started. */
    Duration used() {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private Duration stall() {
        return Duration.ofMillis(limits.attachments().stallMillis());
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    /**
     * Whether it is there and listens; if not, it is killed.
     *
     * @param stall time of the wall in which it may do nothing
     */
    boolean greets(Duration stall) {
        try (ProcessorWatch watch = new ProcessorWatch(process.toHandle(), START, stall)) {
            watch.expect();
            out.write(AttachmentWorker.HELLO);
            out.flush();
            return in.read() == AttachmentWorker.HELLO;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * An answer to one attachment.
     *
     * @param isSound    whether the process may be asked again
     * @param isAnswered whether the process itself gave it; else the process died, or was killed
     */
    record Answer(AttachmentText text, boolean isSound, boolean isAnswered) {
        private static Answer refused(Refusal.Reason reason) {
            return new Answer(AttachmentText.refused(reason), false, false);
        }

        boolean has(Refusal.Reason reason) {
            return text.refusals().stream().anyMatch(refusal -> refusal.reason() == reason);
        }
    }

    /**
     * Has an attachment read.
     *
     * @param type     that the mail declares, lower case
     * @param maxChars characters wanted
     * @param time     that its mail has left; grows by its bytes, and less by what is used
     * @throws SourceException if {@code body} fails; the process must be ended then
     */
    Answer read(String type, InputStream body, int maxChars, AttachmentTime time) throws SourceException {
        try (ProcessorWatch watch = new ProcessorWatch(process.toHandle(), left(time), stall())) {
            try {
                return read(type, body, maxChars, time, watch);
            } catch (SourceException e) {
                throw e;
            } catch (IOException e) {
                return Answer.refused(watch.killedFor().orElse(Refusal.Reason.READER_FAILED));
            } finally {
                time.spend(watch.spentNanos(), watch.pausedNanos());
            }
        }
    }

    private static Duration left(AttachmentTime time) {
        return Duration.ofNanos(time.leftNanos());
    }

    private Answer read(String type, InputStream body, int maxChars, AttachmentTime time, ProcessorWatch watch)
            throws IOException {
        out.writeUTF(type.length() > MAX_TYPE_CHARS ? "" : type);
        out.writeInt(maxChars);
        boolean isWhole = send(body, time, watch);
        watch.expect();
        Answer answer = answer(watch);
        return watch.killedFor()
                .map(Answer::refused)
                .orElseGet(() -> isWhole
                        ? answer
                        : new Answer(AttachmentText.refused(Refusal.Reason.TOO_LARGE), answer.isSound, true));
    }

    private Answer answer(ProcessorWatch watch) throws IOException {
        while (true) {
            switch (in.read()) {
                case AttachmentWorker.WARMS_UP -> {
                    if (++warmUps > WarmUp.KINDS) {
                        throw new IOException("the reader of attachments answered out of bounds");
                    }
                    watch.pause(START);
                }
                case AttachmentWorker.IS_WARM -> watch.goOn();
                case AttachmentWorker.ANSWER -> {
                    return new Answer(AttachmentText.read(in, limits), true, true);
                }
                case AttachmentWorker.LAST_ANSWER -> {
                    return new Answer(AttachmentText.read(in, limits), false, true);
                }
                default -> throw new IOException("the reader of attachments ended");
            }
        }
    }

    /** Whether all was sent; else it is too large. */
    private boolean send(InputStream body, AttachmentTime time, ProcessorWatch watch) throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        int total = 0;
        while (true) {
            int n;
            try {
                n = body.read(chunk);
            } catch (IOException e) {
                throw new SourceException(e);
            }
            watch.expect();
            if (n < 0 || total + n > limits.attachments().maxBytes()) {
                out.writeInt(n < 0 ? AttachmentWorker.END : AttachmentWorker.ABANDON);
                out.flush();
                return n < 0;
            }
            if (n > 0) {
                out.writeInt(n);
                out.write(chunk, 0, n);
                total += n;
                time.grow(n);
                watch.allow(left(time));
            }
            watch.rest();
        }
    }

    /** Ends it at once. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
