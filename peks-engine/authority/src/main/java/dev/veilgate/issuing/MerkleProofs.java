package dev.veilgate.issuing;

import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The verification algorithms of RFC 9162, sections 2.1.3.2 and 2.1.4.2, step by step with its letters. */
final class MerkleProofs {
    /** Most hashes of a proof: two for each level of a tree of 2^62 leaves. */
    static final int MAX_PATH = 124;

    private MerkleProofs() {}

    /** Whether the leaf stands at the index of the tree with that root. */
    static boolean included(byte[] leaf, long index, long size, List<byte[]> path, byte[] root) {
        if (index < 0 || index >= size) {
            return false;
        }
        long fn = index;
        long sn = size - 1;
        byte[] r = leaf;
        for (byte[] p : path) {
            if (sn == 0) {
                return false;
            }
            if ((fn & 1) == 1 || fn == sn) {
                r = Merkle.node(p, r);
                while ((fn & 1) == 0 && fn != 0) {
                    fn >>>= 1;
                    sn >>>= 1;
                }
            } else {
                r = Merkle.node(r, p);
            }
            fn >>>= 1;
            sn >>>= 1;
        }
        return sn == 0 && MessageDigest.isEqual(r, root);
    }

    /** Whether the tree with the second root begins with all of the one with the first. */
    static boolean consistent(long first, long second, List<byte[]> path, byte[] firstRoot, byte[] secondRoot) {
        if (first < 0 || first > second) {
            return false;
        }
        if (first == second) {
            return path.isEmpty() && MessageDigest.isEqual(firstRoot, secondRoot);
        }
        if (first == 0) { // everything begins with nothing
            return path.isEmpty() && MessageDigest.isEqual(firstRoot, Merkle.empty());
        }
        Deque<byte[]> rest = new ArrayDeque<>(path);
        if (rest.isEmpty()) {
            return false;
        }
        if (Long.bitCount(first) == 1) {
            rest.push(firstRoot);
        }
        long fn = first - 1;
        long sn = second - 1;
        while ((fn & 1) == 1) {
            fn >>>= 1;
            sn >>>= 1;
        }
        byte[] fr = rest.pop();
        byte[] sr = fr;
        for (byte[] c : rest) {
            if (sn == 0) {
                return false;
            }
            if ((fn & 1) == 1 || fn == sn) {
                fr = Merkle.node(c, fr);
                sr = Merkle.node(c, sr);
                while ((fn & 1) == 0 && fn != 0) {
                    fn >>>= 1;
                    sn >>>= 1;
                }
            } else {
                sr = Merkle.node(sr, c);
            }
            fn >>>= 1;
            sn >>>= 1;
        }
        return sn == 0 && MessageDigest.isEqual(fr, firstRoot) && MessageDigest.isEqual(sr, secondRoot);
    }
}
