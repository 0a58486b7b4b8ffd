package dev.veilgate.sender;

import dev.veilgate.envelope.Envelope;

/** Envelopes whose records are lines. */
public final class SealedLines {
    private SealedLines() {}

    /** True for an envelope whose records are log lines or parts of them; false for mails and catalogues of templates. */
    public static boolean areIn(Envelope envelope) {
        String type = envelope.mediaType();
        return type.equals(LineMedia.LINE) || type.startsWith(LineMedia.LINE + ";part=");
    }
}
