package dev.veilgate.archive.source;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 of what is read of a document. */
final class ContentDigest {
    private ContentDigest() {}

    /** A digest that takes one content after the other. */
    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    static byte[] of(byte[] content) {
        return sha256().digest(content);
    }

    /** SHA-256 of several texts, each behind its length. */
    static byte[] of(Iterable<String> texts) {
        MessageDigest digest = sha256();
        for (String text : texts) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(utf8.length).flip());
            digest.update(utf8);
        }
        return digest.digest();
    }
}
