package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import dev.veilgate.pq.EncapsulatedSecret;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.AEADBadTagException;

/**
 * A few bytes sealed for whoever holds a KEM key, bound to what they belong to:
 *
 * <pre>
 *   ss, encapsulation = X-Wing.Encaps(recipient)
 *   kek  = HKDF-SHA-256(salt = SHA-256(len8(label) || context), ss, info = len8("veilgate/note/1") || key id, 32)
 *   note = 01 || key id (16) || encapsulation (1120) || AES-256-GCM(kek, nonce 0, plaintext || 80 || 00 ...)
 * </pre>
 *
 * <p>Gives: IND-CCA secrecy as {@link KemPublicKey} does, also of the length within a block of {@value #BLOCK_BYTES}
 * bytes; opens under the same label and context only. Does not give: who sealed it. Anybody can; sign what it is in.
 */
public final class SealedNote {
    /** Plaintexts are filled up to a multiple of this. */
    public static final int BLOCK_BYTES = 32;

    private static final int VERSION = 1;
    private static final String LABEL = "veilgate/note/1";
    private static final int FIXED_BYTES = 1 + KeyId.BYTES + XWing.CIPHERTEXT_BYTES + EnvelopeFormat.TAG_BYTES;

    private SealedNote() {}

    /** Bytes of the note of a plaintext. */
    public static int sealedBytes(int plaintextBytes) {
        return FIXED_BYTES + padded(plaintextBytes);
    }

    /**
     * Seals. Draws 64 bytes.
     *
     * @param recipient of X-Wing
     * @param label     what such notes are for; 1 to 255 bytes
     * @param context   what this one belongs to
     * @param plaintext the caller wipes it
     */
    public static byte[] seal(
            KemPublicKey recipient, String label, byte[] context, byte[] plaintext, SecureRandom random) {
        requireXWing(recipient);
        EncapsulatedSecret kem = recipient.encapsulate(random);
        byte[] kek = kek(kem.secret(), label, context, recipient.id());
        byte[] filled = Arrays.copyOf(plaintext, padded(plaintext.length));
        filled[plaintext.length] = (byte) 0x80;
        try {
            return new ByteWriter(sealedBytes(plaintext.length))
                    .uint8(VERSION)
                    .bytes(recipient.id().toBytes())
                    .bytes(kem.ciphertext())
                    .bytes(ContentKey.wrap(kek, filled))
                    .toByteArray();
        } finally {
            Arrays.fill(kek, (byte) 0);
            Arrays.fill(filled, (byte) 0);
        }
    }

    private static void requireXWing(KemPublicKey key) {
        if (key.algorithm() != WrapAlgorithm.X_WING) {
            throw new IllegalArgumentException("notes are sealed for keys of X-Wing");
        }
    }

    /**
     * The key that opens a note.
     *
     * @throws MalformedEncodingException if it is no note
     */
    public static KeyId recipient(byte[] note) throws MalformedEncodingException {
        ByteReader in = new ByteReader("note", note);
        in.expect("version", VERSION);
        return KeyId.of(in.bytes("key-id", KeyId.BYTES));
    }

    /**
     * What was sealed; empty if it was for another key, another label or context, or was altered.
     *
     * @throws MalformedEncodingException if it is no note
     */
    public static Optional<byte[]> open(KemSecretKey key, String label, byte[] context, byte[] note)
            throws MalformedEncodingException {
        ByteReader in = new ByteReader("note", note);
        in.expect("version", VERSION);
        KeyId id = KeyId.of(in.bytes("key-id", KeyId.BYTES));
        byte[] encapsulation = in.bytes("encapsulation", XWing.CIPHERTEXT_BYTES);
        byte[] sealed = in.bytes("ciphertext", in.remaining());
        if (key.algorithm() != WrapAlgorithm.X_WING
                || !id.equals(key.publicKey().id())) {
            return Optional.empty();
        }
        byte[] kek = kek(key.decapsulate(encapsulation), label, context, id);
        try {
            return Optional.of(unfilled(ContentKey.unwrap(kek, sealed)));
        } catch (AEADBadTagException e) {
            return Optional.empty();
        } finally {
            Arrays.fill(kek, (byte) 0);
        }
    }

    private static byte[] unfilled(byte[] filled) throws MalformedEncodingException {
        int end = filled.length - 1;
        while (end >= 0 && filled[end] == 0) {
            end--;
        }
        if (end < 0 || filled[end] != (byte) 0x80) {
            throw new MalformedEncodingException("note.padding", "must be 80 and zeros");
        }
        byte[] plaintext = Arrays.copyOf(filled, end);
        Arrays.fill(filled, (byte) 0);
        return plaintext;
    }

    private static int padded(int bytes) {
        return (bytes / BLOCK_BYTES + 1) * BLOCK_BYTES;
    }

    /** Erases the shared secret. */
    private static byte[] kek(byte[] secret, String label, byte[] context, KeyId id) {
        byte[] salt = Hashes.labelled(label).digest(context);
        byte[] info = new ByteWriter(64).shortString(LABEL).bytes(id.toBytes()).toByteArray();
        byte[] kek = Hashes.hkdf(salt, secret, info, EnvelopeFormat.CONTENT_KEY_BYTES);
        Arrays.fill(secret, (byte) 0);
        return kek;
    }
}
