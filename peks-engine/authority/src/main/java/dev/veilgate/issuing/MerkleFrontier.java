package dev.veilgate.issuing;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** The root of a tree that grows by one leaf at a time: keeps the roots of its complete subtrees, one for each bit that is set in its size. */
final class MerkleFrontier {
    /** Smallest, rightmost subtree first. */
    private final Deque<byte[]> subtrees = new ArrayDeque<>();

    private long size;

    void append(byte[] leaf) {
        byte[] subtree = leaf;
        for (long bits = size; (bits & 1) == 1; bits >>>= 1) {
            subtree = Merkle.node(subtrees.pop(), subtree);
        }
        subtrees.push(subtree);
        size++;
    }

    long size() {
        return size;
    }

    byte[] root() {
        if (size == 0) {
            return Merkle.empty();
        }
        Iterator<byte[]> fromRight = subtrees.iterator();
        byte[] root = fromRight.next();
        while (fromRight.hasNext()) {
            root = Merkle.node(fromRight.next(), root);
        }
        return root.clone();
    }
}
