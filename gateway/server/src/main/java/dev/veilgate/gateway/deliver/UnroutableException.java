package dev.veilgate.gateway.deliver;

/** There is no next hop, and there will not be one. */
final class UnroutableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Reply reply;

    UnroutableException(Reply reply) {
        super(reply.toString(), null, false, false);
        this.reply = reply;
    }

    Reply reply() {
        return reply;
    }
}
