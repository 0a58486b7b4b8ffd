package dev.veilgate.sse.sdd;

import dev.veilgate.secret.Secret;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-128 as a pseudorandom permutation of blocks of 16 bytes, many in a call. For one thread.
 *
 * <p>No mode of encryption: whoever uses it gives no block twice under a key.
 */
@Secret
final class Blocks {
    /** Bytes of a block, and of a key. */
    static final int BYTES = 16;

    private final Cipher aes;

    Blocks() {
        try {
            aes = Cipher.getInstance("AES/ECB/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks AES", e);
        }
    }

    /** AES(key, block) of each block. */
    byte[] encrypt(byte[] key, byte[] blocks) {
        return apply(Cipher.ENCRYPT_MODE, key, blocks);
    }

    /** The inverse of {@link #encrypt}. */
    byte[] decrypt(byte[] key, byte[] blocks) {
        return apply(Cipher.DECRYPT_MODE, key, blocks);
    }

    private byte[] apply(int mode, byte[] key, byte[] blocks) {
        try {
            aes.init(mode, new SecretKeySpec(key, "AES"));
            return aes.doFinal(blocks);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("blocks of " + BYTES + " bytes and a key of as many", e);
        }
    }
}
