package dev.veilgate.sse.segments;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads what a segment has of documents, but for their words. Safe for use by several threads. */
@Secret
final class DocumentReader {
    private final SegmentPages pages;
    private final SegmentLayout layout;
    private int @Nullable [] firstDocuments; // of each page

    DocumentReader(SegmentPages pages) {
        this.pages = pages;
        this.layout = pages.entry().layout();
    }

    /**
     * Name, digest and parts of a document.
     *
     * @param number below {@link SegmentLayout#documents}
     */
    StoredName document(int number) throws IOException {
        DocumentPage page = documentPage(number);
        FrontCoding name = page.name();
        return new StoredName(
                new String(name.buffer(), 0, name.length(), StandardCharsets.UTF_8), page.digest(), page.parts());
    }

    private DocumentPage documentPage(int number) throws IOException {
        if (number < 0 || number >= layout.documents()) {
            throw new IllegalArgumentException("the segment has no document of this number");
        }
        int[] firsts = firstDocuments();
        int found = Arrays.binarySearch(firsts, number);
        int index = found < 0 ? -found - 2 : found;
        byte[] bytes = pages.page(SegmentPart.DOCUMENTS, index);
        try {
            DocumentPage page = new DocumentPage(bytes);
            for (int i = firsts[index]; i <= number; i++) {
                page.next();
            }
            return page;
        } catch (IndexOutOfBoundsException e) {
            throw pages.damaged(SegmentPart.DOCUMENTS);
        }
    }

    /** The numbers of all documents of a name, ascending: usually none or one, with those that are deleted more. */
    int[] numbers(String name) throws IOException {
        byte[] utf8 = ByteWriter.utf8(name);
        int documents = layout.documents();
        long wanted = NameTags.of(new Sha256(), utf8, utf8.length, 0);
        int[] numbers = new int[1];
        int count = 0;
        for (int i = NameTags.search(this::tag, documents, wanted); i < documents; i++) {
            long tag = tag(i);
            int number = (int) tag;
            if (tag >>> 32 != wanted >>> 32) {
                break;
            }
            if (number < 0 || number >= documents) {
                throw pages.damaged(SegmentPart.NAME_TAGS);
            }
            FrontCoding other = documentPage(number).name();
            if (other.length() == utf8.length && other.has(0, utf8)) {
                numbers = count == numbers.length ? Arrays.copyOf(numbers, 2 * count) : numbers;
                numbers[count++] = number;
            }
        }
        return Arrays.copyOf(numbers, count);
    }

    private long tag(int index) throws IOException {
        int numberBytes = layout.numberBytes();
        int bytes = SegmentLayout.TAG_BYTES + numberBytes;
        int inPage = PageCipher.PAGE_BYTES / bytes;
        PageBytes page = new PageBytes(pages.page(SegmentPart.NAME_TAGS, index / inPage), index % inPage * bytes);
        return page.fixed(SegmentLayout.TAG_BYTES) << 32 | page.fixed(numberBytes);
    }

    /**
     * The {@link LengthClass} of a document.
     *
     * @param number below {@link SegmentLayout#documents}
     */
    int lengthClass(int number) throws IOException {
        if (number < 0 || number >= layout.documents()) {
            throw new IllegalArgumentException("the segment has no document of this number");
        }
        return pages.page(SegmentPart.LENGTHS, number / PageCipher.PAGE_BYTES)[number % PageCipher.PAGE_BYTES] & 0xff;
    }

    /** The number of the first document of each page. */
    synchronized int[] firstDocuments() throws IOException {
        int[] firsts = firstDocuments;
        if (firsts == null) {
            PageBytes in = new PageBytes(pages.whole(SegmentPart.DOCUMENT_FENCES), 0);
            firsts = new int[(int) layout.pagesOf(SegmentPart.DOCUMENTS)];
            try {
                for (int i = 1; i < firsts.length; i++) {
                    firsts[i] = Math.addExact(firsts[i - 1], in.count());
                }
            } catch (IndexOutOfBoundsException | ArithmeticException e) {
                throw pages.damaged(SegmentPart.DOCUMENT_FENCES);
            }
            firstDocuments = firsts;
        }
        return firsts;
    }
}
