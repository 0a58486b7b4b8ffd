package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The signed statement at the beginning of a sender registry: how many entries follow, and what they are.
 *
 * <pre>{@code
 * head      = [ "veilgate-senders", version, authority: bstr, statement: bstr, signature: bstr ]                CBOR
 * version   = that of the authority's key: 1, or 2 with a key of SLH-DSA
 * statement = tenant behind its length in one byte || serial (8 bytes) || count (8 bytes) || digest (32 bytes)
 * signature = a lasting signature of the statement by the authority's keys, context "veilgate/senders/1"
 * digest    = SHA-256(SHA-256(entry 1) || ... || SHA-256(entry count))
 * }</pre>
 *
 * <p>The statement has one length for a tenant, so that the place of a head is known before its entries are.
 *
 * @param tenant whose senders
 * @param serial 1 for the first registry of an authority, then ascending: readers refuse one that is lower than the last they saw
 * @param count  how many entries
 * @param digest of all of them, in their order
 */
public record SenderRegistryHead(String tenant, long serial, int count, byte[] digest) {
    /** Most senders of a registry. */
    public static final int MAX_SENDERS = 1 << 22;

    /** Most bytes of an encoded head. */
    static final int MAX_BYTES = 1 << 15;

    private static final String MAGIC = "veilgate-senders";
    private static final String CONTEXT = "veilgate/senders/1";
    private static final int MAX_KEY_BYTES = 4096;
    private static final int MAX_STATEMENT_BYTES = 512;
    private static final int MAX_SIGNATURE_BYTES = 24_000;

    /** @throws IllegalArgumentException naming what is wrong */
    public SenderRegistryHead {
        PublicBundleContent.checkName("tenant", tenant);
        PublicBundleContent.check(serial >= 1, "serial: must be at least 1");
        PublicBundleContent.check(count >= 0 && count <= MAX_SENDERS, "count: must be at most " + MAX_SENDERS);
        PublicBundleContent.check(digest.length == Hashes.SHA256_BYTES, "digest: must have 32 bytes");
        digest = digest.clone();
    }

    /** A copy of the digest. */
    @Override
    public byte[] digest() {
        return digest.clone();
    }

    /** The encoding. */
    byte[] sign(SigningKey authority) {
        return encode(authority.publicKey(), authority.signLasting(CONTEXT, statement()));
    }

    /** Length of the encoding, which does not depend on what is signed. */
    int bytesSignedBy(SenderPublicKey authority) {
        return encode(authority, new byte[authority.lastingSignatureBytes()]).length;
    }

    private byte[] encode(SenderPublicKey authority, byte[] signature) {
        return new CborWriter(MAX_BYTES)
                .array(5)
                .text(MAGIC)
                .integer(authority.version())
                .bytes(authority.encode())
                .bytes(statement())
                .bytes(signature)
                .toByteArray();
    }

    private byte[] statement() {
        return new ByteWriter(320)
                .shortString(tenant)
                .bytes(ByteBuffer.allocate(16).putLong(serial).putLong(count).array())
                .bytes(digest)
                .toByteArray();
    }

    /**
     * Decodes a head and checks pin and signature.
     *
     * @param pinned the authority's fingerprint
     */
    static SenderRegistryHead verify(byte[] bytes, String pinned)
            throws MalformedEncodingException, RefusedRegistryException {
        CborReader in = new CborReader("sender-registry", bytes);
        if (in.array("head", 5) != 5 || !in.text("magic", MAGIC.length()).equals(MAGIC)) {
            throw in.malformed("magic", "must be " + MAGIC);
        }
        SenderPublicKey authority = AuthorityField.read(in, MAX_KEY_BYTES);
        byte[] statement = in.bytes("statement", MAX_STATEMENT_BYTES);
        byte[] signature = in.bytes("signature", MAX_SIGNATURE_BYTES);
        in.end();
        if (!authority.fingerprint().equals(pinned)) {
            throw new RefusedRegistryException(
                    "the sender registry is of another authority, " + authority.fingerprint()
                            + ", not of the pinned one; get it from your authority (veilgate keys bundle writes it beside the bundle)");
        }
        if (!authority.verifyLasting(CONTEXT, statement, signature)) {
            throw new RefusedRegistryException(
                    "the sender registry was altered or is not signed; copy it again from your authority");
        }
        return decode(statement);
    }

    private static SenderRegistryHead decode(byte[] statement) throws MalformedEncodingException {
        ByteReader in = new ByteReader("sender-registry", statement);
        String tenant = in.shortString("tenant");
        ByteBuffer numbers = ByteBuffer.wrap(in.bytes("serial", 16));
        byte[] digest = in.bytes("digest", Hashes.SHA256_BYTES);
        in.end();
        long serial = numbers.getLong();
        long count = numbers.getLong();
        if (count < 0 || count > MAX_SENDERS) {
            throw new MalformedEncodingException("sender-registry.count", "must be at most " + MAX_SENDERS);
        }
        try {
            return new SenderRegistryHead(tenant, serial, (int) count, digest);
        } catch (IllegalArgumentException e) {
            throw new MalformedEncodingException("sender-registry", String.valueOf(e.getMessage()));
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SenderRegistryHead that
                && tenant.equals(that.tenant)
                && serial == that.serial
                && count == that.count
                && Arrays.equals(digest, that.digest);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(digest);
    }
}
