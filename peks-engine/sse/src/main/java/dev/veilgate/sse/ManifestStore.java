package dev.veilgate.sse;

import java.io.IOException;
import java.util.Optional;

/**
 * Numbered manifests of an archive, from 1 on and without holes: a number is given once, to one writer. The store knows
 * nothing of what a manifest says; whoever reads one checks it. Several writers may use a store at a time.
 */
public interface ManifestStore extends AutoCloseable {
    /** The highest number that is taken, by a manifest or by bytes that are none; 0 if there is none. */
    long newest() throws IOException;

    /**
     * The bytes under a number, all of them; empty if it is not taken. Of an older number these may be what
     * {@link #shorten} left.
     */
    Optional<byte[]> read(long number) throws IOException;

    /**
     * Puts a manifest under a number that is not taken, behind a number that is.
     *
     * @return true only if what stands there afterwards, read back, are these bytes, and durable; false if other bytes
     *     stand there. Writers with the same bytes are one writer. False to a writer that was stopped for long does not
     *     say that its manifest never stood there: it may have been shortened since
     * @throws UnsettledException if it is not known whether it was put, or it may be put yet. To put the same bytes
     *     again settles it, and so does any other manifest that stands under the number
     * @throws IOException if it was not put, and will not be
     */
    boolean create(long number, byte[] manifest) throws IOException;

    /**
     * Replaces what stands under a number by its head. Readers find the one or the other.
     *
     * @param expected what stands there now
     * @throws ConflictException if other bytes stand there, except the head, or it is the newest; nothing is changed
     */
    void shorten(long number, byte[] expected, byte[] head) throws IOException;

    /** Makes durable what stands under a number and below, whoever put it there: before it is noted as seen. */
    void force(long number) throws IOException;

    /** Frees what it holds open. */
    @Override
    void close();
}
