package dev.veilgate.envelope.smime;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Lines of base64 without their CR and LF. */
final class Base64Lines extends FilterInputStream {
    private long chars;
    private long line;
    private long longest;

    Base64Lines(InputStream in) {
        super(in);
    }

    /** Characters of the longest line that was read. */
    long longest() {
        return longest;
    }

    /** Characters that were read, without line ends. */
    long chars() {
        return chars;
    }

    @Override
    public int read() throws IOException {
        int b = in.read();
        while (isLineEnd(b)) {
            line = 0;
            b = in.read();
        }
        if (b >= 0) {
            count();
        }
        return b;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int kept = 0;
        while (kept == 0) {
            int n = in.read(bytes, offset, length);
            if (n <= 0) {
                return n;
            }
            for (int i = offset; i < offset + n; i++) {
                if (isLineEnd(bytes[i])) {
                    line = 0;
                } else {
                    bytes[offset + kept++] = bytes[i];
                    count();
                }
            }
        }
        return kept;
    }

    private static boolean isLineEnd(int b) {
        return b == '\r' || b == '\n';
    }

    private void count() {
        chars++;
        longest = Math.max(longest, ++line);
    }
}
