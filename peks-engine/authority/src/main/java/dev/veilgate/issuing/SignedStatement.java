package dev.veilgate.issuing;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.AuthorityField;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SigningKey;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Something that the authority says and signs, such as the manifest of an export. What the content means, its kind says; a statement of one kind is never one of another.
 *
 * <pre>{@code
 * statement = [ "veilgate-statement", version, kind: tstr, authority: bstr, content: bstr, signature: bstr ]
 * }</pre>
 *
 * <p>The version is that of the authority's key. The signature is that of {@link SenderPublicKey} over the CBOR array {@code [kind, content]}, context {@code veilgate/statement/1}. The authority's public key is in it, so that its
 * fingerprint is enough to verify. It says who signed, not when: a time belongs into the content. Immutable.
 */
public final class SignedStatement {
    /** Most bytes of a content. */
    public static final int MAX_CONTENT_BYTES = 1 << 20;
    /** Most bytes of an encoded statement. */
    public static final int MAX_BYTES = MAX_CONTENT_BYTES + LogFormat.MAX_KEY_BYTES + 4096;

    private static final int MAX_KIND_BYTES = 64;
    private static final Pattern KIND = Pattern.compile("[a-z][a-z0-9-]{0,63}");

    private final String kind;
    private final byte[] content;
    private final SenderPublicKey authority;
    private final byte[] signature;

    private SignedStatement(String kind, byte[] content, SenderPublicKey authority, byte[] signature) {
        this.kind = kind;
        this.content = content;
        this.authority = authority;
        this.signature = signature;
    }

    /**
     * Signs.
     *
     * @param kind    what the content is: a small letter, then up to 63 small letters, digits and hyphens
     * @param content at most {@value #MAX_CONTENT_BYTES} bytes
     * @throws IllegalArgumentException for another kind or a longer content
     */
    public static SignedStatement sign(String kind, byte[] content, SigningKey authority) {
        if (!KIND.matcher(kind).matches()) {
            throw new IllegalArgumentException("the kind of a statement must be of " + KIND);
        }
        if (content.length > MAX_CONTENT_BYTES) {
            throw new IllegalArgumentException("a statement must have at most " + MAX_CONTENT_BYTES + " bytes");
        }
        byte[] own = content.clone();
        byte[] signature = authority.sign(LogFormat.STATEMENT_CONTEXT, signed(kind, own));
        return new SignedStatement(kind, own, authority.publicKey(), signature);
    }

    private static byte[] signed(String kind, byte[] content) {
        return new CborWriter(content.length + 80)
                .array(2)
                .text(kind)
                .bytes(content)
                .toByteArray();
    }

    /** What the content is. */
    public String kind() {
        return kind;
    }

    /** What was signed; worth nothing before {@link #isSignedBy}. A copy. */
    public byte[] content() {
        return content.clone();
    }

    /** The key that it claims to be signed by. */
    public SenderPublicKey authority() {
        return authority;
    }

    /** Whether the authority of a pinned fingerprint, as {@link SenderPublicKey#fingerprint} writes it, signed this content as one of this kind. */
    public boolean isSignedBy(String fingerprint) {
        return authority.fingerprint().equals(fingerprint)
                && authority.verify(LogFormat.STATEMENT_CONTEXT, signed(kind, content), signature);
    }

    /** Deterministic CBOR. */
    public byte[] encode() {
        return new CborWriter(content.length + 6000)
                .array(6)
                .text(LogFormat.STATEMENT_MAGIC)
                .integer(authority.version())
                .text(kind)
                .bytes(authority.encode())
                .bytes(content)
                .bytes(signature)
                .toByteArray();
    }

    /** The inverse of {@link #encode}; whether it holds says {@link #isSignedBy}. */
    public static SignedStatement decode(byte[] bytes) throws MalformedEncodingException {
        CborReader in = new CborReader("statement", bytes);
        if (bytes.length > MAX_BYTES) {
            throw in.malformed("statement", "must have at most " + MAX_BYTES + " bytes");
        }
        LogFormat.magic(in, 6, LogFormat.STATEMENT_MAGIC);
        int version = AuthorityField.readVersion(in);
        String kind = in.text("kind", MAX_KIND_BYTES);
        if (!KIND.matcher(kind).matches()) {
            throw in.malformed("kind", "must be of " + KIND);
        }
        SenderPublicKey authority = AuthorityField.read(in, version, LogFormat.MAX_KEY_BYTES);
        byte[] content = in.bytes("content", MAX_CONTENT_BYTES);
        byte[] signature = in.fixedBytes("signature", SenderPublicKey.SIGNATURE_BYTES);
        in.end();
        return new SignedStatement(kind, content, authority, signature);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SignedStatement that
                && kind.equals(that.kind)
                && Arrays.equals(content, that.content)
                && authority.equals(that.authority)
                && Arrays.equals(signature, that.signature);
    }

    @Override
    public int hashCode() {
        return 31 * kind.hashCode() + Arrays.hashCode(content);
    }

    @Override
    public String toString() {
        return "SignedStatement[" + kind + ", " + content.length + " bytes]";
    }
}
