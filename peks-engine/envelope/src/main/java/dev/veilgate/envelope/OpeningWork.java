package dev.veilgate.envelope;

import dev.veilgate.abe.Label;

/**
 * How much work opening one envelope may still cause. Anybody can seal, and what an envelope's wraps for policies ask
 * for grows with what a stranger wrote into them; without a bound, one mail occupies whoever opens it for minutes.
 * Counted in steps and not in time, so that an envelope opens everywhere or nowhere.
 *
 * <p>A step is a question whether a key has an attribute, well under a microsecond. {@link #MAX_STEPS} admit the
 * largest wrap that can be sealed once, the authority's own key for it, and a reader's hundreds of keys before it; an
 * envelope as a sealer makes it never comes near, since the first wrap that a key satisfies opens it.
 *
 * <p>For one envelope and one thread.
 */
public final class OpeningWork {
    /** Steps of one envelope: half a second on a core of 2026; the largest wrap of any scheme takes 0.15 to 0.3 s. */
    public static final int MAX_STEPS = 5_000_000;

    /** Of decapsulation: each leaf takes decoding, a hash into the group, and exponentiations, twice. */
    private static final int STEPS_OF_OPENING_A_BYTE = 48;
    /** Of a server's part of decapsulation: each leaf takes decoding and up to two pairings. */
    private static final int STEPS_OF_TRANSFORMING_A_BYTE = 32;
    /**
     * Of the reader's part of it: decoding, and exponentiations once. With those of opening the largest wrap it is
     * still within the limit, for when a server lies.
     */
    private static final int STEPS_OF_RETRIEVING_A_BYTE = 28;
    /** Of a transformation key: an attribute takes two points of 144 bytes to decode. */
    private static final int STEPS_OF_READING_A_KEY_BYTE = 8;
    /** Of having a label read. */
    private static final int STEPS_OF_READING_A_LABEL_BYTE = 2;
    /** Of looking for an envelope in a store. */
    private static final int STEPS_OF_FINDING = 2000;
    /** Of an envelope that is read from a store and decoded. */
    private static final int BYTES_READ_IN_A_STEP = 64;
    /** Of a key of one's own for a ciphertext. */
    private static final int STEPS_OF_KEY_OF_A_BYTE = 16;

    /** Of an X-Wing key of an epoch: expanding its seed takes 0.3 ms. */
    private static final int STEPS_OF_DERIVING_A_KEY = 3000;

    /** Of decapsulation by FrodoKEM-976, or expanding a seed of it: 15 ms by Java. */
    private static final int STEPS_OF_FRODOKEM = 140_000;

    private long left = MAX_STEPS;
    private boolean reached;

    OpeningWork() {}

    /** Whether the limit was reached; then nothing else is tried. */
    boolean isReached() {
        return reached;
    }

    /** Asks for the work of comparing a key with a label. */
    boolean compares(Label label) {
        return spend(1L + label.size());
    }

    /** Asks for the work of decapsulating a ciphertext of so many bytes. */
    boolean decapsulates(int bytes) {
        return spend((long) STEPS_OF_OPENING_A_BYTE * bytes);
    }

    /** Asks for the work of finishing what a server began with a ciphertext of so many bytes. */
    boolean retrieves(int bytes) {
        return spend((long) STEPS_OF_RETRIEVING_A_BYTE * bytes);
    }

    /** Asks for the work of a server's part of decapsulation. */
    boolean transforms(byte[] ciphertext) {
        return spend((long) STEPS_OF_TRANSFORMING_A_BYTE * ciphertext.length);
    }

    /** Asks for the work of decoding a transformation key. */
    boolean readsTransformKey(byte[] key) {
        return spend((long) STEPS_OF_READING_A_KEY_BYTE * key.length);
    }

    /** Asks for the work of reading what a ciphertext says of itself. */
    boolean readsLabel(byte[] ciphertext) {
        return spend((long) STEPS_OF_READING_A_LABEL_BYTE * ciphertext.length);
    }

    /** Asks for the work of looking for an envelope in a store. */
    boolean findsEnvelope() {
        return spend(STEPS_OF_FINDING);
    }

    /** Asks for the work of having read an envelope of so many bytes from a store. */
    boolean readsEnvelope(long bytes) {
        return spend(bytes / BYTES_READ_IN_A_STEP);
    }

    /** Asks for the work of making a key that opens a ciphertext, which only an authority can. */
    public boolean makesKeyFor(byte[] ciphertext) {
        return spend((long) STEPS_OF_KEY_OF_A_BYTE * ciphertext.length);
    }

    /** Asks for the work of deriving the readers' key of an epoch, which only an authority can. */
    public boolean derivesKey(WrapAlgorithm algorithm) {
        return spend(algorithm == WrapAlgorithm.X_WING ? STEPS_OF_DERIVING_A_KEY : STEPS_OF_FRODOKEM);
    }

    /** Asks for the work of decapsulation by a key of its own: next to nothing for X-Wing. */
    boolean decapsulates(WrapAlgorithm algorithm) {
        return spend(algorithm == WrapAlgorithm.X_WING ? 0 : STEPS_OF_FRODOKEM);
    }

    private boolean spend(long steps) {
        if (reached || steps > left) {
            reached = true;
            return false;
        }
        left -= steps;
        return true;
    }
}
