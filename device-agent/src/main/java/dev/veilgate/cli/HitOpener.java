package dev.veilgate.cli;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.UnlockedEnvelope;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.reading.HitCheck;
import dev.veilgate.reading.OpenedMail;
import dev.veilgate.reading.Reading;
import dev.veilgate.terminal.Terminal;
import java.util.List;

/** Opens what a search found and prints what really contains what was searched for. For one thread. */
final class HitOpener {
    private static final String LIES =
            " does not contain what it was found by; its sender lies, or had another profile";

    private final Terminal terminal;
    private final Reading reading;
    private final HitCheck check;
    private final FoundPrinter printer;
    private long marked;

    HitOpener(Terminal terminal, Reading reading, HitCheck check, FoundPrinter printer) {
        this.terminal = terminal;
        this.reading = reading;
        this.check = check;
        this.printer = printer;
    }

    /** How many records did not contain what they were found by. */
    long marked() {
        return marked;
    }

    /**
     * The records of an envelope.
     *
     * @param source names the envelope in what is said of it
     */
    void records(String source, Envelope envelope, RecordSet found) throws UnopenableEnvelopeException {
        try (UnlockedEnvelope unlocked = reading.opener().unlock(envelope)) {
            records(source, envelope, unlocked, found);
        }
    }

    private void records(String source, Envelope envelope, UnlockedEnvelope unlocked, RecordSet found)
            throws UnopenableEnvelopeException {
        List<String> origins = unlocked.origins();
        boolean signed =
                reading.sender(envelope.sender()).filter(envelope::signedBy).isPresent();
        for (int ordinal : found.ordinals().toArray()) {
            if (printer.isFull()) {
                return;
            }
            byte[] record = unlocked.record(ordinal);
            String origin = origins.isEmpty() ? "" : origins.get(ordinal);
            switch (check.of(record, origin)) {
                case FOUND ->
                    printer.record(new FoundRecord(
                            envelope.id(),
                            signed ? envelope.sender() : "",
                            envelope.sequence(),
                            ordinal,
                            origin,
                            record));
                case OUTSIDE -> {} // of a time that was not asked for
                case LIES -> mark(source + ": record " + ordinal + LIES);
            }
        }
    }

    /** The mail of an index. */
    void mail(Envelope index, byte[] content) throws UnopenableEnvelopeException {
        OpenedMail mail = OpenedMail.of(index, content, reading.opener());
        if (check.ofMail(mail.message())) {
            printer.mail(mail);
        } else {
            mark(index.id() + ": the mail" + LIES);
        }
    }

    private void mark(String line) {
        marked++;
        terminal.err().println(Printable.of(line));
    }
}
