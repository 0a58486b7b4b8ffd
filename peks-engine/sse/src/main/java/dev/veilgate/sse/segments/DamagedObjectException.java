package dev.veilgate.sse.segments;

import dev.veilgate.sse.BlobName;
import java.io.IOException;
import java.io.Serial;

/**
 * An object of an archive has not the bytes that were put under its name, is shorter, or is not the one that its
 * manifest means. The message names the object and its part, and nothing of what it says.
 */
public final class DamagedObjectException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String object;
    private final String part;

    DamagedObjectException(BlobName object, String part) {
        super("the object " + object + " of the archive is damaged: " + part);
        this.object = object.value();
        this.part = part;
    }

    /** The object's name. */
    public BlobName object() {
        return new BlobName(object);
    }

    /** The part of it that is damaged, as the message names it. */
    String part() {
        return part;
    }
}
