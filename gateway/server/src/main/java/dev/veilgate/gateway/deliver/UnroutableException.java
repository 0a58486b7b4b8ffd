package dev.veilgate.gateway.deliver;

import dev.veilgate.transport.smtp.SmtpReply;

/** There is no next hop, and there will not be one. */
final class UnroutableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient SmtpReply reply;

    UnroutableException(SmtpReply reply) {
        super(reply.toString(), null, false, false);
        this.reply = reply;
    }

    SmtpReply reply() {
        return reply;
    }
}
