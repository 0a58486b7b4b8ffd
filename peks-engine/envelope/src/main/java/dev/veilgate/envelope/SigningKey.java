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
import org.jspecify.annotations.Nullable;

/**
 * A secret signing key of a named sender or of the authority: the seeds of Ed25519 and ML-DSA-65, and an authority's
 * of SLH-DSA-SHA2-128f too, which {@link #signLasting} adds. Signatures are what {@link SenderPublicKey} says;
 * unforgeable under chosen messages as long as one of the schemes is.
 *
 * <p>Never printed; equality takes constant time; {@link #close} erases it. Safe for use by several threads, save that
 * nobody may use it while it is closed.
 */
@Secret
public final class SigningKey implements AutoCloseable {
    private final byte[] edSeed;
    private final byte[] mlSeed;
    private final byte[] slhSeed;
    private final SignatureSecretKey mlDsa;
    private final @Nullable SignatureSecretKey slhDsa;
    private final SenderPublicKey publicKey;
    private final byte[] edPublic;
    private final byte[] fingerprint;
    private volatile boolean closed;

    /** @param slhSeed empty for a key of version 1 */
    private SigningKey(String name, byte[] edSeed, byte[] mlSeed, byte[] slhSeed) {
        this.edSeed = edSeed;
        this.mlSeed = mlSeed;
        this.slhSeed = slhSeed;
        this.mlDsa = PostQuantum.current().mlDsa65().key(mlSeed);
        this.slhDsa = slhSeed.length == 0
                ? null
                : PostQuantum.current().slhDsaSha2128f().key(slhSeed);
        this.edPublic = new byte[Ed25519.PUBLIC_KEY_SIZE];
        Ed25519.generatePublicKey(edSeed, 0, edPublic, 0);
        this.publicKey = new SenderPublicKey(
                name, edPublic, mlDsa.publicKey(), slhDsa == null ? new byte[0] : slhDsa.publicKey());
        this.fingerprint = Hashes.sha256(publicKey.encode());
    }

    /**
     * A fresh key of a sender, of version 1; draws 64 bytes.
     *
     * @param name 1 to 255 bytes of UTF-8
     */
    public static SigningKey generate(String name, SecureRandom random) {
        return generate(name, 0, random);
    }

    /**
     * A fresh key of an authority, of version 2: lasting signatures have a third half, of hashes. Draws 112 bytes.
     *
     * @param name of the tenant, 1 to 255 bytes of UTF-8
     */
    public static SigningKey generateAuthority(String name, SecureRandom random) {
        return generate(name, SignatureParameters.SLH_DSA_SHA2_128F.seedBytes(), random);
    }

    private static SigningKey generate(String name, int slhSeedBytes, SecureRandom random) {
        byte[] edSeed = new byte[Ed25519.SECRET_KEY_SIZE];
        byte[] mlSeed = new byte[SignatureParameters.ML_DSA_65.seedBytes()];
        byte[] slhSeed = new byte[slhSeedBytes];
        random.nextBytes(edSeed);
        random.nextBytes(mlSeed);
        random.nextBytes(slhSeed);
        return new SigningKey(name, edSeed, mlSeed, slhSeed);
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
        return both(SenderPublicKey.signatureInput(context, fingerprint, messageSha512), random);
    }

    /**
     * Signs what must be believed for many years, for one use: with all the schemes that the key has. Of a key of
     * version 1 it is what {@link #sign} gives. Of version 2 the hashes take most of the time (docs/post-quantum.md).
     * Draws 32 bytes from the platform's random source, and 16 with a key of version 2.
     *
     * @param context what the signature is for; at most 255 bytes
     * @return {@link SenderPublicKey#lastingSignatureBytes} bytes
     */
    public byte[] signLasting(String context, byte[] message) {
        requireOpen();
        SecureRandom random = new SecureRandom();
        byte[] digest = Hashes.sha512().digest(message);
        if (slhDsa == null) {
            return signDigest(context, digest, random);
        }
        byte[] input = SenderPublicKey.lastingSignatureInput(context, fingerprint, digest);
        byte[] two = both(input, random);
        byte[] third = slhDsa.sign(input, random);
        byte[] signature = Arrays.copyOf(two, two.length + third.length);
        System.arraycopy(third, 0, signature, two.length, third.length);
        return signature;
    }

    private byte[] both(byte[] input, SecureRandom random) {
        byte[] signature = new byte[SenderPublicKey.SIGNATURE_BYTES];
        Ed25519.sign(edSeed, 0, edPublic, 0, input, 0, input.length, signature, 0);
        byte[] second = mlDsa.sign(input, random);
        System.arraycopy(second, 0, signature, Ed25519.SIGNATURE_SIZE, second.length);
        return signature;
    }

    /**
     * Version (1, or 2 with a third seed), name behind its length, the seeds of 32, 32 and 48 bytes; in clear: the
     * caller protects and erases it.
     */
    public byte[] encode() {
        requireOpen();
        ByteWriter out = new ByteWriter(380);
        byte[] encoded = out.uint8(publicKey.version())
                .shortString(publicKey.sender())
                .bytes(edSeed)
                .bytes(mlSeed)
                .bytes(slhSeed)
                .toByteArray();
        out.wipe();
        return encoded;
    }

    /** The inverse of {@link #encode}. */
    public static SigningKey decode(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("signing-key", bytes);
        int version = SenderPublicKey.version(in);
        String name = in.shortString("name");
        if (name.isEmpty()) {
            throw new MalformedEncodingException("signing-key.name", "must not be empty");
        }
        byte[] edSeed = in.bytes("ed25519", Ed25519.SECRET_KEY_SIZE);
        byte[] mlSeed = in.bytes("ml-dsa-65", SignatureParameters.ML_DSA_65.seedBytes());
        byte[] slhSeed = version == SenderPublicKey.SENDER
                ? new byte[0]
                : in.bytes("slh-dsa-sha2-128f", SignatureParameters.SLH_DSA_SHA2_128F.seedBytes());
        in.end();
        return new SigningKey(name, edSeed, mlSeed, slhSeed);
    }

    /** Erases the key; it cannot be used any more. */
    @Override
    public void close() {
        closed = true;
        Arrays.fill(edSeed, (byte) 0);
        Arrays.fill(mlSeed, (byte) 0);
        Arrays.fill(slhSeed, (byte) 0);
        mlDsa.close();
        if (slhDsa != null) {
            slhDsa.close();
        }
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
                && (MessageDigest.isEqual(edSeed, that.edSeed)
                        & MessageDigest.isEqual(mlSeed, that.mlSeed)
                        & MessageDigest.isEqual(slhSeed, that.slhSeed));
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
