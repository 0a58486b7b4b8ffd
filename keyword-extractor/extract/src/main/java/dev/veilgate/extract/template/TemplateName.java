package dev.veilgate.extract.template;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The name of a kind of message, the value of the keyword {@code template:<name>}: up to three words (of ASCII) of the message
 * that it was born with, and ten letters or digits of a hash, such as {@code connection-closed-by-k3v7q2m5xa}.
 *
 * <p>The name is a function of the first message with its variables masked, and of nothing else: not of what came before
 * or after, not of the sender. So devices that run the same program give an event the same name, as long as the message has no
 * variable that masking does not know, such as a user's name: then the first message of each device decides, and {@link
 * TemplateListing} shows the names of one template together. The price is that a name says something about one message;
 * it belongs into sealed keywords and the sealed catalogue only.
 *
 * <p>Never printed: {@link #toString} hides it.
 *
 * @param value letters a to z, digits and hyphens
 */
public record TemplateName(String value) {
    /** Most characters of a name. */
    public static final int MAX_LENGTH = 64;

    private static final int WORDS = 3;
    private static final int WORD_LENGTH = 16;
    private static final int HASH_CHARACTERS = 10;
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
    private static final byte[] DOMAIN = "veilgate template name 1\0".getBytes(StandardCharsets.US_ASCII);

    /** @throws IllegalArgumentException for something that is no name */
    public TemplateName {
        if (!isName(value)) {
            throw new IllegalArgumentException("a template's name has 1 to " + MAX_LENGTH + " of a-z, 0-9 and hyphen");
        }
    }

    static boolean isName(String value) {
        if (value.isEmpty() || value.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (!(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-')) {
                return false;
            }
        }
        return true;
    }

    /** The name of a masked message. */
    static TemplateName of(byte[] masked, int length) {
        StringBuilder name = new StringBuilder(MAX_LENGTH);
        int words = 0;
        for (int i = 0; i < length && words < WORDS; ) {
            int end = i;
            boolean ascii = true;
            while (end < length && MaskingRules.isLetter(masked[end])) {
                ascii &= masked[end] >= 0;
                end++;
            }
            if (ascii && end - i >= 2 && end - i <= WORD_LENGTH) {
                for (int k = i; k < end; k++) {
                    name.append((char) (masked[k] | 0x20));
                }
                name.append('-');
                words++;
            }
            i = end + 1;
        }
        if (words == 0) {
            name.append("message-");
        }
        byte[] digest = digest(masked, length);
        long bits = 0;
        for (int i = 0; i < 8; i++) {
            bits = bits << 8 | digest[i] & 0xff;
        }
        for (int i = 0; i < HASH_CHARACTERS; i++) {
            name.append(ALPHABET.charAt((int) (bits >>> 59)));
            bits <<= 5;
        }
        return new TemplateName(name.toString());
    }

    private static byte[] digest(byte[] masked, int length) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update(DOMAIN);
            sha256.update(masked, 0, length);
            return sha256.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return "TemplateName[hidden]";
    }
}
