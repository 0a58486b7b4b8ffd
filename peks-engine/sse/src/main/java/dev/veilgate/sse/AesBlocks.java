package dev.veilgate.sse;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-128 of single blocks, under one key after another: a pseudorandom permutation of 16 bytes. As a function of
 * different blocks it is pseudorandom up to some 2^64 of them. For those who write a scheme.
 *
 * <p>For one thread.
 */
public final class AesBlocks {
    /** Bytes of a block, and of a key. */
    public static final int BYTES = 16;

    private final Cipher cipher;

    /** No key yet. */
    public AesBlocks() {
        try {
            cipher = Cipher.getInstance("AES/ECB/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks AES", e);
        }
    }

    /** Sets the key, from a place in an array, for encryption. */
    public AesBlocks encryptWith(byte[] key, int at) {
        return init(Cipher.ENCRYPT_MODE, key, at);
    }

    /** Sets the key for decryption. */
    public AesBlocks decryptWith(byte[] key, int at) {
        return init(Cipher.DECRYPT_MODE, key, at);
    }

    private AesBlocks init(int mode, byte[] key, int at) {
        try {
            cipher.init(mode, new SecretKeySpec(key, at, BYTES, "AES"));
            return this;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The images of whole blocks, one after the other. */
    public byte[] of(byte[] blocks) {
        byte[] out = new byte[blocks.length];
        try {
            cipher.update(blocks, 0, blocks.length, out, 0);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        return out;
    }

    /** The image of a block of two numbers. */
    public byte[] of(long first, long second) {
        return of(ByteBuffer.allocate(BYTES).putLong(first).putLong(second).array());
    }

    /** Images of the numbers from one on, each with a zero behind it. */
    public byte[] ofCounters(long from, int count) {
        ByteBuffer blocks = ByteBuffer.allocate(count * BYTES);
        for (int i = 0; i < count; i++) {
            blocks.putLong(from + i).putLong(0);
        }
        return of(blocks.array());
    }

    /** Shows nothing. */
    @Override
    public String toString() {
        return "AesBlocks[hidden]";
    }
}
