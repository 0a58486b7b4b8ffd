package dev.veilgate.abe.kem;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.CoinStream;
import dev.veilgate.secret.ErasableKey;
import dev.veilgate.secret.Secret;

/**
 * A scheme with its authority, who makes the keys of readers.
 *
 * @param <M> master key of the authority
 * @param <L> what a key says of its owner: attributes, or, where keys have policies, the policy
 */
@Secret
public interface AuthorityKem<P, M extends ErasableKey, S extends ReaderKey<L, ?>, L, D, C>
        extends OutsourcedKem<P, S, D, C> {
    /** The authority's keys. */
    KeyPair<P, M> setup(CoinStream coins);

    /** A reader's key. Elements of two keys cannot be combined. */
    S keyGen(M masterKey, L label, CoinStream coins);

    /** Whether {@link #delegate} does anything but refuse. */
    default boolean canDelegate() {
        return false;
    }

    /**
     * A key of less than another, made by its owner without the authority.
     *
     * @throws IllegalArgumentException if the scheme has no such thing, or the key lacks something of the label
     */
    default S delegate(P publicKey, S key, L label, CoinStream coins) {
        throw new IllegalArgumentException("keys of " + id() + " cannot be delegated");
    }

    @Override
    default byte[] encodeKey(S key) {
        return key.encode();
    }

    /** @throws MalformedEncodingException unless it is the encoding of a master key */
    M decodeMasterKey(byte[] bytes) throws MalformedEncodingException;
}
