package dev.veilgate.proxy;

import dev.veilgate.transport.smtp.MailSize;
import java.io.Serial;

/** A mail became, sealed, longer than the next server takes. */
final class TooLargeSealedException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    TooLargeSealedException(long bytes, long maxBytes) {
        super("sealed the message has " + MailSize.words(bytes) + ", and the next server takes "
                + MailSize.words(maxBytes));
    }
}
