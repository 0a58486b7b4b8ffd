package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.secret.Secret;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * The content key K of one envelope at work:
 *
 * <pre>
 *   record key || commitment = HKDF-SHA-256(salt = header digest, K, "veilgate/envelope/records/1", 64)
 *   record i = AES-256-GCM(record key, nonce = i in 12 bytes, plaintext, header digest || i in 4 bytes)
 * </pre>
 *
 * <p>AES-GCM alone lets a dishonest sender make one ciphertext that opens under two keys, so that two recipients read
 * different things. The commitment, which is part of the envelope, leaves one K.
 *
 * <p>Not safe for use by several threads.
 */
@Secret
final class ContentKey implements AutoCloseable {
    private static final String ALGORITHM = "AES/GCM/NoPadding";

    private final byte[] headerDigest;
    private final byte[] commitment;
    private final ErasableKey recordKey;
    private final Cipher cipher;

    /** @param contentKey 32 bytes; the caller erases them */
    ContentKey(byte[] contentKey, byte[] headerDigest) {
        this.headerDigest = headerDigest;
        byte[] info =
                new ByteWriter(64).shortString(EnvelopeFormat.LABEL_RECORDS).toByteArray();
        byte[] both = Hashes.hkdf(headerDigest, contentKey, info, 64);
        recordKey = new ErasableKey(Arrays.copyOf(both, 32));
        commitment = Arrays.copyOfRange(both, 32, 64);
        Arrays.fill(both, (byte) 0);
        cipher = cipher();
    }

    /** 32 bytes that only this content key under this header gives. */
    byte[] commitment() {
        return commitment.clone();
    }

    boolean commitsTo(byte[] claimed) {
        return MessageDigest.isEqual(commitment, claimed);
    }

    byte[] sealRecord(int ordinal, byte[] plaintext) {
        try {
            init(Cipher.ENCRYPT_MODE, ordinal);
            return cipher.doFinal(plaintext);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM failed", e);
        }
    }

    /** @throws AEADBadTagException if the record or what it is bound to was altered */
    byte[] openRecord(int ordinal, byte[] sealed) throws AEADBadTagException {
        try {
            init(Cipher.DECRYPT_MODE, ordinal);
            return cipher.doFinal(sealed);
        } catch (AEADBadTagException e) {
            throw e;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM failed", e);
        }
    }

    private void init(int mode, int ordinal) throws GeneralSecurityException {
        byte[] nonce = new byte[EnvelopeFormat.NONCE_BYTES];
        ByteBuffer.wrap(nonce).putInt(EnvelopeFormat.NONCE_BYTES - 4, ordinal);
        cipher.init(mode, recordKey, new GCMParameterSpec(8 * EnvelopeFormat.TAG_BYTES, nonce));
        cipher.updateAAD(headerDigest);
        cipher.updateAAD(nonce, EnvelopeFormat.NONCE_BYTES - 4, 4);
    }

    /** AES-256-GCM under a key that encrypts this one thing, so the nonce is zero. */
    static byte[] wrap(byte[] key, byte[] secret) {
        try {
            return single(Cipher.ENCRYPT_MODE, key).doFinal(secret);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM failed", e);
        }
    }

    /** The inverse of {@link #wrap}. */
    static byte[] unwrap(byte[] key, byte[] wrapped) throws AEADBadTagException {
        try {
            return single(Cipher.DECRYPT_MODE, key).doFinal(wrapped);
        } catch (AEADBadTagException e) {
            throw e;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM failed", e);
        }
    }

    private static Cipher single(int mode, byte[] key) throws GeneralSecurityException {
        Cipher cipher = cipher();
        byte[] zero = new byte[EnvelopeFormat.NONCE_BYTES];
        cipher.init(mode, new ErasableKey(key), new GCMParameterSpec(8 * EnvelopeFormat.TAG_BYTES, zero));
        return cipher;
    }

    private static Cipher cipher() {
        try {
            return Cipher.getInstance(ALGORITHM);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks " + ALGORITHM, e);
        }
    }

    /** Erases the record key; what the JDK's cipher expanded is left to the collector. */
    @Override
    public void close() {
        recordKey.destroy();
    }

    /** An AES key whose bytes can be erased, which the JDK's own cannot. */
    private static final class ErasableKey implements SecretKey {
        private static final long serialVersionUID = 1L;

        private final transient byte[] bytes;

        ErasableKey(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public String getAlgorithm() {
            return "AES";
        }

        @Override
        public String getFormat() {
            return "RAW";
        }

        @Override
        public byte[] getEncoded() {
            return bytes.clone();
        }

        @Override
        public void destroy() {
            Arrays.fill(bytes, (byte) 0);
        }
    }
}
