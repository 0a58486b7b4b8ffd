package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.MessageContext;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * H2 and the posting list's keystream of an index block, both HMAC-SHA-256 under the slot key k_i, and the digest of the block
 * that both bind:
 *
 * <pre>
 *   binding = SHA-256("veilgate/ntru-peks/block/1" || header || context || counts || A)
 *   tag_i   = first 16 bytes of HMAC(k_i, 1 || binding || b_i || ct_i)
 *   pad_i   = HMAC(k_i, 2 || binding)
 * </pre>
 *
 * One thread at a time.
 */
final class SlotHash {
    static final int TAG_BYTES = 16;
    private static final byte TAG = 1;
    private static final byte PAD = 2;
    private static final byte[] DOMAIN = "veilgate/ntru-peks/block/1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PAPER_DOMAIN = "veilgate/ntru-peks/h2/1".getBytes(StandardCharsets.US_ASCII);

    private final Mac mac;
    private final byte[] binding;

    /** @param binding from {@link #binding} */
    SlotHash(byte[] binding) {
        this.binding = binding;
        try {
            mac = Mac.getInstance("HmacSHA256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks HmacSHA256", e);
        }
    }

    /** @param publicPart the payload up to and with A */
    static byte[] binding(IndexBlock block, MessageContext context, byte[] payload, int publicPart) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(DOMAIN);
            sha.update(block.header());
            sha.update(context.encode());
            sha.update(payload, 0, publicPart);
            return sha.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    /** The tag of a slot. */
    byte[] tag(byte[] slotKey, byte[] b, byte[] postings) {
        init(slotKey);
        mac.update(TAG);
        mac.update(binding);
        mac.update(b);
        mac.update(postings);
        return Arrays.copyOf(mac.doFinal(), TAG_BYTES);
    }

    /** Encrypts and decrypts a bitmap of at most 32 bytes, in place. */
    void crypt(byte[] slotKey, byte[] bitmap) {
        if (bitmap.length == 0) {
            return;
        }
        init(slotKey);
        mac.update(PAD);
        byte[] pad = mac.doFinal(binding);
        for (int i = 0; i < bitmap.length; i++) {
            bitmap[i] ^= pad[i];
        }
    }

    private void init(byte[] slotKey) {
        try {
            mac.init(new SecretKeySpec(slotKey, "HmacSHA256"));
        } catch (InvalidKeyException e) {
            throw new IllegalStateException("HmacSHA256 refused its key", e);
        }
    }

    /** H2 of the paper's form: SHA-256 of the bits of k behind a domain tag. */
    static byte[] paperTag(byte[] k) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(PAPER_DOMAIN);
            return sha.digest(k);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }
}
