package dev.veilgate.cli;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.UnlockedEnvelope;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.reading.HitCheck;
import dev.veilgate.reading.OpenedMail;
import dev.veilgate.reading.Reading;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.util.List;

/** Opens what a search found and prints what really contains what was searched for. For one thread, but for {@link #ahead}. */
final class HitOpener {
    private static final String LIES =
            " does not contain what it was found by; its sender lies, or had another profile";

    private final Terminal terminal;
    private final TransformHelp help;
    private final Reading reading;
    private final HitCheck check;
    private final FoundPrinter printer;
    private long marked;

    HitOpener(Terminal terminal, TransformHelp help, HitCheck check, FoundPrinter printer) {
        this.terminal = terminal;
        this.help = help;
        this.reading = help.reading();
        this.check = check;
        this.printer = printer;
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
            }
        }
    }

    /** The mail of an index. */
    void mail(Envelope index, byte[] content) throws UnopenableEnvelopeException {
        OpenedMail mail = OpenedMail.of(index, content, reading);
        HitCheck.CheckedMail checked = check.checkMail(index, mail);
        switch (checked.verdict()) {
            case FOUND -> printer.mail(mail, checked.time());
            case OUTSIDE -> printer.leaveOut(checked.time());
            case OTHERWISE_SIGNED -> printer.leaveOutSigned();
            case LIES -> mark(index.id() + ": the mail" + LIES);
        }
    }

    private void mark(String line) {
        marked++;
        terminal.err().println(Printable.of(line));
    }
}
