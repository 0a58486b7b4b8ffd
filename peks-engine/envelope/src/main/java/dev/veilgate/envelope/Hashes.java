package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteWriter;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;

/** The hash functions of the wire format, each use under its own label. */
final class Hashes {
    /** Bytes of a SHA-256 digest. */
    static final int SHA256_BYTES = 32;

    private Hashes() {}

    static MessageDigest sha256() {
        return digest("SHA-256");
    }

    static MessageDigest sha512() {
        return digest("SHA-512");
    }

    static byte[] sha256(byte[] bytes) {
        return sha256().digest(bytes);
    }

    /** SHA-256 that has taken in a label behind its length already. */
    static MessageDigest labelled(String label) {
        MessageDigest sha = sha256();
        sha.update(new ByteWriter(64).shortString(label).toByteArray());
        return sha;
    }

    /** HKDF-SHA-256 (RFC 5869), extract and expand. */
    static byte[] hkdf(byte[] salt, byte[] secret, byte[] info, int length) {
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveData(HKDFParameterSpec.ofExtract()
                            .addIKM(secret)
                            .addSalt(salt)
                            .thenExpand(info, length));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks HKDF-SHA256", e);
        }
    }

    private static MessageDigest digest(String name) {
        try {
            return MessageDigest.getInstance(name);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks " + name, e);
        }
    }
}
