package dev.veilgate.transport.smtp;

/** How a mail server is spoken to. */
public enum SmtpTls {
    /** In clear. */
    NONE,
    /** STARTTLS if it is offered, with whatever certificate: keeps out those who only listen. */
    OPPORTUNISTIC,
    /** STARTTLS, and a certificate for the host that is trusted; or not at all. */
    REQUIRED,
    /** TLS from the first byte, and a certificate for the host that is trusted. */
    IMPLICIT;

    /** Whether the server's certificate must be trusted and bear its name. */
    public boolean isVerified() {
        return this == REQUIRED || this == IMPLICIT;
    }
}
