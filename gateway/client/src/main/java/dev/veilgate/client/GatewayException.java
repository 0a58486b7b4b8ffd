package dev.veilgate.client;

import java.io.Serial;

/** The gateway answered, and refused. The message is the problem's (RFC 9457). */
public final class GatewayException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int status;

    /** @param status of HTTP */
    public GatewayException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** Of HTTP. */
    public int status() {
        return status;
    }
}
