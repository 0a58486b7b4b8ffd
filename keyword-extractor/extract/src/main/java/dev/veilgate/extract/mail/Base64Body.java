package dev.veilgate.extract.mail;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Bytes of a body in base64. Padding ends a group and not the body: programs that encode piece by piece write it in the middle, and mail programs show what comes
 * behind. Whatever is no letter of base64 is passed over, and a last group without its padding counts as far as it goes.
 */
final class Base64Body extends InputStream {
    private static final byte[] VALUES = values();
    private static final byte NONE = -1;
    private static final byte PADDING = -2;

    private final InputStream written;
    private final byte[] buffer = new byte[2048];
    private int at;
    private int end;
    private int bits;
    private int letters;
    private int ready;
    private int readyBytes;

    Base64Body(InputStream written) {
        this.written = written;
    }

    private static byte[] values() {
        byte[] values = new byte[256];
        Arrays.fill(values, NONE);
        String letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (int i = 0; i < letters.length(); i++) {
            values[letters.charAt(i)] = (byte) i;
        }
        values['='] = PADDING;
        return values;
    }

    @Override
    public int read() throws IOException {
        while (readyBytes == 0) {
            if (at == end) {
                at = 0;
                end = Math.max(0, written.read(buffer));
                if (end == 0) {
                    endGroup();
                    if (readyBytes == 0) {
                        return -1;
                    }
                    break;
                }
            }
            letter(VALUES[buffer[at++] & 0xff]);
        }
        readyBytes--;
        return ready >> 8 * readyBytes & 0xff;
    }

    private void letter(byte value) {
        if (value == PADDING) {
            endGroup();
        } else if (value != NONE) {
            bits = bits << 6 | value;
            letters++;
            if (letters == 4) {
                endGroup();
            }
        }
    }

    /** Of four letters three bytes, of three two, of two one; a single letter is less than a byte. */
    private void endGroup() {
        readyBytes = Math.max(0, letters - 1);
        ready = bits << 6 * (4 - letters) >> 8 * (3 - readyBytes);
        letters = 0;
        bits = 0;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int n = 0;
        while (n < length) {
            int next = read();
            if (next < 0) {
                return n == 0 ? -1 : n;
            }
            bytes[from + n++] = (byte) next;
        }
        return n;
    }
}
