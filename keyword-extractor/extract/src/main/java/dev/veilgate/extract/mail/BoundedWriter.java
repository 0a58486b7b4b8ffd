package dev.veilgate.extract.mail;

import java.io.IOException;
import java.io.Writer;

/** Appends up to a bound, then says that it is full. */
final class BoundedWriter extends Writer {
    private final StringBuilder to;
    private final int max;

    BoundedWriter(StringBuilder to, int max) {
        this.to = to;
        this.max = max;
    }

    @Override
    public void write(char[] chars, int from, int length) throws IOException {
        int room = Math.max(0, max - to.length());
        to.append(chars, from, Math.min(room, length));
        if (length > room) {
            throw new TooMuch(Refusal.Reason.TOO_MUCH_TEXT);
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
