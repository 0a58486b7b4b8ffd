package dev.veilgate.envelope.smime;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** What is sealed, written once while it is sealed. */
@FunctionalInterface
public interface SealedContent {
    /** Writes all of it; does not close the target. */
    void writeTo(OutputStream target) throws IOException;

    /** Everything that a stream gives, which is read once and not closed. */
    static SealedContent of(InputStream content) {
        return content::transferTo;
    }
}
