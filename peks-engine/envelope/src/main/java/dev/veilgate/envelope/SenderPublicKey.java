package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.pq.PostQuantum;
import dev.veilgate.pq.SignatureParameters;
import dev.veilgate.pq.SignaturePublicKey;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.bouncycastle.math.ec.rfc8032.Ed25519;
import org.jspecify.annotations.Nullable;

/**
 * Ed25519 and ML-DSA-65 public keys of a named sender, or of the authority, which has one of SLH-DSA-SHA2-128f too
 * unless it was made before there were such. A signature is both signatures of
 *
 * <pre>
 *   "veilgate/signature/1" || context || fingerprint || SHA-512(message)         texts behind their length in one byte
 * </pre>
 *
 * so it holds as long as one of the two schemes does, for one use, and for these keys only.
 *
 * <p>A lasting signature, for what must be believed for many years, is with a key of version 2 all three signatures of
 * the same with the label {@code veilgate/signature/2}, and must have all three: it holds as long as one of curves,
 * lattices and SHA-256 does. The fingerprint covers the three keys, so that whoever pins it cannot be given a key
 * without the third. With a key of version 1 it is a signature as any other.
 *
 * @param sender  1 to 255 bytes of UTF-8
 * @param ed25519 32 bytes (RFC 8032)
 * @param mlDsa65 1,952 bytes (FIPS 204)
 * @param slhDsa  32 bytes (FIPS 205, SLH-DSA-SHA2-128f) of a key of version 2; none of one of version 1
 */
public record SenderPublicKey(String sender, byte[] ed25519, byte[] mlDsa65, byte[] slhDsa) {
    /** Bytes of a signature: Ed25519, then ML-DSA-65. */
    public static final int SIGNATURE_BYTES = Ed25519.SIGNATURE_SIZE + SignatureParameters.ML_DSA_65.signatureBytes();

    /** Version of a sender's key, and of an authority's of before there were lasting signatures. */
    static final int SENDER = 1;

    /** Version of an authority's key. */
    static final int AUTHORITY = 2;

    private static final String LABEL = "veilgate/signature/1";
    private static final String LASTING_LABEL = "veilgate/signature/2";

    /**
     * A key of version 1.
     *
     * @throws IllegalArgumentException for an empty or long name or a wrong length
     */
    public SenderPublicKey(String sender, byte[] ed25519, byte[] mlDsa65) {
        this(sender, ed25519, mlDsa65, new byte[0]);
    }

    /** @throws IllegalArgumentException for an empty or long name or a wrong length */
    public SenderPublicKey {
        int length = ByteWriter.utf8(sender).length;
        if (length < 1 || length > 255) {
            throw new IllegalArgumentException("a sender has 1 to 255 bytes in UTF-8");
        }
        if (ed25519.length != Ed25519.PUBLIC_KEY_SIZE
                || mlDsa65.length != SignatureParameters.ML_DSA_65.publicKeyBytes()
                || slhDsa.length != 0 && slhDsa.length != SignatureParameters.SLH_DSA_SHA2_128F.publicKeyBytes()) {
            throw new IllegalArgumentException("public keys have 32 and 1952 bytes, and an authority's third one 32");
        }
        ed25519 = ed25519.clone();
        mlDsa65 = mlDsa65.clone();
        slhDsa = slhDsa.clone();
    }

    /** A copy of the Ed25519 key. */
    @Override
    public byte[] ed25519() {
        return ed25519.clone();
    }

    /** A copy of the ML-DSA-65 key. */
    @Override
    public byte[] mlDsa65() {
        return mlDsa65.clone();
    }

    /** A copy of the SLH-DSA-SHA2-128f key; empty if this is of version 1. */
    @Override
    public byte[] slhDsa() {
        return slhDsa.clone();
    }

    /** 1, or 2 for an authority's key that makes lasting signatures with three schemes. */
    public int version() {
        return slhDsa.length == 0 ? SENDER : AUTHORITY;
    }

    /** Names of the schemes that lasting signatures are of, for people. */
    public List<String> lastingSchemes() {
        String ed = "Ed25519";
        String ml = SignatureParameters.ML_DSA_65.name();
        return version() == SENDER ? List.of(ed, ml) : List.of(ed, ml, SignatureParameters.SLH_DSA_SHA2_128F.name());
    }

    /** Bytes of a lasting signature: 3,373, or 20,461 of a key of version 2. */
    public int lastingSignatureBytes() {
        return SIGNATURE_BYTES + (version() == SENDER ? 0 : SignatureParameters.SLH_DSA_SHA2_128F.signatureBytes());
    }

    /**
     * Canonical encoding: version (1 or 2), name behind its length in one byte, Ed25519 key, ML-DSA-65 key, and with
     * version 2 the SLH-DSA key.
     */
    public byte[] encode() {
        return new ByteWriter(2300)
                .uint8(version())
                .shortString(sender)
                .bytes(ed25519)
                .bytes(mlDsa65)
                .bytes(slhDsa)
                .toByteArray();
    }

    /** The inverse of {@link #encode} for a sender's key, which is of version 1. */
    public static SenderPublicKey decode(byte[] bytes) throws MalformedEncodingException {
        SenderPublicKey key = decodeAuthority(bytes);
        if (key.version() != SENDER) {
            throw new MalformedEncodingException(
                    "sender-public-key.version", "must be 1: this is the key of an authority, not of a sender");
        }
        return key;
    }

    /** Reads the version of a key. */
    static int version(ByteReader in) throws MalformedEncodingException {
        int version = in.uint8("version");
        if (version != SENDER && version != AUTHORITY) {
            throw new MalformedEncodingException(
                    in.name("version"), "must be 1 or 2; update the software to read a later one");
        }
        return version;
    }

    /** The inverse of {@link #encode} for an authority's key, which is of version 1 or 2. */
    public static SenderPublicKey decodeAuthority(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("sender-public-key", bytes);
        int version = version(in);
        String sender = in.shortString("sender");
        if (sender.isEmpty()) {
            throw new MalformedEncodingException("sender-public-key.sender", "must not be empty");
        }
        byte[] ed25519 = in.bytes("ed25519", Ed25519.PUBLIC_KEY_SIZE);
        byte[] mlDsa65 = in.bytes("ml-dsa-65", SignatureParameters.ML_DSA_65.publicKeyBytes());
        byte[] slhDsa = version == SENDER
                ? new byte[0]
                : in.bytes("slh-dsa-sha2-128f", SignatureParameters.SLH_DSA_SHA2_128F.publicKeyBytes());
        in.end();
        return new SenderPublicKey(sender, ed25519, mlDsa65, slhDsa);
    }

    /** SHA-256 of the encoding, lower-case hex: what people compare. */
    public String fingerprint() {
        return HexFormat.of().formatHex(Hashes.sha256(encode()));
    }

    /** Both signatures must hold. context separates uses (envelope, bundle...). */
    public boolean verify(String context, byte[] message, byte[] signature) {
        return new Verifier(this).verify(context, Hashes.sha512().digest(message), signature);
    }

    /** Verifies a lasting signature: all that the key has must hold. context separates uses (bundle, tree head...). */
    public boolean verifyLasting(String context, byte[] message, byte[] signature) {
        return verifyLastingDigest(context, Hashes.sha512().digest(message), signature);
    }

    /** {@link #verifyLasting} for a message of which SHA-512 is known. */
    boolean verifyLastingDigest(String context, byte[] messageSha512, byte[] signature) {
        Verifier verifier = new Verifier(this);
        if (version() == SENDER) {
            return verifier.verify(context, messageSha512, signature);
        }
        if (signature.length != lastingSignatureBytes()) {
            return false;
        }
        byte[] input = lastingSignatureInput(context, verifier.fingerprint, messageSha512);
        return verifier.verifyBoth(input, Arrays.copyOf(signature, SIGNATURE_BYTES))
                && PostQuantum.current()
                        .slhDsaSha2128f()
                        .publicKey(slhDsa)
                        .verify(input, Arrays.copyOfRange(signature, SIGNATURE_BYTES, signature.length));
    }

    /** What is signed, for a message of which SHA-512 is known. */
    static byte[] signatureInput(String context, byte[] fingerprint, byte[] messageSha512) {
        return signatureInput(LABEL, context, fingerprint, messageSha512);
    }

    /** What a lasting signature signs with a key of version 2, so that it is no signature without its third. */
    static byte[] lastingSignatureInput(String context, byte[] fingerprint, byte[] messageSha512) {
        return signatureInput(LASTING_LABEL, context, fingerprint, messageSha512);
    }

    private static byte[] signatureInput(String label, String context, byte[] fingerprint, byte[] messageSha512) {
        return new ByteWriter(160)
                .shortString(label)
                .shortString(context)
                .bytes(fingerprint)
                .bytes(messageSha512)
                .toByteArray();
    }

    /** A key made ready for many signatures. Safe for use by several threads. */
    static final class Verifier {
        private final byte[] ed25519;
        private final byte[] fingerprint;
        private final SignaturePublicKey mlDsa65;
        private final Ed25519.@Nullable PublicPoint point;

        Verifier(SenderPublicKey key) {
            ed25519 = key.ed25519;
            fingerprint = Hashes.sha256(key.encode());
            mlDsa65 = PostQuantum.current().mlDsa65().publicKey(key.mlDsa65);
            point = Ed25519.validatePublicKeyFullExport(ed25519, 0);
        }

        boolean verify(String context, byte[] messageSha512, byte[] signature) {
            return verifyBoth(signatureInput(context, fingerprint, messageSha512), signature);
        }

        private boolean verifyBoth(byte[] input, byte[] signature) {
            if (signature.length != SIGNATURE_BYTES || point == null) {
                return false;
            }
            return Ed25519.verify(signature, 0, point, input, 0, input.length)
                    && mlDsa65.verify(input, Arrays.copyOfRange(signature, Ed25519.SIGNATURE_SIZE, SIGNATURE_BYTES));
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SenderPublicKey that
                && sender.equals(that.sender)
                && Arrays.equals(ed25519, that.ed25519)
                && Arrays.equals(mlDsa65, that.mlDsa65)
                && Arrays.equals(slhDsa, that.slhDsa);
    }

    @Override
    public int hashCode() {
        return sender.hashCode() * 31 + Arrays.hashCode(ed25519);
    }

    @Override
    public String toString() {
        return "SenderPublicKey[" + sender + ", " + fingerprint() + "]";
    }
}
