package dev.veilgate.sse;

import dev.veilgate.encoding.MalformedEncodingException;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/**
 * Objects of bytes that never change, each under a name that is the SHA-256 of its bytes, for what is too large for a
 * cell. An implementation is a map in memory, a folder, an object store.
 */
public interface BlobStore extends AutoCloseable {
    /**
     * Keeps an object, durably when this returns. Keeping it again changes nothing.
     *
     * @param name   the SHA-256 of the bytes
     * @param object can be read more than once
     * @throws MalformedEncodingException if the bytes have another SHA-256; nothing is kept
     * @throws IOException if the object cannot be read or written; nothing is kept
     */
    void put(BlobName name, Message.Body object) throws IOException, MalformedEncodingException;

    /** The number of bytes of an object; empty if it is not there. */
    OptionalLong length(BlobName name) throws IOException;

    /**
     * A range of an object.
     *
     * @param from   its first byte, 0 or more
     * @param length how many bytes, 0 or more; what the object has no more is left out
     * @throws java.nio.file.NoSuchFileException if the object is not there
     */
    byte[] read(BlobName name, long from, int length) throws IOException;

    /**
     * Makes sure that an object that is there will be there for an hour at least, though nobody names it: before a
     * manifest does. Only stores that let objects go by themselves have to do something for it.
     *
     * @return false if it is not there, and has to be put
     */
    default boolean restore(BlobName name) throws IOException {
        return length(name).isPresent();
    }

    /** The names of all objects, ascending. */
    List<BlobName> list() throws IOException;

    /** Removes an object durably, if it is there. */
    void remove(BlobName name) throws IOException;

    /** Frees what it holds open. */
    @Override
    void close();
}
