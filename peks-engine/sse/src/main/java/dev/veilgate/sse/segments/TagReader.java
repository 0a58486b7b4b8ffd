package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds tags of names in a segment. Tags are spread evenly, so the page of one is where it would be, or beside. When
 * many were looked for, all tags are read once, and then pages only for those that may be there.
 *
 * <p>Safe for use by several threads.
 */
@Secret
final class TagReader {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final int STEPS = 4; // from page to page, before the rest is halved
    private static final int FILTER_AFTER = 16; // one of so many of the segment's tags was looked for
    private static final int AT_ONCE = 64; // pages

    private final SegmentPages pages;
    private final int documents;
    private final int numberBytes;
    private final int bytes;
    private final int inPage;
    private long wanted;
    private @Nullable TagFilter filter;

    TagReader(SegmentPages pages) {
        this.pages = pages;
        this.documents = pages.entry().layout().documents();
        this.numberBytes = SegmentLayout.numberBytes(documents);
        this.bytes = SegmentLayout.TAG_BYTES + numberBytes;
        this.inPage = PageCipher.PAGE_BYTES / bytes;
    }

    /**
     * Documents that may have one of some names: those with its tag. Each is its number above the name's place,
     * ascending.
     */
    long[] candidates(WantedNames names) throws IOException {
        TagFilter known = filter(names.size());
        Cursor cursor = new Cursor();
        long[] found = new long[16];
        int count = 0;
        for (int i = 0; i < names.size(); i++) {
            int tag = names.tag(i);
            if (known != null && !known.mayHave(tag)) {
                continue;
            }
            for (int at = cursor.seek(tag); at < documents && cursor.tag(at) == tag; at++) {
                if (count == found.length) {
                    found = Arrays.copyOf(found, 2 * count);
                }
                found[count++] = (long) cursor.number(at) << 32 | names.place(i);
            }
        }
        found = Arrays.copyOf(found, count);
        Arrays.sort(found);
        return found;
    }

    private synchronized @Nullable TagFilter filter(int more) throws IOException {
        wanted += more;
        if (filter == null && wanted > documents / FILTER_AFTER) {
            TagFilter made = new TagFilter(documents);
            long length = pages.entry().layout().bytesOf(SegmentPart.NAME_TAGS);
            int atOnce = AT_ONCE * PageCipher.PAGE_BYTES;
            int left = documents;
            for (long from = 0; left > 0; from += atOnce) {
                byte[] some = pages.range(SegmentPart.NAME_TAGS, from, (int) Math.min(atOnce, length - from));
                for (int page = 0; page < some.length; page += PageCipher.PAGE_BYTES) {
                    int end = page + bytes * Math.min(inPage, left);
                    for (int at = page; at < end; at += bytes) {
                        made.add((int) INTS.get(some, at));
                    }
                    left -= (end - page) / bytes;
                }
            }
            filter = made;
        }
        return filter;
    }

    private int inPage(int page) {
        return Math.min(inPage, documents - page * inPage);
    }

    /** Goes through tags upwards, and opens each page once. */
    private final class Cursor {
        private int number = -1;
        private byte[] page = {};
        private int last;
        private int place = -1;

        /** The tag at a place. */
        int tag(int at) throws IOException {
            open(at / inPage);
            return tagInPage(at % inPage);
        }

        private int tagInPage(int record) {
            return (int) INTS.get(page, record * bytes);
        }

        /** The document's number at a place. */
        int number(int at) throws IOException {
            open(at / inPage);
            int number = (int) new PageBytes(page, at % inPage * bytes + SegmentLayout.TAG_BYTES).fixed(numberBytes);
            if (number < 0 || number >= documents) {
                throw pages.damaged(SegmentPart.NAME_TAGS);
            }
            return number;
        }

        private void open(int wanted) throws IOException {
            if (wanted != number) {
                page = pages.page(SegmentPart.NAME_TAGS, wanted);
                number = wanted;
            }
        }

        /**
         * The first place whose tag is not below what is wanted.
         *
         * @param tag not below what was wanted before
         */
        int seek(int tag) throws IOException {
            if (place < 0 || tag != last) {
                place = search(tag, place < 0 ? 0 : place / inPage);
                last = tag;
            }
            return place;
        }

        private int search(int tag, int first) throws IOException {
            int end = documents == 0 ? 0 : (documents - 1) / inPage + 1;
            int low = first; // the place is in none before this page
            int high = end; // and in none behind the first of this page
            int at = first == number ? first : Math.max(first, (int) ((tag & 0xffff_ffffL) * end >>> 32));
            for (int step = 0; low < high; step++) {
                open(at);
                int count = inPage(at);
                int beside;
                if (Integer.compareUnsigned(tagInPage(count - 1), tag) < 0) {
                    low = at + 1;
                    int guess = (int) ((tag & 0xffff_ffffL) * end >>> 32);
                    beside = step == 0 && guess > low && guess < high ? guess : low;
                } else if (at == first || Integer.compareUnsigned(tagInPage(0), tag) < 0) {
                    return at * inPage + inside(count, tag);
                } else {
                    high = at;
                    beside = high - 1;
                }
                at = step < STEPS ? beside : low + high >>> 1;
            }
            return Math.min(documents, low * inPage);
        }

        private int inside(int count, int tag) {
            int low = 0;
            int high = count;
            while (low < high) {
                int middle = low + high >>> 1;
                if (Integer.compareUnsigned(tagInPage(middle), tag) < 0) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }
}
