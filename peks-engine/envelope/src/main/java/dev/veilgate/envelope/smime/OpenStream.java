package dev.veilgate.envelope.smime;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A stream that goes on behind what is written through this: closing flushes only. */
final class OpenStream extends FilterOutputStream {
    OpenStream(OutputStream out) {
        super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
        out.flush();
    }
}
