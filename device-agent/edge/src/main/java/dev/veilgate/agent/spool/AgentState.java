package dev.veilgate.agent.spool;

import dev.veilgate.agent.follow.Positions;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.LossReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What must be known after a crash.
 *
 * @param generation grows with each save: of two states the higher holds
 * @param next       where the next envelope goes
 * @param positions  how far the sources were sealed, encoded: all, or what changed since a base
 * @param base       number of the file with the positions that these are changes of; 0 for none
 * @param loss       what was dropped and no envelope says yet
 * @param clock      latest time that was given to an envelope
 * @param templates  number of the file with the template miner's state; 0 for none
 * @param catalogue  version of the miner up to which its catalogue was sealed
 * @param serial     of the newest public bundle that was accepted
 * @param dropped    envelopes up to this sequence number were dropped for lack of room, if they are not on their way
 */
@SuppressWarnings("ArrayRecordComponent")
public record AgentState(
        long generation,
        ChainPosition next,
        byte[] positions,
        long base,
        List<LossReport> loss,
        Instant clock,
        long templates,
        long catalogue,
        long serial,
        long dropped) {
    private static final int VERSION = 2;
    /** As 2, without a base. */
    private static final int VERSION_WITHOUT_BASE = 1;

    private static final int MAX_POSITIONS_BYTES = 64 << 20;

    /** Before anything was sealed. */
    public static AgentState first() {
        return new AgentState(
                0, ChainPosition.first(), new Positions().encode(), 0, List.of(), Instant.EPOCH, 0, 0, 0, 0);
    }

    /** The encoding. */
    public byte[] encode() {
        CborWriter out = new CborWriter(256 + positions.length).array(12).integer(VERSION);
        out.integer(generation).integer(next.sequence()).bytes(next.previousDigest());
        out.bytes(positions).integer(base).array(loss.size());
        for (LossReport report : loss) {
            out.array(5).text(report.reason()).integer(report.records()).integer(report.bytes());
            out.integer(report.from().toEpochMilli()).integer(report.to().toEpochMilli());
        }
        out.integer(clock.toEpochMilli()).integer(templates).integer(catalogue).integer(serial);
        return out.integer(dropped).toByteArray();
    }

    /**
     * Reads an encoding.
     *
     * @throws MalformedEncodingException if it is none
     */
    public static AgentState decode(byte[] encoded) throws MalformedEncodingException {
        CborReader in = new CborReader("agent-state", encoded);
        int fields = in.array("state", 12);
        int version = in.uint("version", 255);
        boolean based = version == VERSION;
        if (fields != (based ? 12 : 11) || !based && version != VERSION_WITHOUT_BASE) {
            throw in.malformed("version", "must be " + VERSION + " or " + VERSION_WITHOUT_BASE);
        }
        long generation = in.unsigned("generation", Long.MAX_VALUE);
        ChainPosition next = new ChainPosition(in.unsigned("sequence", Long.MAX_VALUE), in.fixedBytes("previous", 32));
        byte[] positions = in.bytes("positions", MAX_POSITIONS_BYTES);
        long base = based ? in.unsigned("base", Long.MAX_VALUE) : 0;
        int reports = in.array("loss", EnvelopeDraft.MAX_LOSS_REPORTS);
        List<LossReport> loss = new ArrayList<>();
        for (int i = 0; i < reports; i++) {
            if (in.array("report", 5) != 5) {
                throw in.malformed("report", "must have 5 fields");
            }
            loss.add(new LossReport(
                    in.text("reason", 64),
                    in.unsigned("records", Long.MAX_VALUE),
                    in.unsigned("bytes", Long.MAX_VALUE),
                    Instant.ofEpochMilli(in.integer("from")),
                    Instant.ofEpochMilli(in.integer("to"))));
        }
        AgentState state = new AgentState(
                generation,
                next,
                positions,
                base,
                List.copyOf(loss),
                Instant.ofEpochMilli(in.integer("clock")),
                in.unsigned("templates", Long.MAX_VALUE),
                in.unsigned("catalogue", Long.MAX_VALUE),
                in.unsigned("serial", Long.MAX_VALUE),
                in.unsigned("dropped", Long.MAX_VALUE));
        in.end();
        return state;
    }
}
