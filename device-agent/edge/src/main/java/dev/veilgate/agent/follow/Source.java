package dev.veilgate.agent.follow;

import java.io.IOException;

/** Something that is read record by record, by one thread. */
public interface Source extends AutoCloseable {
    /** Opens what there is, before anything is read: what is open is not lost by a rotation, however long reading has to wait. */
    default void open(RecordSink sink) throws IOException, InterruptedException {}

    /**
     * Hands over what there is, but not endlessly much at once.
     *
     * @return whether there was anything
     */
    boolean poll(RecordSink sink) throws IOException, InterruptedException;

    /** Hands over the last record that has no line end, since nothing will follow it: at the end of the input. */
    void finish(RecordSink sink) throws IOException, InterruptedException;

    /**
     * Hands over what waits and may be gone at the next start, before a stop. What waits and is read again then stays.
     */
    default void stop(RecordSink sink) throws IOException, InterruptedException {}

    /** Whether it ended and will never give a record again, as standard input does. */
    default boolean ended() {
        return false;
    }

    /** One line for the health report: how much is followed, never what. */
    String describe();

    @Override
    void close();
}
