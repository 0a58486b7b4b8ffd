package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import java.io.IOException;

/** A word of a segment, while it is visited. */
@Secret
public interface FoundWord {
    /** The word's bytes, a copy; see {@link WordBytes}. */
    byte[] bytes();

    /** Whether the word begins so. */
    boolean startsWith(byte[] beginning);

    /** Whether the word's value ends so. */
    boolean endsWith(byte[] end);

    /** How many documents have the word. */
    int count();

    /** The documents. */
    Postings postings() throws IOException;
}
