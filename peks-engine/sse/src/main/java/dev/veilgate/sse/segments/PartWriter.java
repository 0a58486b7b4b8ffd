package dev.veilgate.sse.segments;

import java.io.IOException;
import java.util.Arrays;

/** Cuts what is written into pages. Numbers are in groups of 7 bits, the lowest first, all but the last with bit 7. */
final class PartWriter {
    private final PageSink sink;
    private final byte[] page = new byte[PageCipher.PAGE_BYTES];
    private int at;
    private long pages;

    PartWriter(PageSink sink) {
        this.sink = sink;
    }

    /** Bytes that the present page has left. */
    int room() {
        return page.length - at;
    }

    /** Whether nothing was written into the present page. */
    boolean isNewPage() {
        return at == 0;
    }

    /** A byte into the present page, which has room for it. */
    PartWriter put(int value) {
        page[at++] = (byte) value;
        return this;
    }

    /** Overwrites a big-endian number in the present page. */
    void set(int place, long value, int bytes) {
        for (int i = bytes - 1; i >= 0; i--) {
            page[place + i] = (byte) value;
            value >>>= 8;
        }
    }

    /** A big-endian number into the present page, which has room for it. */
    PartWriter fixed(long value, int bytes) {
        set(at, value, bytes);
        at += bytes;
        return this;
    }

    /** A number into the present page, which has room for it. */
    PartWriter number(long value) {
        at = Numbers.put(page, at, value);
        return this;
    }

    /** Bytes into the present page, which has room for them. */
    PartWriter put(byte[] from, int begin, int length) {
        System.arraycopy(from, begin, page, at, length);
        at += length;
        return this;
    }

    /** Bytes over as many pages as they need. */
    void stream(byte[] from, int begin, int length) throws IOException {
        while (length > 0) {
            int n = Math.min(room(), length);
            put(from, begin, n);
            begin += n;
            length -= n;
            if (room() == 0) {
                endPage();
            }
        }
    }

    /** Fills the present page with zeros and begins the next. */
    void endPage() throws IOException {
        Arrays.fill(page, at, page.length, (byte) 0);
        sink.page(page, page.length);
        pages++;
        at = 0;
    }

    /** How many bytes there are up to now. */
    long length() {
        return pages * page.length + at;
    }

    /** Ends the part with what the present page has; returns how many bytes it has in all. */
    long finish() throws IOException {
        long length = length();
        if (at > 0) {
            sink.page(page, at);
            at = 0;
        }
        return length;
    }
}
