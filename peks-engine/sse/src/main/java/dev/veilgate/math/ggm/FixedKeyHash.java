package dev.veilgate.math.ggm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * Hashes of blocks of 16 bytes by AES under a key that everybody knows, many at a time: no key schedule a block, which
 * costs as much as some hundred blocks.
 *
 * <pre>
 *   key        = first 16 bytes of SHA-256("veilgate/ggm/1/" || use)
 *   one(x)     = AES(key, x) xor x                                    Matyas, Meyer, Oseas
 *   two(x, y)  = AES(key, AES(key, x) xor y) xor AES(key, x)          with a tweak y
 * </pre>
 *
 * <p>Security, in the model where AES under a fixed key is a public random permutation: {@code one} of unknown random
 * blocks, and of those blocks with a known mask over them, is random; {@code two} is so for any tweaks that differ
 * (Guo, Katz, Wang, Yu: Efficient and secure multiparty computation from fixed-key block ciphers, 2020, sections 6 and
 * 7.4). Not collision resistant: who chooses x and y finds equal hashes.
 *
 * <p>For one thread.
 */
public final class FixedKeyHash {
    /** Bytes of a block. */
    public static final int BYTES = 16;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final Cipher aes;
    private byte[] work = new byte[0];

    private FixedKeyHash(Cipher aes) {
        this.aes = aes;
    }

    /** The hashes of one use, different from those of every other. */
    public static FixedKeyHash of(String use) {
        try {
            byte[] key = MessageDigest.getInstance("SHA-256")
                    .digest(("veilgate/ggm/1/" + use).getBytes(StandardCharsets.US_ASCII));
            Cipher aes = Cipher.getInstance("AES/ECB/NoPadding");
            aes.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, 0, BYTES, "AES"));
            return new FixedKeyHash(aes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks AES or SHA-256", e);
        }
    }

    /** Replaces each of the first {@code count} blocks by its hash. */
    public void one(byte[] blocks, int count) {
        byte[] encrypted = encrypted(blocks, count);
        xor(encrypted, blocks, count);
    }

    /** Replaces each of the first {@code count} blocks by its hash with the tweak at the same place. */
    public void two(byte[] blocks, byte[] tweaks, int count) {
        byte[] once = encrypted(blocks, count);
        System.arraycopy(once, 0, blocks, 0, count * BYTES);
        xor(tweaks, blocks, count);
        // Now blocks = AES(x) xor y, and AES(x) is needed once more after the second encryption.
        byte[] first = Arrays.copyOf(once, count * BYTES);
        byte[] second = encrypted(blocks, count);
        System.arraycopy(second, 0, blocks, 0, count * BYTES);
        xor(first, blocks, count);
        Arrays.fill(first, (byte) 0);
    }

    private byte[] encrypted(byte[] blocks, int count) {
        int length = count * BYTES;
        if (work.length < length) {
            work = new byte[length];
        }
        try {
            aes.update(blocks, 0, length, work, 0);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        return work;
    }

    private static void xor(byte[] from, byte[] into, int count) {
        for (int at = 0; at < count * BYTES; at += Long.BYTES) {
            LONGS.set(into, at, (long) LONGS.get(into, at) ^ (long) LONGS.get(from, at));
        }
    }
}
