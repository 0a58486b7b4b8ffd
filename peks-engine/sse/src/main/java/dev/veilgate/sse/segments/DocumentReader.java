package dev.veilgate.sse.segments;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what a segment has of documents, but for their words. Safe for use by several threads. */
@Secret
final class DocumentReader {
    private static final int[] NONE = {};

    private final SegmentPages pages;
    private final SegmentLayout layout;
    private final TagReader tags;
    private int @Nullable [] firstDocuments; // of each page

    DocumentReader(SegmentPages pages) {
        this.pages = pages;
        this.layout = pages.entry().layout();
        this.tags = new TagReader(pages);
    }

    /**
     * Name, digest and place of a document.
     *
     * @param number below {@link SegmentLayout#documents}
     */
    StoredName document(int number) throws IOException {
        DocumentPage page = documentPage(number);
        FrontCoding name = page.name();
        return new StoredName(
                new String(name.buffer(), 0, name.length(), StandardCharsets.UTF_8), page.digest(), page.place());
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

    /** The numbers of all documents of a name, ascending. */
    int[] numbers(String name) throws IOException {
        byte[] utf8 = ByteWriter.utf8(name);
        return numbers(utf8, NameTags.of(new Sha256(), utf8, utf8.length, 0));
    }

    /** The numbers of all documents of each name. */
    int[][] numbers(List<String> names) throws IOException {
        int count = names.size();
        byte[][] utf8 = new byte[count][];
        long[] sorted = new long[count]; // tag with the name's place below it, as signed numbers
        Sha256 sha = new Sha256();
        for (int i = 0; i < count; i++) {
            utf8[i] = ByteWriter.utf8(names.get(i));
            sorted[i] = NameTags.of(sha, utf8[i], utf8[i].length, i) ^ Long.MIN_VALUE;
        }
        Arrays.sort(sorted); // so that each page is opened once
        int[][] numbers = new int[count][];
        for (long each : sorted) {
            int place = (int) each;
            numbers[place] = numbers(utf8[place], (each ^ Long.MIN_VALUE) & 0xffff_ffff_0000_0000L);
        }
        return numbers;
    }

    private int[] numbers(byte[] name, long tag) throws IOException {
        int[] numbers = NONE;
        for (int i = tags.search(tag); i < layout.documents(); i++) {
            long found = tags.at(i);
            int number = (int) found;
            if (found >>> 32 != tag >>> 32) {
                break;
            }
            if (number < 0 || number >= layout.documents()) {
                throw pages.damaged(SegmentPart.NAME_TAGS);
            }
            FrontCoding other = documentPage(number).name();
            if (other.length() == name.length && other.has(0, name)) {
                numbers = Arrays.copyOf(numbers, numbers.length + 1);
                numbers[numbers.length - 1] = number;
            }
        }
        return numbers;
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
