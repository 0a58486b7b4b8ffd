package dev.veilgate.agent.follow;

import io.airlift.compress.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;

/**
 * Bytes of a Zstandard file of one or more frames. The library takes a part of a magic number for the end: a file that
 * was cut there was whole and ended before. So a frame of one repeated byte is put behind the file, and what it unpacks
 * to must be last. It is repeated, so that it is not what follows where the library takes these bytes for the end of a
 * block that was cut.
 */
final class ZstandardFrames extends BulkInputStream {
    private static final int MARK_BYTES = 300;
    /** A frame of one segment with a block of {@value #MARK_BYTES} times FF (RFC 8878, section 3.1.1). */
    private static final byte[] MARK = {
        0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0x60, 0x2c, 0x00, 0x63, 0x09, 0x00, (byte) 0xff
    };

    private static final int BUFFER_BYTES = 1 << 16;

    private final InputStream decoded;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int from;
    private int to;

    ZstandardFrames(InputStream in) {
        decoded = new ZstdInputStream(new SequenceInputStream(in, new ByteArrayInputStream(MARK)));
    }

    @Override
    public int read(byte[] bytes, int at, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (to - from <= MARK_BYTES) {
            System.arraycopy(buffer, from, buffer, 0, to - from);
            to -= from;
            from = 0;
            int count = decoded.read(buffer, to, buffer.length - to);
            if (count < 0) {
                requireMark();
                return -1;
            }
            to += count;
        }
        int count = Math.min(length, to - from - MARK_BYTES);
        System.arraycopy(buffer, from, bytes, at, count);
        from += count;
        return count;
    }

    private void requireMark() throws EOFException {
        boolean isMark = to - from == MARK_BYTES;
        for (int i = from; i < to && isMark; i++) {
            isMark = buffer[i] == (byte) 0xff;
        }
        if (!isMark) {
            throw new EOFException("the last frame is not whole");
        }
    }
}
