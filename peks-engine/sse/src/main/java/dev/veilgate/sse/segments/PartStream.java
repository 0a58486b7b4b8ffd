package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import java.io.IOException;

/** Reads a part from its first byte to its last, many pages at once. */
@Secret
final class PartStream {
    private static final int AT_ONCE = 64 * PageCipher.PAGE_BYTES;

    private final SegmentPages pages;
    private final SegmentPart part;
    private final long end;
    private byte[] buffer = new byte[0];
    private int at;
    private long next;

    PartStream(SegmentPages pages, SegmentPart part) {
        this.pages = pages;
        this.part = part;
        this.end = pages.entry().layout().bytesOf(part);
    }

    /** How many bytes are left. */
    long left() {
        return end - next + buffer.length - at;
    }

    /** Where the next bytes stand. */
    long at() {
        return end - left();
    }

    /** The next bytes, into an array. */
    void read(byte[] to, int begin, int length) throws IOException {
        while (length > 0) {
            if (at == buffer.length) {
                if (next == end) {
                    throw damaged();
                }
                buffer = pages.range(part, next, (int) Math.min(AT_ONCE, end - next));
                next += buffer.length;
                at = 0;
            }
            int n = Math.min(length, buffer.length - at);
            System.arraycopy(buffer, at, to, begin, n);
            at += n;
            begin += n;
            length -= n;
        }
    }

    /** The next page. */
    byte[] page() throws IOException {
        byte[] page = new byte[(int) Math.min(PageCipher.PAGE_BYTES, left())];
        read(page, 0, page.length);
        return page;
    }

    DamagedObjectException damaged() {
        return pages.damaged(part);
    }
}
