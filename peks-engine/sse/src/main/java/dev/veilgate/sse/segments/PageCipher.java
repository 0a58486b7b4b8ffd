package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals the pages of one part of one object: AES-256-GCM(key of the part, page's number in 12 bytes, page). The key is
 * of this part only, so no number is used twice.
 *
 * <p>For one thread.
 */
@Secret
final class PageCipher {
    /** Bytes of a page; the last of a part may have less. */
    static final int PAGE_BYTES = 8192;

    static final int TAG_BYTES = 16;
    static final int SEALED_BYTES = PAGE_BYTES + TAG_BYTES;

    private static final int NONCE_BYTES = 12;

    private final SecretKey key;
    private final Cipher cipher;

    /** @param key 32 bytes, which the caller wipes */
    PageCipher(byte[] key) {
        this.key = new SecretKeySpec(key, "AES");
        try {
            this.cipher = Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks AES-GCM", e);
        }
    }

    /** The sealed page. */
    byte[] seal(long number, byte[] page, int length) {
        try {
            init(Cipher.ENCRYPT_MODE, number);
            return cipher.doFinal(page, 0, length);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime cannot seal", e);
        }
    }

    /** @throws AEADBadTagException if the bytes are not what was sealed here under this number */
    byte[] open(long number, byte[] sealed, int at, int length) throws AEADBadTagException {
        try {
            init(Cipher.DECRYPT_MODE, number);
            return cipher.doFinal(sealed, at, length);
        } catch (AEADBadTagException e) {
            throw e;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime cannot open", e);
        }
    }

    private void init(int mode, long number) throws InvalidKeyException, InvalidAlgorithmParameterException {
        byte[] nonce =
                ByteBuffer.allocate(NONCE_BYTES).putInt(0).putLong(number).array();
        cipher.init(mode, key, new GCMParameterSpec(8 * TAG_BYTES, nonce));
    }
}
