package dev.veilgate.extract.mail;

import java.io.IOException;

/** A limit of ours was reached while an attachment was read. */
final class TooMuch extends IOException {
    private static final long serialVersionUID = 1L;

    final Refusal.Reason reason;

    TooMuch(Refusal.Reason reason) {
        super(reason.name());
        this.reason = reason;
    }
}
