package dev.veilgate.issuing;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Shows that the log of an older signed head was only added to until a newer one, without the log.
 *
 * <pre>{@code
 * proof = [ "veilgate-consistency-proof", 1, older: bstr, newer: bstr, path: [ * bstr 32 ] ]
 * }</pre>
 *
 * <p>Source: RFC 9162, section 2.1.4. Between heads of the same size, and from the empty log, the path is empty.
 *
 * @param older the head that somebody kept
 * @param newer the head of today
 * @param path  from the lowest subtree up
 */
public record ConsistencyProof(SignedTreeHead older, SignedTreeHead newer, List<byte[]> path) {
    /** Most bytes of an encoded proof. */
    public static final int MAX_BYTES = 2 * SignedTreeHead.MAX_BYTES + MerkleProofs.MAX_PATH * 40;

    /** @throws IllegalArgumentException for a path that cannot be */
    public ConsistencyProof {
        path = checked(path);
    }

    /** Whether the authority of a pinned fingerprint signed both heads, and the newer log begins with all of the older one. */
    public boolean holds(String fingerprint) {
        return older.isSignedBy(fingerprint)
                && newer.isSignedBy(fingerprint)
                && MerkleProofs.consistent(
                        older.head().size(),
                        newer.head().size(),
                        path,
                        older.head().root(),
                        newer.head().root());
    }

    /** Deterministic CBOR. */
    public byte[] encode() {
        CborWriter out = new CborWriter(12_000)
                .array(5)
                .text(LogFormat.CONSISTENCY_MAGIC)
                .integer(LogFormat.VERSION)
                .bytes(older.encode())
                .bytes(newer.encode());
        return write(out, path);
    }

    /** The inverse of {@link #encode}; whether it holds says {@link #holds}. */
    public static ConsistencyProof decode(byte[] bytes) throws MalformedEncodingException {
        CborReader in = new CborReader("consistency-proof", bytes);
        if (bytes.length > MAX_BYTES) {
            throw in.malformed("proof", "must have at most " + MAX_BYTES + " bytes");
        }
        LogFormat.open(in, 5, LogFormat.CONSISTENCY_MAGIC);
        SignedTreeHead older = SignedTreeHead.decode(in.bytes("older", SignedTreeHead.MAX_BYTES));
        SignedTreeHead newer = SignedTreeHead.decode(in.bytes("newer", SignedTreeHead.MAX_BYTES));
        List<byte[]> path = readPath(in);
        return new ConsistencyProof(older, newer, path);
    }

    static byte[] write(CborWriter out, List<byte[]> path) {
        out.array(path.size());
        path.forEach(out::bytes);
        return out.toByteArray();
    }

    /** The last item of a proof. */
    static List<byte[]> readPath(CborReader in) throws MalformedEncodingException {
        int size = in.array("path", MerkleProofs.MAX_PATH);
        List<byte[]> path = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            path.add(in.fixedBytes("path", Merkle.BYTES));
        }
        in.end();
        return path;
    }

    static List<byte[]> checked(List<byte[]> path) {
        if (path.size() > MerkleProofs.MAX_PATH || path.stream().anyMatch(hash -> hash.length != Merkle.BYTES)) {
            throw new IllegalArgumentException(
                    "a path has at most " + MerkleProofs.MAX_PATH + " hashes of " + Merkle.BYTES + " bytes");
        }
        return copy(path);
    }

    static List<byte[]> copy(List<byte[]> path) {
        return path.stream().map(byte[]::clone).toList();
    }

    static boolean same(List<byte[]> path, List<byte[]> other) {
        return Arrays.deepEquals(path.toArray(), other.toArray());
    }

    /** A copy of the path. */
    @Override
    public List<byte[]> path() {
        return copy(path);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ConsistencyProof that
                && older.equals(that.older)
                && newer.equals(that.newer)
                && same(path, that.path);
    }

    @Override
    public int hashCode() {
        return 31 * older.hashCode() + newer.hashCode();
    }
}
