package dev.veilgate.ese;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * A deterministic ciphertext: an encapsulation and the masked message, which is as long as the message. Of one key and domain two are equal if and only if their
 * messages are. Immutable. Well formed is not genuine: only {@link EncryptWithHash#decrypt} knows.
 */
public final class Ciphertext {
    private static final int VERSION = 1;
    private static final byte[] TAG =
            new ByteWriter(32).shortString("veilgate/ese/tag/1").toByteArray();

    private final int code;
    private final byte[] encapsulation;
    private final byte[] masked;

    /** Takes over the arrays. */
    Ciphertext(int code, byte[] encapsulation, byte[] masked) {
        this.code = code;
        this.encapsulation = encapsulation;
        this.masked = masked;
    }

    int code() {
        return code;
    }

    /** The array itself. */
    byte[] encapsulation() {
        return encapsulation;
    }

    /** The array itself. */
    byte[] masked() {
        return masked;
    }

    /** Bytes of the message, which everybody sees. */
    public int messageBytes() {
        return masked.length;
    }

    /** G of the paper: SHA-256 of the encoding. Different ciphertexts have different tags but for a collision of SHA-256. */
    public Tag tag() {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(TAG);
            return new Tag(sha.digest(encode()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    /** Canonical encoding: version, code of the instance, encapsulation, length of the message in two bytes, masked message. */
    public byte[] encode() {
        return new ByteWriter(4 + encapsulation.length + masked.length)
                .uint8(VERSION)
                .uint8(code)
                .bytes(encapsulation)
                .longBytes(masked)
                .toByteArray();
    }

    /** The inverse of {@link #encode}, for an instance. */
    static Ciphertext decode(SeededKem<?, ?> kem, byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("ciphertext", encoded);
        in.expect("version", VERSION);
        in.expect("instance", kem.code());
        byte[] encapsulation = in.bytes("encapsulation", kem.encapsulationBytes());
        int length = in.uint8("length") << 8 | in.uint8("length");
        if (length == 0 || length > EncryptWithHash.MAX_MESSAGE_BYTES) {
            throw new MalformedEncodingException(
                    "ciphertext.length", "must be 1 to " + EncryptWithHash.MAX_MESSAGE_BYTES);
        }
        byte[] masked = in.bytes("message", length);
        in.end();
        kem.check(encapsulation);
        return new Ciphertext(kem.code(), encapsulation, masked);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Ciphertext that
                && code == that.code
                && Arrays.equals(encapsulation, that.encapsulation)
                && Arrays.equals(masked, that.masked);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(encapsulation) + Arrays.hashCode(masked);
    }

    @Override
    public String toString() {
        return "Ciphertext[hidden]";
    }
}
