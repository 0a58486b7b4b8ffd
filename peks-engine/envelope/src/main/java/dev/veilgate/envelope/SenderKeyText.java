package dev.veilgate.envelope;

import dev.veilgate.encoding.MalformedEncodingException;
import java.io.IOException;
import java.io.Reader;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A sender's public key as text, to be mailed or pasted; several of them one behind the other. */
public final class SenderKeyText {
    private static final String BEGIN = "-----BEGIN VEILGATE SENDER KEY-----";
    private static final String END = "-----END VEILGATE SENDER KEY-----";

    /** Most characters that are looked at for one key. */
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
        return decode(text.substring(begin + BEGIN.length(), end));
    }

    private static SenderPublicKey decode(String base64) throws MalformedEncodingException {
        try {
            return SenderPublicKey.decode(Base64.getMimeDecoder().decode(base64));
        } catch (IllegalArgumentException e) {
            throw new MalformedEncodingException("sender-key", "must be Base64 between its first and last line");
        }
    }

    /** What is done with each of several keys. */
    public interface Each {
        /** @param number of the key in the text, from 1 */
        void key(int number, SenderPublicKey key);

        /** @param number of the key in the text, from 1 */
        void malformed(int number, MalformedEncodingException why);
    }

    /**
     * Reads any number of keys, one behind the other; text around them is passed over.
     *
     * @param text however long; not closed by this
     * @return how many keys began in it
     */
    public static int readAll(Reader text, Each each) throws IOException {
        int number = 0;
        @Nullable StringBuilder key = null;
        for (String line = line(text); line != null; line = line(text)) {
            int begin = line.indexOf(BEGIN);
            if (begin >= 0) {
                if (key != null) {
                    each.malformed(number, cut());
                }
                number++;
                key = new StringBuilder();
                line = line.substring(begin + BEGIN.length());
            }
            int end = line.indexOf(END);
            if (key != null) {
                key.append(line, 0, end < 0 ? line.length() : end).append('\n');
            }
            if (key != null && (end >= 0 || key.length() > MAX_CHARS)) {
                give(number, key.toString(), end >= 0, each);
                key = null;
            }
        }
        if (key != null) {
            each.malformed(number, cut());
        }
        return number;
    }

    private static void give(int number, String base64, boolean hasEnd, Each each) {
        SenderPublicKey key;
        try {
            if (!hasEnd) {
                throw cut();
            }
            key = decode(base64);
        } catch (MalformedEncodingException e) {
            each.malformed(number, e);
            return;
        }
        each.key(number, key);
    }

    private static MalformedEncodingException cut() {
        return new MalformedEncodingException("sender-key", "must end with the line " + END);
    }

    /** The next line, or a part of a very long one. */
    private static @Nullable String line(Reader text) throws IOException {
        StringBuilder line = new StringBuilder(80);
        int next = text.read();
        if (next < 0) {
            return null;
        }
        while (next >= 0 && next != '\n') {
            line.append((char) next);
            if (line.length() == MAX_CHARS) {
                break;
            }
            next = text.read();
        }
        return line.toString();
    }
}
