package dev.veilgate.ese;

import dev.veilgate.peks.KeyId;

/** A public key of an instance. Immutable, compared by value. */
public interface EsePublicKey {
    /** Names the key. */
    KeyId id();

    /** Canonical encoding, a copy; part of what {@link EncryptWithHash} hashes. */
    byte[] encode();
}
