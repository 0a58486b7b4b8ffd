package dev.veilgate.agent;

import dev.veilgate.agent.follow.Lane;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.LossReport;
import dev.veilgate.envelope.Origin;
import dev.veilgate.envelope.SealedEnvelope;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes an envelope of a batch: chooses its keywords, seals, signs. */
interface BatchSealer extends AutoCloseable {
    /**
     * What goes into an envelope.
     *
     * @param lane      whose scope, format and media type
     * @param mediaType the lane's, or that of a part of a line
     * @param records   the plaintexts
     * @param heartbeatSeconds promise
     * @param origins   where the records came from; none for what is not read
     * @param isJoined  whether a record is made of several lines
     */
    record Content(
            Lane lane,
            String mediaType,
            List<byte[]> records,
            Instant first,
            Instant last,
            List<LossReport> loss,
            int heartbeatSeconds,
            List<Origin> origins,
            boolean isJoined) {
        /** Says how much, never what. */
        @Override
        public String toString() {
            return "Content[" + records.size() + " records]";
        }
    }

    /** What templates are new: a record for a catalogue envelope, and the version up to which it speaks. */
    @SuppressWarnings("ArrayRecordComponent")
    record Catalogue(byte[] record, long version) {}

    /** Nothing can be sealed now: no valid bundle, no epoch. The message says what to do. */
    final class NotReadyException extends Exception {
        private static final long serialVersionUID = 1L;

        NotReadyException(String message) {
            super(message);
        }
    }

    /** By the rules of the present each line is a record. */
    final class LineByLineException extends Exception {
        private static final long serialVersionUID = 1L;

        LineByLineException() {
            super("each line is a record");
        }
    }

    /**
     * Seals an envelope.
     *
     * @throws IllegalArgumentException if it would be too large
     * @throws LineByLineException      if a record is made of several lines, and by the rules of the present none is
     */
    SealedEnvelope seal(Content content, ChainPosition at) throws NotReadyException, LineByLineException;

    /**
     * How long a record may be that is made of the parts of a line.
     *
     * @param format of a lane
     * @return bytes; 0 if each line is a record now
     */
    int mostJoinedBytes(String format);

    /** Serial of the bundle in use; 0 if none. */
    long bundleSerial();

    /** What is wrong, or will be soon; empty if all is well. */
    String warning(Instant now);

    /**
     * Grows when the template miner learns something by which it names messages. How often each was seen is kept with
     * that, and with each catalogue.
     */
    long templatesVersion();

    /** The miner's state; empty if there is none. */
    byte[] encodeTemplates();

    /** Goes on with a miner's state. */
    void restoreTemplates(byte[] state) throws IOException;

    /** New templates since a version; null if there are none. */
    @Nullable
    Catalogue catalogueSince(long version);

    @Override
    void close();
}
