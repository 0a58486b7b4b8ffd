package dev.veilgate.cli;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;

/** The warning that a match is by an index which nobody can verify: of the form that earlier versions sealed. */
final class OutdatedIndex {
    private OutdatedIndex() {}

    /** Warns if the envelope, which matched, has such an index. */
    static void say(Terminal terminal, IndexSchemes schemes, String source, Envelope envelope) {
        if (IndexAdmission.isOutdated(envelope, schemes)) {
            terminal.err()
                    .println(Printable.of(source + ": the index is of an earlier form; its sender could choose what it"
                            + " matches"));
        }
    }
}
