package dev.veilgate.agent.follow;

import java.io.IOException;

/** Takes what sources read. */
public interface RecordSink {
    /** Takes a record; returns when there is room for another. */
    void accept(ReadRecord record) throws IOException, InterruptedException;

    /** Seals all that was accepted, so that the positions are those of what was read. */
    void settle() throws IOException, InterruptedException;

    /** Says that bytes of a source are certainly gone: goes into the next envelope. */
    void lost(String reason, long records, long bytes);

    /** Says that a rotated file was not read: for log and metrics, and if its content is nowhere else, for the next envelope. */
    void leftOut(LeftOut reason, long bytes);

    /** Says that something was perhaps lost: for the log. No path, no content. */
    void notice(String what);
}
