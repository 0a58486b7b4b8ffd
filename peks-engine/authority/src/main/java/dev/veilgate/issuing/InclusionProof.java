package dev.veilgate.issuing;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.List;

/**
 * Shows with one signed head that an entry is in the log, without the rest of the log.
 *
 * <pre>{@code
 * proof = [ "veilgate-inclusion-proof", 1, entry: bstr, signed-head: bstr, path: [ * bstr 32 ] ]
 * }</pre>
 *
 * <p>Source: RFC 9162, section 2.1.3.
 *
 * @param entry what is shown to be in the log
 * @param head  of which tree
 * @param path  from the leaf's sibling up
 */
public record InclusionProof(LogEntry entry, SignedTreeHead head, List<byte[]> path) {
    /** Most bytes of an encoded proof. */
    public static final int MAX_BYTES = LogEntry.MAX_BYTES + SignedTreeHead.MAX_BYTES + MerkleProofs.MAX_PATH * 40;

    /** @throws IllegalArgumentException for a path that cannot be */
    public InclusionProof {
        path = ConsistencyProof.checked(path);
    }

    /** Whether the authority of a pinned fingerprint signed a log with this entry in it. */
    public boolean holds(String fingerprint) {
        return head.isSignedBy(fingerprint)
                && MerkleProofs.included(
                        entry.digest(),
                        entry.number() - 1,
                        head.head().size(),
                        path,
                        head.head().root());
    }

    /** Deterministic CBOR. */
    public byte[] encode() {
        CborWriter out = new CborWriter(8192)
                .array(5)
                .text(LogFormat.INCLUSION_MAGIC)
                .integer(LogFormat.VERSION)
                .bytes(entry.encode())
                .bytes(head.encode());
        return ConsistencyProof.write(out, path);
    }

    /** The inverse of {@link #encode}; whether it holds says {@link #holds}. */
    public static InclusionProof decode(byte[] bytes) throws MalformedEncodingException {
        CborReader in = new CborReader("inclusion-proof", bytes);
        if (bytes.length > MAX_BYTES) {
            throw in.malformed("proof", "must have at most " + MAX_BYTES + " bytes");
        }
        LogFormat.open(in, 5, LogFormat.INCLUSION_MAGIC);
        LogEntry entry = LogEntry.decode(in.bytes("entry", LogEntry.MAX_BYTES));
        SignedTreeHead head = SignedTreeHead.decode(in.bytes("head", SignedTreeHead.MAX_BYTES));
        List<byte[]> path = ConsistencyProof.readPath(in);
        return new InclusionProof(entry, head, path);
    }

    /** A copy of the path. */
    @Override
    public List<byte[]> path() {
        return ConsistencyProof.copy(path);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof InclusionProof that
                && entry.equals(that.entry)
                && head.equals(that.head)
                && ConsistencyProof.same(path, that.path);
    }

    @Override
    public int hashCode() {
        return 31 * entry.hashCode() + head.hashCode();
    }
}
