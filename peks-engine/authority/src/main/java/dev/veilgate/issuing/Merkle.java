package dev.veilgate.issuing;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The hashes of RFC 9162, section 2.1.1, with SHA-256:
 *
 * <pre>
 *   MTH({})     = SHA-256()
 *   leaf(d)     = SHA-256(00 || d)
 *   node(l, r)  = SHA-256(01 || l || r)
 * </pre>
 */
final class Merkle {
    static final int BYTES = 32;

    private Merkle() {}

    static byte[] empty() {
        return sha256().digest();
    }

    static byte[] leaf(byte[] entry) {
        MessageDigest sha = sha256();
        sha.update((byte) 0);
        return sha.digest(entry);
    }

    static byte[] node(byte[] left, byte[] right) {
        MessageDigest sha = sha256();
        sha.update((byte) 1);
        sha.update(left);
        return sha.digest(right);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }
}
