package dev.veilgate.sse.sdd.map;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.SseException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The buckets that an increment read: the root among them, and the parent of each. */
@Secret
final class Buckets {
    private final MapShape shape;
    private final Sealer sealer;
    private final int generation;
    private final Map<Integer, Bucket> buckets = new HashMap<>();

    Buckets(MapShape shape, Sealer sealer, int generation) {
        this.shape = shape;
        this.sealer = sealer;
        this.generation = generation;
    }

    /** Bytes that are authentic with a bucket of a number, or with the state. */
    byte[] context(int number, int version) {
        return ByteBuffer.allocate(16)
                .putInt(shape.level())
                .putInt(generation)
                .putInt(number)
                .putInt(version)
                .array();
    }

    /**
     * Opens a bucket whose parent was read.
     *
     * @param topVersion version of the root bucket
     * @return its blocks, which are in none now
     */
    List<Node> read(int number, int topVersion, byte[] cells, int at) throws SseException {
        Bucket bucket = new Bucket();
        List<Node> nodes = new ArrayList<>(MapShape.BUCKET_BLOCKS);
        int version = number == 0 ? topVersion : version(number);
        if (version != 0) {
            ByteBuffer in = ByteBuffer.wrap(sealer.open(cells, at, MapShape.BUCKET_BYTES, context(number, version))
                    .orElseThrow(
                            () -> new SseException("the server gives an older part of a map, or not this owner's")));
            bucket.leftVersion = in.getInt();
            bucket.rightVersion = in.getInt();
            while (in.hasRemaining()) {
                if (Node.isNext(in)) {
                    nodes.add(Node.read(in));
                }
            }
        }
        buckets.put(number, bucket);
        return nodes;
    }

    /** The version that a parent names; 0 if the bucket was never written. */
    private int version(int number) {
        Bucket parent = of((number - 1) / 2);
        return number % 2 == 1 ? parent.leftVersion : parent.rightVersion;
    }

    private Bucket of(int number) {
        Bucket bucket = buckets.get(number);
        if (bucket == null) {
            throw new IllegalStateException("ways are read from the top down");
        }
        return bucket;
    }

    /** Numbers of the buckets, ascending. */
    int[] numbers() {
        return buckets.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
    }

    /**
     * Puts each block into the deepest bucket on its way that was read and has room.
     *
     * @param leaves whose ways were read
     * @return blocks for which there is none
     */
    List<Node> evict(Collection<Node> blocks, int[] leaves) {
        int[] sorted = Arrays.stream(leaves).sorted().toArray();
        for (Node node : blocks) {
            of(shape.bucket(node.leaf, depth(node.leaf, sorted))).nodes.add(node);
        }
        List<Node> left = new ArrayList<>();
        int[] numbers = numbers();
        for (int i = numbers.length - 1; i >= 0; i--) {
            List<Node> nodes = of(numbers[i]).nodes;
            List<Node> above = numbers[i] == 0 ? left : of((numbers[i] - 1) / 2).nodes;
            while (nodes.size() > MapShape.BUCKET_BLOCKS) {
                above.add(nodes.removeLast());
            }
        }
        return left;
    }

    /** The depth down to which a way is common with one of those that were read. */
    private int depth(int leaf, int[] sorted) {
        int place = Arrays.binarySearch(sorted, leaf);
        if (place >= 0) {
            return shape.height();
        }
        int above = -place - 1;
        int depth = above < sorted.length ? shape.common(leaf, sorted[above]) : 0;
        return above == 0 ? depth : Math.max(depth, shape.common(leaf, sorted[above - 1]));
    }

    /** Seals all under a version, by their numbers, each behind some free bytes. */
    byte[] seal(int version, int head) {
        int[] numbers = numbers();
        int step = head + MapShape.BUCKET_BYTES;
        byte[] cells = new byte[numbers.length * step];
        for (int i = 0; i < numbers.length; i++) {
            int number = numbers[i];
            Bucket bucket = of(number);
            if (buckets.containsKey(2 * number + 1)) {
                bucket.leftVersion = version;
            }
            if (buckets.containsKey(2 * number + 2)) {
                bucket.rightVersion = version;
            }
            sealer.seal(bucket.encode(), context(number, version), cells, i * step + head);
        }
        return cells;
    }
}
