package dev.veilgate.sse.segments;

import dev.veilgate.sse.Message;
import dev.veilgate.sse.Sha256;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Pages in memory, in clear until they are sealed. */
final class MemoryPages implements PageSink {
    private final List<byte[]> pages = new ArrayList<>();

    @Override
    public void page(byte[] page, int length) {
        pages.add(Arrays.copyOf(page, length));
    }

    /** Appends the pages to what is hashed. */
    void hash(Sha256 sha) {
        pages.forEach(sha::add);
    }

    /** Puts sealed pages in the place of the pages. */
    List<byte[]> seal(PageCipher cipher) {
        for (int i = 0; i < pages.size(); i++) {
            byte[] page = pages.get(i);
            pages.set(i, cipher.seal(i, page, page.length));
        }
        return pages;
    }

    /** An object of some pieces. */
    static Message.Body body(List<byte[]> pieces) {
        long length = pieces.stream().mapToLong(piece -> piece.length).sum();
        return new Message.Body() {
            @Override
            public long length() {
                return length;
            }

            @Override
            public InputStream open() {
                return new SequenceInputStream(Collections.enumeration(
                        pieces.stream().map(ByteArrayInputStream::new).toList()));
            }
        };
    }
}
