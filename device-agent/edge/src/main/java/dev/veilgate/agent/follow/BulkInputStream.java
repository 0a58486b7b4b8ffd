package dev.veilgate.agent.follow;

import java.io.IOException;
import java.io.InputStream;

/** Stream that is read by the array; a single byte is an array of one. */
abstract class BulkInputStream extends InputStream {
    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public abstract int read(byte[] bytes, int from, int length) throws IOException;
}
