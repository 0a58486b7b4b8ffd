package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.pq.PostQuantum;
import dev.veilgate.pq.SignatureParameters;
import dev.veilgate.pq.SignaturePublicKey;
import java.util.Arrays;
import java.util.HexFormat;
import org.bouncycastle.math.ec.rfc8032.Ed25519;
import org.jspecify.annotations.Nullable;

/**
 * Ed25519 and ML-DSA-65 public keys of a named sender, or of the authority. A signature is both signatures of
 *
 * <pre>
 *   "veilgate/signature/1" || context || fingerprint || SHA-512(message)         texts behind their length in one byte
 * </pre>
 *
 * so it holds as long as one of the two schemes does, for one use, and for this pair of keys only.
 *
 * @param sender  1 to 255 bytes of UTF-8
 * @param ed25519 32 bytes (RFC 8032)
 * @param mlDsa65 1,952 bytes (FIPS 204)
 */
public record SenderPublicKey(String sender, byte[] ed25519, byte[] mlDsa65) {
    /** Bytes of a signature: Ed25519, then ML-DSA-65. */
    public static final int SIGNATURE_BYTES = Ed25519.SIGNATURE_SIZE + SignatureParameters.ML_DSA_65.signatureBytes();

    private static final int VERSION = 1;
    private static final String LABEL = "veilgate/signature/1";

    /** @throws IllegalArgumentException for an empty or long name or a wrong length */
    public SenderPublicKey {
        int length = ByteWriter.utf8(sender).length;
        if (length < 1 || length > 255) {
            throw new IllegalArgumentException("a sender has 1 to 255 bytes in UTF-8");
        }
        if (ed25519.length != Ed25519.PUBLIC_KEY_SIZE
                || mlDsa65.length != SignatureParameters.ML_DSA_65.publicKeyBytes()) {
            throw new IllegalArgumentException("public keys have 32 and 1952 bytes");
        }
        ed25519 = ed25519.clone();
        mlDsa65 = mlDsa65.clone();
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

    /** Canonical encoding: version (1), name behind its length in one byte, Ed25519 key, ML-DSA-65 key. */
    public byte[] encode() {
        return new ByteWriter(2300)
                .uint8(VERSION)
                .shortString(sender)
                .bytes(ed25519)
                .bytes(mlDsa65)
                .toByteArray();
    }

    /** The inverse of {@link #encode}. */
    public static SenderPublicKey decode(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("sender-public-key", bytes);
        in.expect("version", VERSION);
        String sender = in.shortString("sender");
        if (sender.isEmpty()) {
            throw new MalformedEncodingException("sender-public-key.sender", "must not be empty");
        }
        byte[] ed25519 = in.bytes("ed25519", Ed25519.PUBLIC_KEY_SIZE);
        byte[] mlDsa65 = in.bytes("ml-dsa-65", SignatureParameters.ML_DSA_65.publicKeyBytes());
        in.end();
        return new SenderPublicKey(sender, ed25519, mlDsa65);
    }

    /** SHA-256 of the encoding, lower-case hex: what people compare. */
    public String fingerprint() {
        return HexFormat.of().formatHex(Hashes.sha256(encode()));
    }

    /** Both signatures must hold. context separates uses (envelope, bundle...). */
    public boolean verify(String context, byte[] message, byte[] signature) {
        return new Verifier(this).verify(context, Hashes.sha512().digest(message), signature);
    }

    /** What is signed, for a message of which SHA-512 is known. */
    static byte[] signatureInput(String context, byte[] fingerprint, byte[] messageSha512) {
        return new ByteWriter(160)
                .shortString(LABEL)
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
            if (signature.length != SIGNATURE_BYTES || point == null) {
                return false;
            }
            byte[] input = signatureInput(context, fingerprint, messageSha512);
            return Ed25519.verify(signature, 0, point, input, 0, input.length)
                    && mlDsa65.verify(input, Arrays.copyOfRange(signature, Ed25519.SIGNATURE_SIZE, SIGNATURE_BYTES));
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SenderPublicKey that
                && sender.equals(that.sender)
                && Arrays.equals(ed25519, that.ed25519)
                && Arrays.equals(mlDsa65, that.mlDsa65);
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
