package dev.veilgate.agent.follow;

import io.airlift.compress.bzip2.BZip2HadoopStreams;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a bzip2 file of one or more streams, as pbzip2 and lbzip2 write them, and {@code bzip2 >>}. The library
 * reads one stream and takes what follows for a damaged block.
 */
final class BZip2Streams extends BulkInputStream {
    private static final int BUFFER_BYTES = 1 << 16;
    /** The header: {@code BZh9}, and a block's first six bytes or those behind the last block. */
    private static final int HEADER_BYTES = 10;

    /** The end: six bytes behind the last block, a check sum, and bits up to a whole byte. */
    private static final int END_BYTES = 11;

    private static final long BLOCK = 0x314159265359L;
    private static final long END = 0x177245385090L;
    private static final long MARK = (1L << 48) - 1;

    private final Packed packed;
    private @Nullable InputStream decoded;

    BZip2Streams(InputStream in) {
        packed = new Packed(in);
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (true) {
            InputStream now = decoded;
            if (now == null) {
                if (!packed.begin()) {
                    return -1;
                }
                now = new BZip2HadoopStreams().createInputStream(packed);
                decoded = now;
            }
            int count = now.read(bytes, from, length);
            if (count >= 0) {
                return count;
            }
            decoded = null;
        }
    }

    /** Compressed bytes of one stream of several, up to the header of the next. */
    private static final class Packed extends BulkInputStream {
        private final InputStream in;
        private final byte[] buffer = new byte[BUFFER_BYTES];
        private int from;
        private int to;
        /** Up to where all is of this stream, as far as is known. */
        private int end;

        /** The last bytes of the stream so far. */
        private final byte[] last = new byte[END_BYTES];

        private boolean isBegun;
        private boolean isWhole;
        private boolean isNextFound;

        Packed(InputStream in) {
            this.in = in;
        }

        /** Goes to the next stream; false if there is none. */
        boolean begin() throws IOException {
            if (isBegun) {
                drain();
            }
            isNextFound = false;
            fill();
            if (from == to) {
                return false;
            }
            if (to - from < HEADER_BYTES || !isHeader(from)) {
                throw new EOFException("what follows a stream is none");
            }
            isBegun = true;
            find(from + 1);
            return true;
        }

        @Override
        public int read(byte[] bytes, int at, int length) throws IOException {
            if (from == end && !isNextFound && !isWhole) {
                fill();
                find(from);
            }
            int count = Math.min(length, end - from);
            if (count <= 0) {
                return length == 0 ? 0 : -1;
            }
            System.arraycopy(buffer, from, bytes, at, count);
            remember(from, count);
            from += count;
            return count;
        }

        private void remember(int first, int count) {
            int kept = Math.max(0, END_BYTES - count);
            System.arraycopy(last, END_BYTES - kept, last, 0, kept);
            System.arraycopy(buffer, first + count - (END_BYTES - kept), last, kept, END_BYTES - kept);
        }

        /**
         * Passes over what the library has left, and sees that the stream ends with it: nothing is cut off or follows.
         */
        private void drain() throws IOException {
            byte[] rest = new byte[END_BYTES];
            while (read(rest, 0, rest.length) > 0) {
                // it reads by the byte, and ahead
            }
            if (!endsHere()) {
                throw new EOFException("a stream has no end, or something follows it");
            }
        }

        private boolean endsHere() {
            BigInteger bits = new BigInteger(1, last);
            for (int padding = 0; padding < Byte.SIZE; padding++) {
                long mark = bits.shiftRight(padding + Integer.SIZE).longValue() & MARK;
                boolean isPadded = bits.mod(BigInteger.ONE.shiftLeft(padding)).signum() == 0;
                if (isPadded && mark == END) {
                    return true;
                }
            }
            return false;
        }

        private void fill() throws IOException {
            System.arraycopy(buffer, from, buffer, 0, to - from);
            to -= from;
            from = 0;
            while (!isWhole && to < buffer.length) {
                int count = in.read(buffer, to, buffer.length - to);
                isWhole = count < 0;
                to += Math.max(count, 0);
            }
        }

        /** Looks for the next header from a place on. */
        private void find(int first) {
            int most = to - HEADER_BYTES;
            for (int i = first; i <= most; i++) {
                if (buffer[i] == 'B' && isHeader(i)) {
                    end = i;
                    isNextFound = true;
                    return;
                }
            }
            end = isWhole ? to : Math.max(first, most + 1);
        }

        private boolean isHeader(int at) {
            if (buffer[at + 1] != 'Z' || buffer[at + 2] != 'h' || buffer[at + 3] < '1' || buffer[at + 3] > '9') {
                return false;
            }
            long mark = 0;
            for (int i = at + 4; i < at + HEADER_BYTES; i++) {
                mark = mark << Byte.SIZE | buffer[i] & 0xff;
            }
            return mark == BLOCK || mark == END;
        }
    }
}
