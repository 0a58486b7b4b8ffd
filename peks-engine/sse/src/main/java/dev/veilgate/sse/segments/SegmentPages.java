package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.BlobStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.AEADBadTagException;

/** Reads and opens the pages of one segment, and keeps some that were used last. Safe for use by several threads. */
@Secret
final class SegmentPages {
    private static final int KEPT = 128;
    private static final int AT_ONCE = 64; // pages in one read

    private final BlobStore store;
    private final SegmentKeys keys;
    private final SegmentEntry entry;
    private final byte[] v;
    private final Map<SegmentPart, PageCipher> ciphers = new EnumMap<>(SegmentPart.class);
    private final Map<Long, byte[]> kept = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, byte[]> eldest) {
            return size() > KEPT;
        }
    };

    SegmentPages(BlobStore store, SegmentKeys keys, SegmentEntry entry) {
        this.store = store;
        this.keys = keys;
        this.entry = entry;
        this.v = entry.v();
    }

    /** A page, which nobody changes. */
    synchronized byte[] page(SegmentPart part, long number) throws IOException {
        long place = (long) part.ordinal() << 40 | number;
        byte[] known = kept.get(place);
        if (known == null) {
            long from = number * PageCipher.PAGE_BYTES;
            int length = (int) Math.min(PageCipher.PAGE_BYTES, entry.layout().bytesOf(part) - from);
            if (number < 0 || length <= 0) {
                throw damaged(part);
            }
            known = range(part, from, length);
            kept.put(place, known);
        }
        return known;
    }

    /** Bytes of a part. */
    synchronized byte[] range(SegmentPart part, long from, int length) throws IOException {
        long bytes = entry.layout().bytesOf(part);
        if (from < 0 || length < 0 || from > bytes - length) {
            throw damaged(part);
        }
        byte[] range = new byte[length];
        long last = (from + length - 1) / PageCipher.PAGE_BYTES;
        for (long first = from / PageCipher.PAGE_BYTES; length > 0 && first <= last; first += AT_ONCE) {
            int pages = (int) Math.min(AT_ONCE, last - first + 1);
            read(part, first, pages, bytes, range, from);
        }
        return range;
    }

    /** Opens pages that follow each other, and copies what the range has of them. */
    private void read(SegmentPart part, long first, int pages, long bytes, byte[] range, long from) throws IOException {
        long clear = Math.min(bytes - first * PageCipher.PAGE_BYTES, (long) pages * PageCipher.PAGE_BYTES);
        int length = (int) clear + pages * PageCipher.TAG_BYTES;
        long place = entry.layout().placeOf(part) + first * PageCipher.SEALED_BYTES;
        byte[] sealed;
        try {
            sealed = store.read(entry.name(), place, length);
        } catch (NoSuchFileException e) {
            throw new DamagedObjectException(entry.name(), "it is missing");
        }
        if (sealed.length != length) {
            throw damaged(part);
        }
        PageCipher cipher = ciphers.computeIfAbsent(part, p -> keys.cipher(ObjectKind.SEGMENT, v, p.ordinal()));
        for (int i = 0; i < pages; i++) {
            int at = i * PageCipher.SEALED_BYTES;
            byte[] page;
            try {
                page = cipher.open(first + i, sealed, at, Math.min(PageCipher.SEALED_BYTES, length - at));
            } catch (AEADBadTagException e) {
                throw damaged(part);
            }
            long begin = (first + i) * PageCipher.PAGE_BYTES;
            int skip = (int) Math.max(0, from - begin);
            int to = (int) (Math.max(0, begin - from));
            System.arraycopy(page, skip, range, to, Math.min(page.length - skip, range.length - to));
        }
    }

    /** All bytes of a part. */
    byte[] whole(SegmentPart part) throws IOException {
        return range(part, 0, Math.toIntExact(entry.layout().bytesOf(part)));
    }

    SegmentEntry entry() {
        return entry;
    }

    SegmentKeys keys() {
        return keys;
    }

    DamagedObjectException damaged(SegmentPart part) {
        return new DamagedObjectException(entry.name(), part.text);
    }
}
