package dev.veilgate.client;

import dev.veilgate.peks.RecordSet;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
     * @param notAsked what else there is; empty if the gateway does not tell: one of before this was told, or a search
     *                 that did not go through all
     */
    record End(Progress progress, String outcome, long millis, Optional<NotAsked> notAsked) implements SearchEvent {
        static End of(JsonObject json) throws IOException {
            return new End(Progress.of(json), json.text("outcome"), json.number("millis"), NotAsked.told(json));
        }
    }

    /**
     * Groups of index blocks in the scopes and the range of a search that it had no trapdoor for.
     *
     * @param targets at most {@value #MOST_NAMED}
     * @param more    how many there are beside these
     */
    record NotAsked(List<Target> targets, long more) {
        /** Most that are named. */
        public static final int MOST_NAMED = 64;

        private static final int MOST_CHARACTERS = 255;

        /** More than any gateway has; so few that counts can be added, and shown by a browser. */
        private static final long MOST = 1L << 40;

        /** Copies. */
        public NotAsked {
            targets = List.copyOf(targets);
        }

        /**
         * Index blocks of one scope, epoch and index key.
         *
         * @param key id of the index key, lower-case hex
         */
        public record Target(String scheme, String key, String scope, String epoch) {}

        /** Reads what an end tells; what cannot be read, such as that of a later version, is not told. */
        static Optional<NotAsked> told(JsonObject end) {
            try {
                return end.fields().containsKey("notAsked")
                        ? Optional.of(of(end.object("notAsked")))
                        : Optional.empty();
            } catch (IOException _) {
                return Optional.empty();
            }
        }

        private static NotAsked of(JsonObject json) throws IOException {
            List<Target> targets = new ArrayList<>();
            for (JsonObject target : json.list("targets")) {
                targets.add(new Target(
                        name(target, "scheme"), name(target, "key"), name(target, "scope"), name(target, "epoch")));
            }
            long more = json.number("more");
            if (targets.size() > MOST_NAMED || more < 0 || more > MOST) {
                throw new IOException("the gateway's answer: notAsked names at most " + MOST_NAMED + ", and counts");
            }
            return new NotAsked(targets, more);
        }

        private static String name(JsonObject target, String field) throws IOException {
            String name = target.text(field);
            if (name.length() > MOST_CHARACTERS) {
                throw new IOException(
                        "the gateway's answer: " + field + " has at most " + MOST_CHARACTERS + " characters");
            }
            return name;
        }
    }

    /** Takes events in their order. */
    @FunctionalInterface
    interface Sink {
        /** May block, which holds the search back. */
        void event(SearchEvent event) throws InterruptedException;
    }
}
