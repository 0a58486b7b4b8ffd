package dev.veilgate.pq;

import dev.veilgate.secret.Secret;

/**
 * A shared secret and its ciphertext.
 *
 * @param secret     the caller erases it
 * @param ciphertext for the owner of the key
 */
@Secret
public record EncapsulatedSecret(byte[] secret, byte[] ciphertext) {
    @Override
    public String toString() {
        return "Encapsulated[hidden]";
    }
}
