package dev.veilgate.ese;

import dev.veilgate.peks.KeywordDomain;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** The plain twin of encrypt-with-hash: docs/spec/ese.md, line by line, with the JDK alone. */
public final class PlainEwh {
    private PlainEwh() {}

    /** R. */
    public static byte[] coins(String id, byte[] publicKey, KeywordDomain domain, byte[] message) {
        ByteArrayOutputStream in = new ByteArrayOutputStream();
        string(in, "veilgate/ese/coins/1");
        string(in, id);
        in.write(publicKey.length >> 8);
        in.write(publicKey.length);
        in.writeBytes(publicKey);
        string(in, domain.tenant());
        string(in, domain.scope());
        string(in, domain.epoch());
        in.writeBytes(message);
        return sha256(in.toByteArray());
    }

    /** SHA-256 of a label behind its length, and parts. */
    public static byte[] hash(String label, byte[]... parts) {
        ByteArrayOutputStream in = new ByteArrayOutputStream();
        string(in, label);
        for (byte[] part : parts) {
            in.writeBytes(part);
        }
        return sha256(in.toByteArray());
    }

    /** x xor G(K). */
    public static byte[] masked(byte[] message, byte[] key) {
        try {
            Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(new byte[16]));
            return cipher.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An encoded ciphertext. */
    public static byte[] ciphertext(int code, byte[] encapsulation, byte[] masked) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(1);
        out.write(code);
        out.writeBytes(encapsulation);
        out.write(masked.length >> 8);
        out.write(masked.length);
        out.writeBytes(masked);
        return out.toByteArray();
    }

    private static void string(ByteArrayOutputStream out, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.write(utf8.length);
        out.writeBytes(utf8);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
