package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what a segment has of documents, but for their words. Safe for use by several threads. */
@Secret
final class DocumentReader {
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
        int index = pageOf(number);
        DocumentPage page = new DocumentPage(pages.page(SegmentPart.DOCUMENTS, index));
        for (int i = firstDocuments()[index]; i <= number; i++) {
            next(page);
        }
        return page;
    }

    private int pageOf(int number) throws IOException {
        int found = Arrays.binarySearch(firstDocuments(), number);
        return found < 0 ? -found - 2 : found;
    }

    private void next(DocumentPage page) throws IOException {
        try {
            page.next();
        } catch (IndexOutOfBoundsException e) {
            throw pages.damaged(SegmentPart.DOCUMENTS);
        }
    }

    /** All documents that have one of some names, by their numbers. */
    List<NameMatch> matches(WantedNames names) throws IOException {
        List<NameMatch> matches = new ArrayList<>();
        DocumentPage page = null;
        int next = 0; // number of the next document of the page
        int end = 0; // and of the next page's first
        for (long each : tags.candidates(names)) {
            int number = (int) (each >>> 32);
            int place = (int) each;
            if (page == null || number >= end) {
                int index = pageOf(number);
                int[] firsts = firstDocuments();
                page = new DocumentPage(pages.page(SegmentPart.DOCUMENTS, index));
                next = firsts[index];
                end = index + 1 < firsts.length ? firsts[index + 1] : layout.documents();
            }
            for (; next <= number; next++) { // it may be this one already: two names may have one tag
                next(page);
            }
            byte[] name = names.name(place);
            if (page.name().length() == name.length && page.name().has(0, name)) {
                matches.add(new NameMatch(place, number, page.digest(), page.place()));
            }
        }
        return matches;
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
