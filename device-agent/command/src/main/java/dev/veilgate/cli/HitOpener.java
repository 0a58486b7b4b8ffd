package dev.veilgate.cli;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.UnlockedEnvelope;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.reading.HitCheck;
import dev.veilgate.reading.MailChecks;
import dev.veilgate.reading.OpenedMail;
import dev.veilgate.reading.Reading;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.util.List;

/**
 * Opens what a search found and prints what really contains what was searched for. For one thread, but for {@link
 * #ahead}.
 */
final class HitOpener implements AutoCloseable {
    private static final String LIES =
            " does not contain what it was found by; its sender lies, or had another profile";

    private final Terminal terminal;
    private final TransformHelp help;
    private final Reading reading;
    private final HitCheck check;
    private final MailChecks<RuntimeException> mails;
    private final FoundPrinter printer;
    private long marked;

    /**
     * @param check closed with this
     * @param times of the processor time that attachments of a search have
     */
    HitOpener(Terminal terminal, TransformHelp help, HitCheck check, int times, FoundPrinter printer) {
        this.terminal = terminal;
        this.help = help;
        this.reading = help.reading();
        this.check = check;
        this.printer = printer;
        this.mails = new MailChecks<>(check, times, this::print);
    }

    /** How many records did not contain what they were found by. */
    long marked() {
        return marked;
    }

    /** Whether a gateway does the pairings, so that it is worth telling what comes. */
    boolean isHelped() {
        return help.isThere();
    }

    /** An envelope was fetched; its turn comes later. On any thread. */
    void ahead(byte[] envelope) {
        if (help.isThere()) {
            try {
                help.ahead(Envelope.decode(envelope));
            } catch (MalformedEncodingException e) {
                // said when its turn comes
            }
        }
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
        boolean signed = reading.isProven(envelope);
        for (int ordinal : found.ordinals().toArray()) {
            if (printer.isFull()) {
                return;
            }
            byte[] record = unlocked.record(ordinal);
            String origin = origins.isEmpty() ? "" : origins.get(ordinal);
            HitCheck.Checked checked = check.check(envelope, record, origin);
            switch (checked.verdict()) {
                case FOUND ->
                    printer.record(new FoundRecord(
                            envelope.id(),
                            signed ? envelope.sender() : "",
                            envelope.sequence(),
                            ordinal,
                            origin,
                            checked.time(),
                            record));
                case OUTSIDE -> printer.leaveOut(checked.time());
                case OTHERWISE_SIGNED -> throw new IllegalStateException("a record, not a mail");
                case LIES -> mark(source + ": record " + ordinal + LIES);
                case UNDECIDED -> throw new IllegalStateException("a record has no attachments");
            }
        }
    }

    /** The mail of an index; printed now or, if its attachments decide, later. */
    void mail(Envelope index, byte[] content) throws UnopenableEnvelopeException {
        mails.add(index, OpenedMail.of(index, content, reading));
    }

    /** Checks one of the mails whose attachments decide; false if there are no more. */
    boolean goOn() {
        return mails.goOn();
    }

    private boolean print(Envelope index, OpenedMail mail, HitCheck.CheckedMail checked) {
        if (checked.isUndated()) {
            printer.countUndated();
        }
        switch (checked.verdict()) {
            case FOUND -> printer.mail(mail, checked.time());
            case OUTSIDE -> printer.leaveOut(checked.time());
            case OTHERWISE_SIGNED -> printer.leaveOutSigned();
            case LIES -> mark(index.id() + ": the mail" + LIES);
            case UNDECIDED -> printer.leaveUnchecked(mail);
        }
        return !printer.isFull();
    }

    private void mark(String line) {
        marked++;
        terminal.err().println(Printable.of(line));
    }

    @Override
    public void close() {
        mails.close();
    }
}
