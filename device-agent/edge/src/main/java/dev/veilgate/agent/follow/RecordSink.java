package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.Refusal;
import java.io.IOException;

/** Takes what sources read. */
public interface RecordSink {
    /** Takes a record; returns when there is room for another. */
    void accept(ReadRecord record) throws IOException, InterruptedException;

    /** Seals all that was accepted, so that the positions are those of what was read. */
    void settle() throws IOException, InterruptedException;

    /**
     * Says that something of a source is gone, or may be, which then nobody can know: goes into the next envelope.
     *
     * @param source  for the log: a path, or what else is followed
     * @param records 0 if not known
     * @param bytes   0 if not known
     */
    void lost(String reason, String source, long records, long bytes);

    /**
     * Says that lines may have been read twice.
     *
     * @param source for the log
     * @param bytes  of lines at most
     */
    void repeated(String source, long bytes);

    /**
     * Says that a file begins with the same bytes as another that is followed, too, as a copy does: its lines may be
     * read twice.
     *
     * @param path  for the log
     * @param other for the log
     */
    void copied(String path, String other);

    /**
     * Says that a rotated file was not read: for log and metrics, and if its content is nowhere else, for the next
     * envelope.
     */
    void leftOut(LeftOut reason, long bytes);

    /**
     * Says that a file is not read since it may not be: for log and metrics.
     *
     * @param path for the log
     */
    void refused(String path, Refusal refusal);

    /** Says that something was perhaps lost: for the log. No path, no content. */
    void notice(String what);
}
