package dev.veilgate.extract.mail;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The process that reads attachments, one after the other, from standard input; it ends with its parent. It writes no
 * file and opens no connection.
 *
 * <p>For each: the type that the mail declares, the characters that may be answered, then pieces, each behind its
 * length, up to one of length 0 ({@link #END}) or -1 ({@link #ABANDON}); answered by {@link #ANSWER} and
 * {@link AttachmentText#write}. Every limit holds here; that of time is the parent's.
 */
final class AttachmentWorker {
    /** Said by the parent before it sends an attachment, and answered by the same. */
    static final int HELLO = 0x56;

    static final int END = 0;
    static final int ABANDON = -1;

    /** Said before a document of ours is read, the first of its kind ({@link WarmUp}). */
    static final int WARMS_UP = 1;

    /** Said behind that. */
    static final int IS_WARM = 2;

    /** Said before an answer. */
    static final int ANSWER = 3;

    /** Said before an answer behind which the process ends. */
    static final int LAST_ANSWER = 4;

    private static final Path OUT_OF_MEMORY_SCORE = Path.of("/proc/self/oom_score_adj");
    private static final String MOST_WILLING = "1000";

    private final MailLimits limits;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final WarmUp warmUp;

    private AttachmentWorker(MailLimits limits, DataInputStream in, DataOutputStream out) {
        this.limits = limits;
        this.in = in;
        this.out = out;
        this.warmUp = new WarmUp(limits, new WarmUp.Listener() {
            @Override
            public void begins() throws IOException {
                say(WARMS_UP);
            }

            @Override
            public void ends() throws IOException {
                say(IS_WARM);
            }
        });
    }

    private void say(int what) throws IOException {
        out.write(what);
        out.flush();
    }

    /** @param args bytes to unpack to, embedded files, their depth, bytes of an attachment */
    static void main(String[] args) throws IOException {
        OutputStream answers = System.out;
        // Whatever a library prints is not part of an answer.
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        AttachmentLimits base = AttachmentLimits.DEFAULT;
        MailLimits limits = MailLimits.DEFAULT.with(new AttachmentLimits(
                Integer.parseInt(args[3]),
                Long.parseLong(args[0]),
                Integer.parseInt(args[1]),
                Integer.parseInt(args[2]),
                base.baseMillis(),
                base.megabyteMillis(),
                base.mostMillis(),
                base.stallMillis(),
                base.readerMegabytes()));
        offerToBeKilled();
        // A parser that loops does not see that standard input has ended.
        ProcessHandle.current()
                .parent()
                .ifPresent(parent ->
                        parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1)));
        TikaParsers.all(); // before the first hello: its time counts for no mail
        new AttachmentWorker(
                        limits,
                        new DataInputStream(new BufferedInputStream(System.in, 1 << 16)),
                        new DataOutputStream(new BufferedOutputStream(answers, 1 << 16)))
                .run();
    }

    /**
     * Where memory runs out, of the machine or of a group of processes, this one is ended before the program that it
     * reads for: its memory is what a stranger's attachment makes of it. On Linux; without effect elsewhere.
     */
    private static void offerToBeKilled() {
        try {
            Files.writeString(OUT_OF_MEMORY_SCORE, MOST_WILLING, StandardOpenOption.WRITE);
        } catch (IOException e) {
            // no such file: not Linux, or a container that hides it
        }
    }

    /**
     * Reads until there is no more, or until an attachment may have left something behind that harms the next one.
     * Where it may have been harmed itself by one before it, the process ends without an answer, so that another one
     * reads it.
     */
    private void run() throws IOException {
        boolean isFirst = true;
        while (in.read() == HELLO) {
            say(HELLO);
            String type = in.readUTF();
            int maxChars = in.readInt();
            byte[] bytes = receive();
            AttachmentText text = AttachmentText.refused(Refusal.Reason.DAMAGED);
            Error fault = null;
            if (bytes.length > 0) {
                OfficeText reader = new OfficeText(limits, maxChars, warmUp);
                reader.read(bytes, type);
                fault = reader.fault().orElse(null);
                text = fault instanceof StackOverflowError
                        ? AttachmentText.refused(Refusal.Reason.READER_FAILED)
                        : reader.result();
            }
            if (fault instanceof LinkageError && !isFirst) {
                return;
            }
            out.write(fault == null ? ANSWER : LAST_ANSWER);
            text.write(out);
            if (fault != null) {
                return;
            }
            isFirst = false;
        }
    }

    private byte[] receive() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 16);
        while (true) {
            int length = in.readInt();
            if (length == END) {
                return bytes.toByteArray();
            }
            if (length == ABANDON) {
                return new byte[0];
            }
            if (length < 0 || length > limits.attachments().maxBytes() - bytes.size()) {
                throw new EOFException("too long");
            }
            bytes.write(in.readNBytes(length));
        }
    }
}
