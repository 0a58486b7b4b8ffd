package dev.veilgate.abe.ks.zxa14;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.pairing.BlockLayout;
import dev.veilgate.peks.pairing.SlotForm;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * What the points of a block are, if the policy has so many leaves:
 *
 * <pre>
 *   payload   leaves (2) | of each slot W_0, W, W', then W_v, D_v of each leaf, compressed
 *   hot       leaves (2) | of each slot SHA-256 of these, and the same points, wide
 * </pre>
 *
 * The rest is {@link BlockLayout}'s. Immutable.
 */
final class SlotLayout {
    private static final int COUNT_BYTES = 2;
    private static final int DIGEST_BYTES = 32;
    /** Version, slots, records: what precedes the points of a payload. */
    private static final int PAYLOAD_POINTS_AT = 3;

    private static final int LARGE_SLOTS = 32;
    /** With more leaves, a block of 32 slots would be longer than a payload may be. */
    private static final int MOST_LEAVES_OF_LARGE = 200;

    private static final SlotLayout SMALLEST = new SlotLayout(1);

    private final int leaves;
    private final BlockLayout blocks;

    private SlotLayout(int leaves) {
        this.leaves = leaves;
        this.blocks = new BlockLayout(
                Zxa14IndexScheme.ID,
                maxSlots(leaves),
                slots -> COUNT_BYTES + slots * Ciphertext.bytes(leaves),
                slots -> COUNT_BYTES + slots * (DIGEST_BYTES + Ciphertext.wideBytes(leaves)));
    }

    /** @param leaves 1 to {@link IndexPublicKey#MAX_LEAVES} */
    static SlotLayout of(int leaves) {
        if (!isPossible(leaves)) {
            throw new IllegalArgumentException("a policy has 1 to " + IndexPublicKey.MAX_LEAVES + " leaves");
        }
        return new SlotLayout(leaves);
    }

    private static boolean isPossible(int leaves) {
        return leaves >= 1 && leaves <= IndexPublicKey.MAX_LEAVES;
    }

    /** As a payload says of itself. */
    static SlotLayout of(IndexBlock block) throws MalformedEncodingException {
        byte[] payload = block.payload();
        if (payload.length < PAYLOAD_POINTS_AT + COUNT_BYTES || !isPossible(count(payload, PAYLOAD_POINTS_AT))) {
            throw new MalformedEncodingException(
                    Zxa14IndexScheme.ID + ".leaves", "must be 1 to " + IndexPublicKey.MAX_LEAVES);
        }
        return new SlotLayout(count(payload, PAYLOAD_POINTS_AT));
    }

    /**
     * As a hot value says of itself.
     *
     * @throws IllegalArgumentException if it is none
     */
    static SlotLayout of(byte[] hot, int at) {
        int pointsAt = SMALLEST.blocks.pointsAt(at);
        if (hot.length < pointsAt + COUNT_BYTES || !isHot(hot, at)) {
            throw new IllegalArgumentException("the hot value is not one of this scheme");
        }
        return of(count(hot, pointsAt));
    }

    private static int count(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }

    /** Whether a hot value is of this version. */
    static boolean isHot(byte[] hot, int at) {
        return SMALLEST.blocks.isHot(hot, at);
    }

    /** Most slots of a block: more than 32 would save nothing. */
    static int maxSlots(int leaves) {
        return leaves <= MOST_LEAVES_OF_LARGE ? LARGE_SLOTS : SlotForm.MULTIPLE;
    }

    int leaves() {
        return leaves;
    }

    BlockLayout blocks() {
        return blocks;
    }

    /** The number of leaves, 2 bytes: what belongs to the block as a whole. */
    byte[] count() {
        return new byte[] {(byte) (leaves >> 8), (byte) leaves};
    }

    /** The slot of a payload's points. */
    Ciphertext slot(byte[] points, int slot) throws MalformedEncodingException {
        return Ciphertext.decode(points, COUNT_BYTES + slot * Ciphertext.bytes(leaves), leaves);
    }

    /** The points of a hot value. */
    byte[] wide(byte[] points, int slots) throws MalformedEncodingException {
        ByteWriter wide = new ByteWriter(COUNT_BYTES + slots * (DIGEST_BYTES + Ciphertext.wideBytes(leaves)));
        wide.bytes(count());
        for (int i = 0; i < slots; i++) {
            Ciphertext slot = slot(points, i);
            wide.bytes(digest(slot.encode())).bytes(slot.encodeWide());
        }
        return wide.toByteArray();
    }

    private int digestAt(int at, int slot) {
        return blocks.pointsAt(at) + COUNT_BYTES + slot * (DIGEST_BYTES + Ciphertext.wideBytes(leaves));
    }

    /** What a slot's key is bound to, of a hot value that begins at a place. */
    byte[] digest(byte[] hot, int at, int slot) {
        int from = digestAt(at, slot);
        return Arrays.copyOfRange(hot, from, from + DIGEST_BYTES);
    }

    /** The slot of a hot value, with these leaves only. */
    Ciphertext trusted(byte[] hot, int at, int slot, int[] places) {
        return Ciphertext.trusted(hot, digestAt(at, slot) + DIGEST_BYTES, places);
    }

    /** What a slot's key is bound to: SHA-256 of its points, compressed. */
    static byte[] digest(byte[] points) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(points);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }
}
