package dev.veilgate.envelope;

import dev.veilgate.abe.Label;

/**
 * How much work opening one envelope may still cause. Anybody can seal, and what an envelope's wraps for policies ask for grows with what a stranger wrote into them; without a bound, one mail
 * occupies whoever opens it for minutes. Counted in steps and not in time, so that an envelope opens everywhere or nowhere.
 *
 * <p>A step is a question whether a key has an attribute, well under a microsecond. {@link #MAX_STEPS} admit the largest wrap that can be sealed once, the authority's own key for it, and a
 * reader's hundreds of keys before it; an envelope as a sealer makes it never comes near, since the first wrap that a key satisfies opens it.
 *
 * <p>For one envelope and one thread.
 */
public final class OpeningWork {
    /** Steps of one envelope: half a second on a core of 2026; the largest wrap of any scheme takes 0.15 to 0.3 s. */
    public static final int MAX_STEPS = 5_000_000;

    /** Of decapsulation: each leaf takes decoding, a hash into the group, and exponentiations, twice. */
    private static final int STEPS_OF_OPENING_A_BYTE = 48;
    /** Of a key of one's own for a ciphertext. */
    private static final int STEPS_OF_KEY_OF_A_BYTE = 16;

    /** Of an X-Wing key of an epoch: expanding its seed takes 0.3 ms. */
    private static final int STEPS_OF_DERIVING_A_KEY = 3000;

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

    /** Asks for the work of decapsulating. */
    boolean decapsulates(byte[] ciphertext) {
        return spend((long) STEPS_OF_OPENING_A_BYTE * ciphertext.length);
    }

    /** Asks for the work of making a key that opens a ciphertext, which only an authority can. */
    public boolean makesKeyFor(byte[] ciphertext) {
        return spend((long) STEPS_OF_KEY_OF_A_BYTE * ciphertext.length);
    }

    /** Asks for the work of deriving the readers' key of an epoch, which only an authority can. */
    public boolean derivesKey() {
        return spend(STEPS_OF_DERIVING_A_KEY);
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
