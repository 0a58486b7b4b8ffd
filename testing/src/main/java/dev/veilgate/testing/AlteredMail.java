package dev.veilgate.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/** Sealed mails as somebody on the way can alter them, who has no key. */
public final class AlteredMail {
    private static final int BLOCK_BYTES = 16;
    private static final int PLACE_IN_BLOCK = 3;

    private AlteredMail() {}

    /**
     * A mail with one bit of its ciphertext changed, so that the block decrypts to something random, and the next one
     * to what it was but for a bit.
     *
     * @param delivered whose S/MIME part is at the top
     * @param block     of the encrypted content, from 0 on
     */
    public static byte[] inBlock(byte[] delivered, int block) {
        String text = new String(delivered, StandardCharsets.ISO_8859_1);
        int body = text.indexOf("\r\n\r\n") + 4;
        byte[] cms = Base64.getMimeDecoder().decode(text.substring(body));
        cms[content(cms) + BLOCK_BYTES * block + PLACE_IN_BLOCK] ^= 1;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(Arrays.copyOf(delivered, body));
        out.writeBytes(Base64.getMimeEncoder().encode(cms));
        return out.toByteArray();
    }

    /** Place of the encrypted content: that of its first OCTET STRING, which has a thousand bytes. */
    private static int content(byte[] cms) {
        for (int i = 0; i + 4 < cms.length; i++) {
            if (cms[i] == 4 && cms[i + 1] == (byte) 0x82 && cms[i + 2] == 3 && cms[i + 3] == (byte) 0xe8) {
                return i + 4;
            }
        }
        throw new AssertionError("no chunk of a thousand bytes");
    }
}
