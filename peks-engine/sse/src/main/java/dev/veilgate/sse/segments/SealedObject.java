package dev.veilgate.sse.segments;

import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.Message;

/**
 * A small object that was sealed and is not kept yet.
 *
 * @param name   of the object
 * @param v      from which, with the archive's key, its key follows; 32 bytes
 * @param object its bytes
 */
public record SealedObject(BlobName name, byte[] v, Message.Body object) {
    /** Copies. */
    public SealedObject {
        v = v.clone();
    }

    @Override
    public byte[] v() {
        return v.clone();
    }

    /** Shows name and size only. */
    @Override
    public String toString() {
        return "SealedObject[" + name + ", " + object.length() + " bytes]";
    }
}
