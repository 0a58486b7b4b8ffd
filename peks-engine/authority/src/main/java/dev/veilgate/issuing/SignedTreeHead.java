package dev.veilgate.issuing;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.AuthorityField;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SigningKey;
import java.util.Arrays;

/**
 * A tree head that the authority signed: the authority has said that this is its log, and cannot take it back before whoever has the head.
 *
 * <pre>{@code
 * signed-head = [ "veilgate-tree-head", version, authority: bstr, head: bstr, signature: bstr ]
 * }</pre>
 *
 * <p>The version is that of the authority's key. The signature is a lasting one of {@link SenderPublicKey} over the
 * head, context {@code veilgate/tree-head/1}. The authority's public key is in it, so that its fingerprint is
 * enough to verify. Immutable.
 */
public final class SignedTreeHead {
    /** Most bytes of an encoded head. */
    public static final int MAX_BYTES = 1 << 15;

    private final TreeHead head;
    private final SenderPublicKey authority;
    private final byte[] signature;

    private SignedTreeHead(TreeHead head, SenderPublicKey authority, byte[] signature) {
        this.head = head;
        this.authority = authority;
        this.signature = signature;
    }

    /** Signs. */
    static SignedTreeHead sign(TreeHead head, SigningKey authority) {
        return new SignedTreeHead(
                head, authority.publicKey(), authority.signLasting(LogFormat.HEAD_CONTEXT, head.encode()));
    }

    /** What was signed; worth nothing before {@link #isSignedBy}. */
    public TreeHead head() {
        return head;
    }

    /** The key that it claims to be signed by. */
    public SenderPublicKey authority() {
        return authority;
    }

    /** Whether the authority of a pinned fingerprint, as {@link SenderPublicKey#fingerprint} writes it, signed it for its own tenant. */
    public boolean isSignedBy(String fingerprint) {
        return authority.fingerprint().equals(fingerprint)
                && head.tenant().equals(authority.sender())
                && authority.verifyLasting(LogFormat.HEAD_CONTEXT, head.encode(), signature);
    }

    /** Deterministic CBOR. */
    public byte[] encode() {
        return new CborWriter(signature.length + 3000)
                .array(5)
                .text(LogFormat.HEAD_MAGIC)
                .integer(authority.version())
                .bytes(authority.encode())
                .bytes(head.encode())
                .bytes(signature)
                .toByteArray();
    }

    /** The inverse of {@link #encode}; whether it holds says {@link #isSignedBy}. */
    public static SignedTreeHead decode(byte[] bytes) throws MalformedEncodingException {
        CborReader in = new CborReader("tree-head", bytes);
        LogFormat.magic(in, 5, LogFormat.HEAD_MAGIC);
        int version = AuthorityField.readVersion(in);
        if (bytes.length > MAX_BYTES) { // behind the version, for a later one may have more
            throw in.malformed("head", "must have at most " + MAX_BYTES + " bytes");
        }
        SenderPublicKey authority = AuthorityField.read(in, version, LogFormat.MAX_KEY_BYTES);
        TreeHead head = TreeHead.decode(in.bytes("head", 512));
        byte[] signature = in.fixedBytes("signature", authority.lastingSignatureBytes());
        in.end();
        return new SignedTreeHead(head, authority, signature);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SignedTreeHead that
                && head.equals(that.head)
                && authority.equals(that.authority)
                && Arrays.equals(signature, that.signature);
    }

    @Override
    public int hashCode() {
        return head.hashCode();
    }

    @Override
    public String toString() {
        return "SignedTreeHead[" + head + "]";
    }
}
