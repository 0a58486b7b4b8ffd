package dev.veilgate.gateway.deliver;

/** The durable queue of mail on its way out. */
public interface OutboundQueue {
    /** Queues within the transaction that the calling thread is in; it is sent some time after that commits, and not if it does not. */
    void add(OutboundMail mail);
}
