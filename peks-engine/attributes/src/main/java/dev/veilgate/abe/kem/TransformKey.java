package dev.veilgate.abe.kem;

/**
 * What a server needs to do a reader's pairings: the reader's key, blinded. A type of its own, so that none is taken for a key.
 *
 * @param <S> key of a reader
 */
public final class TransformKey<S> {
    static final int VERSION = 1;
    static final int KIND = 'T';

    private final S blinded;

    TransformKey(S blinded) {
        this.blinded = blinded;
    }

    /** In the form of a key; it opens nothing. For what is public of it, its attributes or its policy. */
    public S blinded() {
        return blinded;
    }
}
