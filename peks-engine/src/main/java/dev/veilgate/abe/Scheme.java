package dev.veilgate.abe;

import dev.veilgate.abe.kem.OutsourcedKem;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.CoinStream;

/**
 * What the door asks of a scheme beside its algebra. One small class a scheme, and a line in {@link AttributeKems}.
 *
 * @param <P> public key
 * @param <M> master key
 * @param <S> a reader's key
 * @param <D> what a ciphertext says of its readers
 * @param <C> ciphertext
 */
interface Scheme<P, M, S, D, C> {
    /**
     * An authority's keys.
     *
     * @param <P> public key
     * @param <M> master key
     */
    record Keys<P, M>(P publicKey, M masterKey) {}

    OutsourcedKem<P, S, D, C> kem();

    boolean keysHavePolicies();

    Keys<P, M> setup(CoinStream coins);

    /** @param label of the right kind */
    S keyGen(P publicKey, M masterKey, Label label, CoinStream coins);

    /** Whether {@link #delegate} does anything but refuse. */
    default boolean canDelegate() {
        return false;
    }

    /** @param label of the right kind */
    default S delegate(P publicKey, S key, Label label, CoinStream coins) {
        throw new IllegalArgumentException("keys of " + kem().id() + " cannot be delegated");
    }

    Label keyLabel(S key);

    /** @param label of the right kind */
    D descriptor(Label label);

    Label label(D descriptor);

    byte[] encodeMasterKey(M key);

    M decodeMasterKey(byte[] bytes) throws MalformedEncodingException;

    void destroyMasterKey(M key);

    void destroyKey(S key);
}
