package dev.veilgate.cli;

import dev.veilgate.encoding.CborSequence;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Optional;

/** One pass over the envelopes of streams, in their order, some of them read ahead. */
final class EnvelopePass {
    /** What is read ahead takes no more than this. */
    private static final long MAX_AHEAD_BYTES = 32 << 20;

    @SuppressWarnings("ArrayRecordComponent")
    private record Read(String source, byte[] bytes) {}

    private final Terminal terminal;
    private final EnvelopeSource.Each each;
    private final ArrayDeque<Read> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private long refused;

    EnvelopePass(Terminal terminal, EnvelopeSource.Each each) {
        this.terminal = terminal;
        this.each = each;
    }

    /** The envelopes of a stream, up to where none begins. */
    void stream(String name, InputStream in) throws Exception {
        CborSequence sequence = new CborSequence("envelope", in, Envelope.MAX_BYTES);
        for (long place = 1; ; place++) {
            String source = name + ":" + place;
            Optional<byte[]> next;
            try {
                next = sequence.next();
            } catch (MalformedEncodingException e) {
                doAll();
                refuse(source, e.getMessage() + "; what is behind it in this file cannot be read");
                return;
            }
            if (next.isEmpty()) {
                return;
            }
            add(new Read(source, next.get()));
        }
    }

    /** Does what is left; how many were refused. */
    long end() throws Exception {
        doAll();
        return refused;
    }

    private void add(Read read) throws Exception {
        if (each.ahead() > 0) {
            each.comes(read.bytes);
        }
        waiting.add(read);
        waitingBytes += read.bytes.length;
        while (waiting.size() > each.ahead() || waitingBytes > MAX_AHEAD_BYTES && !waiting.isEmpty()) {
            doNext();
        }
    }

    private void doAll() throws Exception {
        while (!waiting.isEmpty()) {
            doNext();
        }
    }

    private void doNext() throws Exception {
        Read next = waiting.remove();
        waitingBytes -= next.bytes.length;
        try {
            each.envelope(next.source, next.bytes);
        } catch (MalformedEncodingException | UnopenableEnvelopeException e) {
            refuse(next.source, String.valueOf(e.getMessage()));
        }
        if (terminal.out().checkError()) { // flushes; who read it has seen enough
            throw new CommandFailure(ExitCode.IO, "");
        }
    }

    private void refuse(String source, String why) {
        refused++;
        terminal.err().println(Printable.of(source + ": refused: " + why));
    }
}
