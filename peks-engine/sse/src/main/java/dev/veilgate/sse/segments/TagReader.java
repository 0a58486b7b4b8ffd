package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import java.io.IOException;

/** Finds tags of names in a segment. Tags are spread evenly, so the page of one is where it would be, or beside. */
@Secret
final class TagReader {
    private static final int STEPS = 4; // from page to page, before the rest is halved

    private final SegmentPages pages;
    private final int documents;
    private final int numberBytes;
    private final int bytes;
    private final int inPage;

    TagReader(SegmentPages pages) {
        this.pages = pages;
        this.documents = pages.entry().layout().documents();
        this.numberBytes = SegmentLayout.numberBytes(documents);
        this.bytes = SegmentLayout.TAG_BYTES + numberBytes;
        this.inPage = PageCipher.PAGE_BYTES / bytes;
    }

    /** The tag at a place, above its number. */
    long at(int place) throws IOException {
        return at(pages.page(SegmentPart.NAME_TAGS, place / inPage), place % inPage);
    }

    private long at(byte[] page, int record) {
        PageBytes in = new PageBytes(page, record * bytes);
        return in.fixed(SegmentLayout.TAG_BYTES) << 32 | in.fixed(numberBytes);
    }

    /** The first place whose tag, with its number, is not below what is wanted. */
    int search(long wanted) throws IOException {
        int low = 0; // the place is in none before this page
        int high = documents == 0 ? 0 : (documents - 1) / inPage + 1; // and in none behind the first of this page
        int at = (int) ((wanted >>> 32) * high >>> 32);
        for (int step = 0; low < high; step++) {
            byte[] page = pages.page(SegmentPart.NAME_TAGS, at);
            int count = Math.min(inPage, documents - at * inPage);
            int beside;
            if (Long.compareUnsigned(at(page, count - 1), wanted) < 0) {
                low = at + 1;
                beside = low;
            } else if (Long.compareUnsigned(at(page, 0), wanted) < 0) {
                return at * inPage + inside(page, count, wanted);
            } else {
                high = at;
                beside = high - 1;
            }
            at = step < STEPS ? beside : low + high >>> 1;
        }
        return Math.min(documents, low * inPage);
    }

    private int inside(byte[] page, int count, long wanted) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = low + high >>> 1;
            if (Long.compareUnsigned(at(page, middle), wanted) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
