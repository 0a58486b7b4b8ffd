package dev.veilgate.sse.sdd.map;

/**
 * Sizes of the oblivious map of a level, all of which follow from the level. It has up to 2^level keys, each a node of
 * an AVL tree and a block of a path ORAM: a binary tree of buckets of {@value #BUCKET_BLOCKS} blocks, where the block
 * with leaf x lies on the way from the root to x, or in the stash.
 *
 * <p>There are 2^(level-2) leaves, so that at most half of the room is used. The stash of such a tree has more than R
 * blocks with a chance that falls exponentially in R (Stefanov et al., Path ORAM, CCS 2013, section 5).
 */
public record MapShape(int level) {
    /** Blocks of a bucket, Z. */
    public static final int BUCKET_BLOCKS = 4;

    /** Room of the stash, in blocks. */
    public static final int STASH_BLOCKS = 32;

    /** Bytes of a sealed bucket: versions of its children, and its blocks. */
    public static final int BUCKET_BYTES = Bucket.BYTES + Sealer.OVERHEAD;

    /** Bytes of a sealed state: what an owner keeps at the server of the map. */
    public static final int STATE_BYTES = MapState.BYTES + Sealer.OVERHEAD;

    /** @throws IllegalArgumentException if the level has no map, or too large a one */
    public MapShape {
        if (level < 1 || level > 24) {
            throw new IllegalArgumentException("maps are of levels 1 to 24");
        }
    }

    /** Depth of the leaves, where the root has depth 0. */
    public int height() {
        return Math.max(0, level - 2);
    }

    /** Number of leaves. */
    public int leaves() {
        return 1 << height();
    }

    /** Number of buckets, which are numbered from the root down, each depth from the left. */
    public int buckets() {
        return 2 * leaves() - 1;
    }

    /** Number of the bucket at some depth on the way to a leaf. */
    public int bucket(int leaf, int depth) {
        return (1 << depth) - 1 + (leaf >> height() - depth);
    }

    /** Ways that an increment reads: as many as the tallest AVL tree of 2^level - 1 nodes is high. */
    public int accesses() {
        long most = (1L << level) - 1;
        int height = 0;
        long least = 0; // least nodes of a tree of that height, and of one that is higher by one
        long next = 1;
        while (next <= most) {
            long after = 1 + least + next;
            least = next;
            next = after;
            height++;
        }
        return height;
    }

    /** The depth down to which the ways to two leaves are the same. */
    int common(int leaf, int other) {
        return height() - (Integer.SIZE - Integer.numberOfLeadingZeros(leaf ^ other));
    }
}
