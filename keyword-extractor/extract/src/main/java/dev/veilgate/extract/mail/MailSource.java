package dev.veilgate.extract.mail;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The bytes of a mail, counted and bounded; remembers whether it was the source that failed. */
final class MailSource extends FilterInputStream {
    private final long max;
    private final ProcessorTime time;
    private long count;
    private boolean cut;
    private @Nullable IOException failure;

    MailSource(InputStream in, long max, ProcessorTime time) {
        super(in);
        this.time = time;
        this.max = max;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        time.check();
        try {
            if (count >= max) {
                cut = cut || in.read() >= 0;
                return -1;
            }
            int n = in.read(bytes, from, (int) Math.min(length, max - count));
            count += Math.max(0, n);
            return n;
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    long count() {
        return count;
    }

    /** Whether there was more than allowed. */
    boolean cut() {
        return cut;
    }

    @Nullable
    IOException failure() {
        return failure;
    }
}
