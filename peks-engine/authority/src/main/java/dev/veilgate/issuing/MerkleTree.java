package dev.veilgate.issuing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Roots and proofs of a tree whose leaf hashes are in a file. The roots of complete subtrees of {@value #CHUNK} leaves are kept in memory, 32 kB for a million
 * leaves, so that a proof reads two such subtrees at most.
 *
 * <p>Source: RFC 9162, sections 2.1.1 (MTH), 2.1.3.1 (PATH) and 2.1.4.1 (PROOF). Not safe for use by several threads.
 */
final class MerkleTree {
    static final int CHUNK = 1 << 10;

    /** Where leaf hashes are. */
    @FunctionalInterface
    interface Leaves {
        /** That of a place, from 0. */
        byte[] leaf(long index) throws IOException;
    }

    private final Leaves leaves;
    private final List<byte[]> chunks = new ArrayList<>();
    private final MerkleFrontier whole = new MerkleFrontier();
    private MerkleFrontier lastChunk = new MerkleFrontier();

    /** @param leaves gives every leaf that was appended */
    MerkleTree(Leaves leaves) {
        this.leaves = leaves;
    }

    void append(byte[] leaf) {
        whole.append(leaf);
        lastChunk.append(leaf);
        if (lastChunk.size() == CHUNK) {
            chunks.add(lastChunk.root());
            lastChunk = new MerkleFrontier();
        }
    }

    long size() {
        return whole.size();
    }

    byte[] root() {
        return whole.root();
    }

    /** MTH of the first {@code size} leaves. */
    byte[] root(long size) throws IOException {
        if (size == size()) {
            return root();
        }
        return size == 0 ? Merkle.empty() : root(0, size);
    }

    /** PATH(index, D[0:size]). */
    List<byte[]> inclusion(long index, long size) throws IOException {
        require(index >= 0 && index < size && size <= size());
        List<byte[]> path = new ArrayList<>();
        path(index, 0, size, path);
        return path;
    }

    /** PROOF(first, D[0:second]); empty between equal sizes, and from the empty tree. */
    List<byte[]> consistency(long first, long second) throws IOException {
        require(first >= 0 && first <= second && second <= size());
        List<byte[]> path = new ArrayList<>();
        if (first > 0 && first < second) {
            subproof(first, 0, second, true, path);
        }
        return path;
    }

    private void path(long index, long from, long to, List<byte[]> path) throws IOException {
        long n = to - from;
        if (n == 1) {
            return;
        }
        long k = Long.highestOneBit(n - 1);
        if (index < k) {
            path(index, from, from + k, path);
            path.add(root(from + k, to));
        } else {
            path(index - k, from + k, to, path);
            path.add(root(from, from + k));
        }
    }

    private void subproof(long m, long from, long to, boolean known, List<byte[]> path) throws IOException {
        long n = to - from;
        if (m == n) {
            if (!known) {
                path.add(root(from, to));
            }
            return;
        }
        long k = Long.highestOneBit(n - 1);
        if (m <= k) {
            subproof(m, from, from + k, known, path);
            path.add(root(from + k, to));
        } else {
            subproof(m - k, from + k, to, false, path);
            path.add(root(from, from + k));
        }
    }

    private byte[] root(long from, long to) throws IOException {
        long n = to - from;
        if (n == 1) {
            return leaves.leaf(from);
        }
        if (n == CHUNK) { // subtrees of this size begin at its multiples
            return chunks.get((int) (from / CHUNK)).clone();
        }
        long k = Long.highestOneBit(n - 1);
        return Merkle.node(root(from, from + k), root(from + k, to));
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("no such place in the tree");
        }
    }
}
