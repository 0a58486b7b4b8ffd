package dev.veilgate.sender;

import dev.veilgate.envelope.Envelope;

/** Envelopes whose records are lines. */
public final class SealedLines {
    private SealedLines() {}

    /** Whether the records of an envelope are lines or parts of lines, and not mails or a catalogue of templates. */
    public static boolean areIn(Envelope envelope) {
        String type = envelope.mediaType();
        return type.equals(LineMedia.LINE) || type.startsWith(LineMedia.LINE + ";part=");
    }
}
