package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.pq.PostQuantum;
import dev.veilgate.pq.SignatureParameters;
import dev.veilgate.pq.SignatureSecretKey;
import dev.veilgate.secret.Secret;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/**
 * A secret signing key of a named sender or of the authority: the seeds of Ed25519 and ML-DSA-65. A signature is what
 * {@link SenderPublicKey} says; unforgeable under chosen messages as long as one of the two schemes is.
 *
 * <p>Never printed; equality takes constant time; {@link #close} erases it. Safe for use by several threads, save that
 * nobody may use it while it is closed.
 */
@Secret
public final class SigningKey implements AutoCloseable {
    private static final int VERSION = 1;

    private final byte[] edSeed;
    private final byte[] mlSeed;
    private final SignatureSecretKey mlDsa;
    private final SenderPublicKey publicKey;
    private final byte[] edPublic;
    private final byte[] fingerprint;
    private volatile boolean closed;

    private SigningKey(String name, byte[] edSeed, byte[] mlSeed) {
        this.edSeed = edSeed;
        this.mlSeed = mlSeed;
        this.mlDsa = PostQuantum.current().mlDsa65().key(mlSeed);
        this.edPublic = new byte[Ed25519.PUBLIC_KEY_SIZE];
        Ed25519.generatePublicKey(edSeed, 0, edPublic, 0);
        this.publicKey = new SenderPublicKey(name, edPublic, mlDsa.publicKey());
        this.fingerprint = Hashes.sha256(publicKey.encode());
    }

    /**
     * A fresh key; draws 64 bytes.
     *
     * @param name 1 to 255 bytes of UTF-8
     */
    public static SigningKey generate(String name, SecureRandom random) {
        byte[] edSeed = new byte[Ed25519.SECRET_KEY_SIZE];
        byte[] mlSeed = new byte[SignatureParameters.ML_DSA_65.seedBytes()];
        random.nextBytes(edSeed);
        random.nextBytes(mlSeed);
        return new SigningKey(name, edSeed, mlSeed);
    }

    /** The public keys that belong to it. */
    public SenderPublicKey publicKey() {
        return publicKey;
    }

    /**
     * Signs for one use. Draws 32 bytes from the platform's random source, which ML-DSA mixes in.
     *
     * @param context what the signature is for; at most 255 bytes
     * @return {@link SenderPublicKey#SIGNATURE_BYTES} bytes
     */
    public byte[] sign(String context, byte[] message) {
        return signDigest(context, Hashes.sha512().digest(message), new SecureRandom());
    }

    byte[] signDigest(String context, byte[] messageSha512, SecureRandom random) {
        requireOpen();
        byte[] input = SenderPublicKey.signatureInput(context, fingerprint, messageSha512);
        byte[] signature = new byte[SenderPublicKey.SIGNATURE_BYTES];
        Ed25519.sign(edSeed, 0, edPublic, 0, input, 0, input.length, signature, 0);
        byte[] second = mlDsa.sign(input, random);
        System.arraycopy(second, 0, signature, Ed25519.SIGNATURE_SIZE, second.length);
        return signature;
    }

    /** Version (1), name behind its length, the two seeds of 32 bytes; in clear: the caller protects and erases it. */
    public byte[] encode() {
        requireOpen();
        ByteWriter out = new ByteWriter(330);
        byte[] encoded = out.uint8(VERSION)
                .shortString(publicKey.sender())
                .bytes(edSeed)
                .bytes(mlSeed)
                .toByteArray();
        out.wipe();
        return encoded;
    }

    /** The inverse of {@link #encode}. */
    public static SigningKey decode(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("signing-key", bytes);
        in.expect("version", VERSION);
        String name = in.shortString("name");
        if (name.isEmpty()) {
            throw new MalformedEncodingException("signing-key.name", "must not be empty");
        }
        byte[] edSeed = in.bytes("ed25519", Ed25519.SECRET_KEY_SIZE);
        byte[] mlSeed = in.bytes("ml-dsa-65", SignatureParameters.ML_DSA_65.seedBytes());
        in.end();
        return new SigningKey(name, edSeed, mlSeed);
    }

    /** Erases the key; it cannot be used any more. */
    @Override
    public void close() {
        closed = true;
        Arrays.fill(edSeed, (byte) 0);
        Arrays.fill(mlSeed, (byte) 0);
        mlDsa.close();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the key is erased");
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SigningKey that
                && publicKey.sender().equals(that.publicKey.sender())
                && MessageDigest.isEqual(edSeed, that.edSeed) & MessageDigest.isEqual(mlSeed, that.mlSeed);
    }

    @Override
    public int hashCode() {
        return publicKey.hashCode();
    }

    @Override
    public String toString() {
        return "SigningKey[hidden, of " + publicKey.sender() + "]";
    }
}
