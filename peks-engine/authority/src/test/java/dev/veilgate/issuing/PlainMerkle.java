package dev.veilgate.issuing;

import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/** The definitions of RFC 9162, sections 2.1.1, 2.1.3.1 and 2.1.4.1, word for word: the twin. */
final class PlainMerkle {
    private PlainMerkle() {}

    static byte[] sha256(byte[]... parts) {
        try {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (byte[] part : parts) {
                all.writeBytes(part);
            }
            return MessageDigest.getInstance("SHA-256").digest(all.toByteArray());
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static byte[] mth(List<byte[]> d) {
        int n = d.size();
        if (n == 0) {
            return sha256();
        }
        if (n == 1) {
            return sha256(new byte[] {0}, d.getFirst());
        }
        int k = split(n);
        return sha256(new byte[] {1}, mth(d.subList(0, k)), mth(d.subList(k, n)));
    }

    static List<byte[]> path(int m, List<byte[]> d) {
        int n = d.size();
        if (n == 1) {
            return new ArrayList<>();
        }
        int k = split(n);
        List<byte[]> path = m < k ? path(m, d.subList(0, k)) : path(m - k, d.subList(k, n));
        path.add(m < k ? mth(d.subList(k, n)) : mth(d.subList(0, k)));
        return path;
    }

    static List<byte[]> proof(int m, List<byte[]> d) {
        return subproof(m, d, true);
    }

    private static List<byte[]> subproof(int m, List<byte[]> d, boolean b) {
        int n = d.size();
        if (m == n) {
            return b ? new ArrayList<>() : new ArrayList<>(List.of(mth(d)));
        }
        int k = split(n);
        List<byte[]> path = m <= k ? subproof(m, d.subList(0, k), b) : subproof(m - k, d.subList(k, n), false);
        path.add(m <= k ? mth(d.subList(k, n)) : mth(d.subList(0, k)));
        return path;
    }

    /** The largest power of two smaller than n. */
    private static int split(int n) {
        int k = 1;
        while (2 * k < n) {
            k *= 2;
        }
        return k;
    }
}
