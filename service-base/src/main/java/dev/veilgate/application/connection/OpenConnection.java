package dev.veilgate.application.connection;

import java.nio.channels.SocketChannel;

/** Connection to an HTTP port, with how far its client has come. */
final class OpenConnection {
    /** How far a client has come. */
    enum Phase {
        /** The handshake of TLS or the header of a request has begun, and is not whole yet. */
        UNFINISHED,
        /** A request was answered, and no other has begun. */
        IDLE,
        /** A request is read or answered; a connection of HTTP/2 always counts as that. */
        BUSY,
        /** The connection is to be closed, and takes no request any more. */
        ENDING
    }

    private final SocketChannel channel;
    private final String client;
    private Phase phase = Phase.UNFINISHED;
    private Phase before = Phase.UNFINISHED;
    private long since;
    private boolean served;

    /**
     * A connection that was just accepted.
     *
     * @param client who is counted for it; empty: nobody
     */
    OpenConnection(SocketChannel channel, String client, long nanos) {
        this.channel = channel;
        this.client = client;
        this.since = nanos;
    }

    SocketChannel channel() {
        return channel;
    }

    String client() {
        return client;
    }

    /** Whether it is in a phase. */
    synchronized boolean isIn(Phase which) {
        return phase == which;
    }

    /** Since when it is in its phase. */
    synchronized long since() {
        return since;
    }

    /**
     * Says that a thread reads what came.
     *
     * @return whether it may
     */
    synchronized boolean take() {
        if (phase == Phase.ENDING) {
            return false;
        }
        before = phase;
        phase = Phase.BUSY;
        return true;
    }

    /** Says that the header of a request is whole. */
    synchronized void serve() {
        served = true;
    }

    /**
     * Says that a thread has read what came. Where that was nothing but blank lines, the connection stays in its phase.
     *
     * @param after the phase that this leads to
     */
    synchronized void giveBack(Phase after, long nanos) {
        boolean wasBusy = served || before == Phase.BUSY;
        phase = after == Phase.IDLE && !wasBusy ? before : after;
        if (wasBusy || phase != before) {
            since = nanos;
        }
        served = false;
    }

    /**
     * Ends it, unless it has come on meanwhile.
     *
     * @return whether it is to be closed now
     */
    synchronized boolean end(Phase in, long notAfter) {
        if (phase != in || since - notAfter > 0) {
            return false;
        }
        phase = Phase.ENDING;
        return true;
    }
}
