package dev.veilgate.agent.follow;

import java.util.List;

/**
 * One record as read.
 *
 * @param lane   which envelopes it may go to
 * @param source where it was read: the path of the file as followed, a unit of the journal, standard input; sealed with the record
 * @param bytes  a line without its line feed; a carriage return stays. Or the lines that are the parts of one, with line feeds between
 * @param part   empty, or which part of a line longer than the limit: {@code <line>.<n>}, the last one {@code <line>.<n>.end}; a file's last line
 *               that has no line feed is a part without an end
 * @param origin where the source stands behind it
 */
@SuppressWarnings("ArrayRecordComponent")
public record ReadRecord(Lane lane, String source, byte[] bytes, String part, Origin origin) {
    /** Writes down where the sources of sealed records stand behind them: of each file once, as far as it is in order. */
    public static void advance(List<ReadRecord> records, Positions positions) {
        for (int i = 0; i < records.size(); i++) {
            ReadRecord record = records.get(i);
            boolean passed = i + 1 < records.size() && record.origin.isPassedBy(records.get(i + 1).origin);
            if (!passed) {
                record.origin.advance(positions, record.bytes);
            }
        }
    }

    /** Says how long, never what. */
    @Override
    public String toString() {
        return "ReadRecord[" + bytes.length + " bytes]";
    }
}
