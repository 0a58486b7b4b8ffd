package dev.veilgate.archive;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.ArchiveKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals values of cells: nonce || AES-256-GCM(derive("archive/documents"), nonce, value; table || 0 || key of the
 * cell). Nonces are 12 random bytes, enough for 2^32 values. Whoever has the file and not the key learns lengths, and
 * cannot alter a value or put it elsewhere unnoticed; an older value at the same place is not noticed.
 */
@Secret
final class SealedCells {
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKey key;
    private final SecureRandom random;

    SealedCells(ArchiveKey archive, SecureRandom random) {
        byte[] derived = archive.derive("archive/documents");
        try {
            this.key = new SecretKeySpec(derived, "AES");
        } finally {
            Arrays.fill(derived, (byte) 0);
        }
        this.random = random;
    }

    byte[] seal(String table, byte[] cell, byte[] value) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, table, cell).doFinal(value);
            return ByteBuffer.allocate(NONCE_BYTES + sealed.length)
                    .put(nonce)
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime cannot seal", e);
        }
    }

    /** @throws UnusableKeyException if it was sealed under another key, or was altered since */
    byte[] open(String table, byte[] cell, byte[] sealed) throws IOException {
        if (sealed.length < NONCE_BYTES + TAG_BITS / 8) {
            throw new UnusableArchiveException("the names of documents are damaged");
        }
        try {
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(sealed, NONCE_BYTES), table, cell);
            return cipher.doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
        } catch (GeneralSecurityException e) {
            throw new UnusableKeyException(
                    "what was sealed cannot be opened: it was altered, or the key is not the key of this archive", e);
        }
    }

    private Cipher cipher(int mode, byte[] nonce, String table, byte[] cell) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(table.getBytes(StandardCharsets.UTF_8));
        cipher.updateAAD(new byte[1]);
        cipher.updateAAD(cell);
        return cipher;
    }
}
