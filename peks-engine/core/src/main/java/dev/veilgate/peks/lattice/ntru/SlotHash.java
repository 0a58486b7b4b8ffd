package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.MessageContext;
import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * H2 and the keystreams of an index block, both SHA-256 of the slot key k_i and more, and the digest of the block that
 * all of them bind:
 *
 * <pre>
 *   binding   = SHA-256("veilgate/ntru-peks/block/3" || header || context || counts || A0)
 *   tag_i     = first 13 bytes of SHA-256(1 || k_i || binding || b_i || field_i || cells_i)
 *   pad_i     = SHA-256(2 || k_i || binding)          of the field
 *   cellPad_i = SHA-256(3 || k_i || binding)          of the cells
 * </pre>
 *
 * <p>SHA-256 is taken as a random oracle here, as everywhere in the scheme. An input cannot be extended: tags are a
 * part of their digest, and the other inputs have one length (docs/adr/0007).
 *
 * <p>One thread at a time.
 */
final class SlotHash implements AutoCloseable {
    static final int TAG_BYTES = 13;
    private static final int DIGEST_BYTES = 32;
    private static final byte TAG = 1;
    private static final byte FIELD = 2;
    private static final byte CELLS = 3;
    private static final String DOMAIN = "veilgate/ntru-peks/block/";
    private static final byte[] PAPER_DOMAIN = "veilgate/ntru-peks/h2/1".getBytes(StandardCharsets.US_ASCII);

    private final MessageDigest sha = sha256();
    private final byte[] binding;
    private final byte[] digest = new byte[DIGEST_BYTES];
    private final byte[] input;
    private int length;

    /**
     * @param binding      of the block, {@link #binding}
     * @param slotKeyBytes bytes of k_i, and of b_i
     */
    SlotHash(byte[] binding, int slotKeyBytes) {
        this.binding = binding;
        this.input = new byte[1 + DIGEST_BYTES + 2 * slotKeyBytes + 2 * PostingForm.MAX_BYTES];
    }

    /**
     * The binding of a block.
     *
     * @param block      its header counts
     * @param publicPart counts and A0, as the payload has them before A is shifted; the first byte is the version. (Of
     * version 2, counts and A.)
     */
    static byte[] binding(IndexBlock block, MessageContext context, byte[] publicPart) {
        MessageDigest sha = sha256();
        sha.update((DOMAIN + publicPart[0]).getBytes(StandardCharsets.US_ASCII));
        sha.update(block.header());
        sha.update(context.encode());
        return sha.digest(publicPart);
    }

    /** The tag of a slot, its field and cells encrypted. */
    byte[] tag(byte[] slotKey, byte[] b, byte[] field, byte[] cells) {
        start(TAG, slotKey);
        append(b);
        append(field);
        append(cells);
        finish();
        return Arrays.copyOf(digest, TAG_BYTES);
    }

    /** Encrypts and decrypts a field, in place. */
    void cryptField(byte[] slotKey, byte[] field) {
        crypt(FIELD, slotKey, field);
    }

    /** Encrypts and decrypts the cells of a slot, in place. */
    void cryptCells(byte[] slotKey, byte[] cells) {
        crypt(CELLS, slotKey, cells);
    }

    private void crypt(byte use, byte[] slotKey, byte[] text) {
        if (text.length == 0) {
            return;
        }
        start(use, slotKey);
        finish();
        for (int i = 0; i < text.length; i++) {
            text[i] ^= digest[i];
        }
    }

    private void start(byte use, byte[] slotKey) {
        input[0] = use;
        length = 1;
        append(slotKey);
        append(binding);
    }

    private void append(byte[] part) {
        System.arraycopy(part, 0, input, length, part.length);
        length += part.length;
    }

    private void finish() {
        try {
            sha.update(input, 0, length);
            sha.digest(digest, 0, DIGEST_BYTES);
        } catch (DigestException e) {
            throw new IllegalStateException("SHA-256 failed", e);
        }
    }

    /** Erases the last slot key and keystream. */
    @Override
    public void close() {
        Arrays.fill(input, (byte) 0);
        Arrays.fill(digest, (byte) 0);
    }

    /** H2 of the paper's form: SHA-256 of the bits of k behind a domain tag. */
    static byte[] paperTag(byte[] k) {
        MessageDigest sha = sha256();
        sha.update(PAPER_DOMAIN);
        return sha.digest(k);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }
}
