package dev.veilgate.agent.follow;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/**
 * Bytes of a gzip file of one or more members. Java takes what follows a member and begins none for nothing: a file
 * that was cut in the header of its second member, or damaged there, ended before it and was whole.
 */
final class GzipMembers extends GZIPInputStream {
    private static final int TRAILER_BYTES = 8;

    private final Packed packed;

    GzipMembers(InputStream in, int bufferBytes) throws IOException {
        this(new Packed(in), bufferBytes);
    }

    private GzipMembers(Packed packed, int bufferBytes) throws IOException {
        super(packed, bufferBytes);
        this.packed = packed;
    }

    @Override
    protected void fill() throws IOException {
        super.fill();
        packed.count = 0;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int count = super.read(bytes, from, length);
        if (count < 0) {
            // With the last trailer, unless a part of it was read past the buffer.
            int buffered = inf.getRemaining();
            boolean isAll = buffered <= TRAILER_BYTES && packed.count <= TRAILER_BYTES - buffered;
            if (!isAll || packed.read() >= 0) {
                throw new EOFException("what follows a member is none");
            }
        }
        return count;
    }

    /** Counts what is read past the buffer: trailers and headers. */
    private static final class Packed extends FilterInputStream {
        private int count;

        Packed(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int one = super.read();
            count += one < 0 ? 0 : 1;
            return one;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int read = super.read(bytes, from, length);
            count += Math.max(read, 0);
            return read;
        }
    }
}
