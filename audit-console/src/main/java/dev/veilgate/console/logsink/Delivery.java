package dev.veilgate.console.logsink;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** A way to a receiver. For one thread; {@link #close} may be called by any, and ends what the other waits for. */
interface Delivery extends AutoCloseable {
    /** Form in which the receiver gets entries. */
    EntryForm form();

    /**
     * Sends a batch, and returns if the receiver has acknowledged it.
     *
     * @throws RefusedException if the receiver said that it does not take it
     * @throws IOException      if it is not known whether the receiver has it
     */
    void send(Batch batch) throws IOException, InterruptedException;

    @Override
    void close();

    /** Answer of a receiver that has taken nothing. */
    final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        private final transient Optional<Duration> after;
        private final boolean tooLarge;

        /**
         * A refusal.
         *
         * @param after    what the receiver asks to be waited
         * @param tooLarge whether it would take less
         */
        RefusedException(String message, Optional<Duration> after, boolean tooLarge) {
            super(message);
            this.after = after;
            this.tooLarge = tooLarge;
        }

        Optional<Duration> after() {
            return after;
        }

        boolean isTooLarge() {
            return tooLarge;
        }
    }
}
