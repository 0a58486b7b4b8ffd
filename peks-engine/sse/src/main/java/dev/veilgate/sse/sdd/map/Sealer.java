package dev.veilgate.sse.sdd.map;

import dev.veilgate.secret.Secret;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Authenticated encryption by AES-256-GCM under fresh random nonces: nonce || ciphertext || tag. For one thread.
 *
 * <p>Up to 2^32 seals under a key, by which two nonces are equal with a chance of 2^-33.
 */
@Secret
public final class Sealer {
    /** Bytes that a seal is longer than what it seals. */
    public static final int OVERHEAD = 28;

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int NONCES = 64;

    private final Cipher gcm;
    private final SecretKeySpec key;
    private final SecureRandom random;
    private final byte[] nonces = new byte[NONCES * NONCE_BYTES];
    private int next = nonces.length;

    /** @param key 32 bytes, which the caller wipes */
    public Sealer(byte[] key, SecureRandom random) {
        try {
            this.gcm = Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks AES-GCM", e);
        }
        this.key = new SecretKeySpec(key, "AES");
        this.random = random;
    }

    /**
     * Seals.
     *
     * @param context authentic too; not part of the result
     * @param out     takes {@value #OVERHEAD} bytes more than {@code plain} has, from {@code at} on
     */
    public void seal(byte[] plain, byte[] context, byte[] out, int at) {
        if (next == nonces.length) {
            random.nextBytes(nonces);
            next = 0;
        }
        System.arraycopy(nonces, next, out, at, NONCE_BYTES);
        next += NONCE_BYTES;
        try {
            gcm.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, out, at, NONCE_BYTES));
            gcm.updateAAD(context);
            gcm.doFinal(plain, 0, plain.length, out, at + NONCE_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM does not seal", e);
        }
    }

    /** The same, in an array of its own. */
    public byte[] seal(byte[] plain, byte[] context) {
        byte[] out = new byte[plain.length + OVERHEAD];
        seal(plain, context, out, 0);
        return out;
    }

    /** The inverse of {@link #seal}; nothing if it was not made with this key and context. */
    public Optional<byte[]> open(byte[] sealed, int at, int length, byte[] context) {
        if (length < OVERHEAD) {
            return Optional.empty();
        }
        try {
            gcm.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, sealed, at, NONCE_BYTES));
            gcm.updateAAD(context);
            return Optional.of(gcm.doFinal(sealed, at + NONCE_BYTES, length - NONCE_BYTES));
        } catch (AEADBadTagException e) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM does not open", e);
        }
    }

    /** The inverse for a whole array. */
    public Optional<byte[]> open(byte[] sealed, byte[] context) {
        return open(sealed, 0, sealed.length, context);
    }

    /** Shows nothing. */
    @Override
    public String toString() {
        return "Sealer[hidden]";
    }
}
