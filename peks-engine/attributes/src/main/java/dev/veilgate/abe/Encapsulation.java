package dev.veilgate.abe;

import dev.veilgate.secret.Secret;

/**
 * What a sender makes.
 *
 * @param ciphertext for readers; public
 * @param secret     32 bytes that the sender and the readers share; the caller derives keys from it, and wipes it
 */
@Secret
public record Encapsulation(byte[] ciphertext, byte[] secret) {
    /** Names nothing of the content. */
    @Override
    public String toString() {
        return "Encapsulation[" + ciphertext.length + " bytes]";
    }
}
