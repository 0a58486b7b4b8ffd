package dev.veilgate.sse.sdd.map;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.SseException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Adds one to the counter of a key, which is 0 at first.
 *
 * <pre>
 *   repeat accesses times    read the way to {@link #leaf}: that of the next node towards the key, at last random ones
 *   finish                   insert the key if it is not there; give each node on its path a new random leaf;
 *                            put blocks as deep as they may into the buckets that were read, the rest into the stash
 * </pre>
 *
 * <p><b>Security.</b> A server sees the same number of ways to uniformly random leaves whatever the key and the map
 * are: each node has a leaf of its own that nobody saw yet, as it gets another one whenever it was read. Buckets are
 * authentic and of the version that their parents name, the state of the one that its owner names: a server that
 * gives an old or another one is found out. An increment that is begun again reads the same ways, if its random ones
 * are the same.
 *
 * <p>Source: X. S. Wang and others, Oblivious Data Structures, CCS 2014, sections 4.1 and 4.2. All ways are written at
 * the end and once, which the paper does node by node: blocks go no less deep. For one thread.
 */
@Secret
public final class Increment {
    private static final int STATE = -1; // where buckets have their number

    private final MapShape shape;
    private final Sealer sealer;
    private final int version;
    private final IntUnaryOperator dummies;
    private final SecureRandom random;
    private final MapState state;
    private final SearchPath path;
    private final Map<Integer, Node> blocks = new HashMap<>();
    private final Buckets buckets;
    private final int[] leaves;
    private int reads;
    private int leaf;
    private int from;

    /**
     * Begins.
     *
     * @param generation of the map: no two have a bucket in common
     * @param version    of the state, one lower than that of what this writes; above 0 but for an empty map
     * @param sealed     the state; null for an empty map
     * @param high       first half of the key
     * @param low        second half of it
     * @param dummies    gives random numbers for 0, 1, ...: the same ones if this is begun again
     * @param random     4 bytes are drawn for each node
     * @throws SseException if the state is not that of this generation and version
     */
    public Increment(
            MapShape shape,
            Sealer sealer,
            int generation,
            int version,
            byte @Nullable [] sealed,
            long high,
            long low,
            IntUnaryOperator dummies,
            SecureRandom random)
            throws SseException {
        this.shape = shape;
        this.sealer = sealer;
        this.buckets = new Buckets(shape, sealer, generation);
        this.version = version;
        this.dummies = dummies;
        this.random = random;
        this.state = sealed == null ? new MapState() : open(sealed);
        this.path = new SearchPath(high, low, state.rootId, state.rootLeaf);
        this.leaves = new int[shape.accesses()];
        state.stash.forEach(node -> blocks.put(node.id, node));
        choose();
    }

    private MapState open(byte[] sealed) throws SseException {
        return sealer.open(sealed, buckets.context(STATE, version))
                .map(MapState::decode)
                .orElseThrow(() -> new SseException("the server gives an older state of a map, or not this owner's"));
    }

    /** Whether all ways were read. */
    public boolean isRead() {
        return reads == leaves.length;
    }

    /** The leaf whose way is read next. */
    public int leaf() {
        return leaf;
    }

    /** The depth of the first bucket on that way which was not read yet. */
    public int from() {
        return from;
    }

    /** How many buckets there are to be read from there on. */
    public int missing() {
        return shape.height() + 1 - from;
    }

    /** Chooses the next way. */
    private void choose() {
        if (isRead()) {
            return;
        }
        leaf = path.nextId() == 0 ? dummies.applyAsInt(reads) & shape.leaves() - 1 : path.nextLeaf();
        from = 0;
        for (int i = 0; i < reads; i++) {
            from = Math.max(from, 1 + shape.common(leaf, leaves[i]));
        }
    }

    /**
     * Takes what the server gives of the next way.
     *
     * @param cells {@link #missing} sealed buckets, from the top down; those that were never written may be anything
     * @param at    where the first one begins
     * @param step  bytes from one to the next
     * @throws SseException if one is not as this owner wrote it last
     */
    public void read(byte[] cells, int at, int step) throws SseException {
        for (int depth = from, next = at; depth <= shape.height(); depth++, next += step) {
            int number = shape.bucket(leaf, depth);
            buckets.read(number, state.topVersion, cells, next).forEach(node -> blocks.put(node.id, node));
        }
        leaves[reads++] = leaf;
        if (path.nextId() != 0) {
            Node node = blocks.get(path.nextId());
            if (node == null) {
                throw new SseException("the server gives a map that lacks a node");
            }
            path.take(node);
        }
        choose();
    }

    /** The counter before this increment, once all ways were read. */
    public int count() {
        Node found = path.found();
        return found == null ? 0 : found.count;
    }

    /**
     * Buckets and state that the server has to keep.
     *
     * @param buckets by number, those that were read
     * @param cells   them, sealed, by the same order, each at a multiple of {@code step} and behind {@code head} bytes
     * @param state   sealed
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Written(int[] buckets, byte[] cells, byte[] state) {}

    /**
     * Ends.
     *
     * @param head bytes that are left free in front of each bucket
     * @throws SseException if the stash is full, for which the chance is negligible: begin again
     */
    public Written finish(int head) throws SseException {
        count(path.found());
        moveAll();
        List<Node> left = buckets.evict(blocks.values(), leaves);
        if (left.size() > MapShape.STASH_BLOCKS) {
            throw new SseException("an oblivious map has no room by bad luck: begin again");
        }
        state.stash.clear();
        state.stash.addAll(left);
        int written = version + 1;
        byte[] cells = buckets.seal(written, head);
        state.topVersion = written;
        return new Written(buckets.numbers(), cells, sealer.seal(state.encode(), buckets.context(STATE, written)));
    }

    private void count(@Nullable Node found) {
        Node node = found;
        if (node == null) {
            node = new Node(++state.nodes, path.high(), path.low());
            blocks.put(node.id, node);
            state.rootId = path.insert(node).id;
        }
        node.count++;
    }

    /** Gives all nodes of the path new leaves. */
    private void moveAll() {
        byte[] drawn = new byte[path.nodes().size() * Integer.BYTES];
        random.nextBytes(drawn);
        ByteBuffer in = ByteBuffer.wrap(drawn);
        for (Node node : path.nodes()) {
            node.leaf = in.getInt() & shape.leaves() - 1;
            if (node.id == state.rootId) {
                state.rootLeaf = node.leaf;
            }
        }
        path.link();
    }

    /** Blocks in the stash, once it has ended. */
    int stashed() {
        return state.stash.size();
    }

    /** Shows nothing. */
    @Override
    public String toString() {
        return "Increment[hidden]";
    }
}
