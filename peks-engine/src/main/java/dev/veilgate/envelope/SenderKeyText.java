package dev.veilgate.envelope;

import dev.veilgate.encoding.MalformedEncodingException;
import java.util.Base64;

/** A sender's public key as text, to be mailed or pasted. */
public final class SenderKeyText {
    private static final String BEGIN = "-----BEGIN VEILGATE SENDER KEY-----";
    private static final String END = "-----END VEILGATE SENDER KEY-----";

    /** Most characters that are looked at. */
    public static final int MAX_CHARS = 16_384;

    private SenderKeyText() {}

    /** The lines. */
    public static String write(SenderPublicKey key) {
        return BEGIN + "\n" + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.encode()) + "\n" + END
                + "\n";
    }

    /** The inverse; text around the lines is passed over. */
    public static SenderPublicKey read(String text) throws MalformedEncodingException {
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin || text.length() > MAX_CHARS) {
            throw new MalformedEncodingException("sender-key", "must be the lines that veilgate identity show prints");
        }
        try {
            return SenderPublicKey.decode(Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end)));
        } catch (IllegalArgumentException e) {
            throw new MalformedEncodingException("sender-key", "must be Base64 between its first and last line");
        }
    }
}
