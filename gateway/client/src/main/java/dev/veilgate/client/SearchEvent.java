package dev.veilgate.client;

import dev.veilgate.peks.RecordSet;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.UUID;

/** What a gateway says while it searches. */
public sealed interface SearchEvent {
    /**
     * An envelope that was found.
     *
     * @param number   of the hit, from 1
     * @param which    the envelope
     * @param sender   as the envelope names it, not proven; empty if it is not registered
     * @param first    time of its earliest record
     * @param last     time of its latest record
     * @param detached whether its content is a mail beside it
     * @param records  those found
     */
    record Hit(
            long number,
            EnvelopeRef which,
            String sender,
            long sequence,
            Instant first,
            Instant last,
            boolean detached,
            RecordSet records)
            implements SearchEvent {
        /** The envelope's id. */
        public UUID envelope() {
            return which.id();
        }

        static Hit of(long number, JsonObject json) throws IOException {
            try {
                return new Hit(
                        number,
                        EnvelopeRef.of("envelope", json),
                        json.text("sender"),
                        json.number("sequence"),
                        Instant.parse(json.text("first")),
                        Instant.parse(json.text("last")),
                        json.bool("detached"),
                        RecordSet.of(json.numbers("records")));
            } catch (IllegalArgumentException | DateTimeException e) {
                throw new IOException("the gateway's answer: a hit is not one", e);
            }
        }
    }

    /**
     * How far it is.
     *
     * @param envelopes        to be looked at
     * @param envelopesDone    looked at
     * @param blocksTested     index blocks on which Test ran
     * @param blocksRemembered index blocks whose answer was remembered
     * @param hits             envelopes found
     * @param records          records found
     */
    record Progress(
            long envelopes, long envelopesDone, long blocksTested, long blocksRemembered, long hits, long records)
            implements SearchEvent {
        static Progress of(JsonObject json) throws IOException {
            return new Progress(
                    json.number("envelopes"),
                    json.number("envelopesDone"),
                    json.number("blocksTested"),
                    json.number("blocksRemembered"),
                    json.number("hits"),
                    json.number("records"));
        }
    }

    /**
     * The end.
     *
     * @param progress the last one
     * @param outcome  complete, cancelled or failed
     * @param millis   how long it took
     */
    record End(Progress progress, String outcome, long millis) implements SearchEvent {
        static End of(JsonObject json) throws IOException {
            return new End(Progress.of(json), json.text("outcome"), json.number("millis"));
        }
    }

    /** Takes events in their order. */
    @FunctionalInterface
    interface Sink {
        /** May block, which holds the search back. */
        void event(SearchEvent event) throws InterruptedException;
    }
}
