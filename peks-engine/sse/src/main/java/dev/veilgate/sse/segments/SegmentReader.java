package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.BlobStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers by a segment. Each page that is read is known to be the one that was sealed at its place in the object which
 * the entry means, so that no store can give a wrong answer: at worst there is a {@link DamagedObjectException}.
 * Documents that were deleted since are still among the answers, see {@link DeadSet}.
 *
 * <p>Nothing is read before it is asked for. Fences are kept when they were read, two numbers and some 12 bytes a page;
 * of other pages those 128 that were used last. Safe for use by several threads.
 */
@Secret
public final class SegmentReader {
    private final SegmentEntry entry;
    private final SegmentPages pages;
    private final DocumentReader documents;
    private @Nullable WordFences wordFences;

    /** A reader of what stands in a store under the entry's name. */
    public SegmentReader(BlobStore store, SegmentKeys keys, SegmentEntry entry) {
        this.entry = entry;
        this.pages = new SegmentPages(store, keys, entry);
        this.documents = new DocumentReader(pages);
    }

    /** The segment that is read. */
    public SegmentEntry entry() {
        return entry;
    }

    /** The documents that have a word; null if there are none. */
    public @Nullable Postings find(byte[] word) throws IOException {
        int number = wordFences().page(word);
        if (number < 0) {
            return null;
        }
        byte[] bytes = pages.page(SegmentPart.DICTIONARY, number);
        DictionaryPage page;
        try {
            page = new DictionaryPage(bytes);
            if (!page.find(word)) {
                return null;
            }
        } catch (IndexOutOfBoundsException e) {
            throw pages.damaged(SegmentPart.DICTIONARY);
        }
        return postings(page, bytes);
    }

    private Postings postings(DictionaryPage page, byte[] bytes) throws IOException {
        boolean isInline = page.isInline();
        SegmentPart part = isInline ? SegmentPart.DICTIONARY : SegmentPart.LISTS;
        byte[] list = isInline ? bytes : pages.range(part, page.listPlace(), page.listBytes());
        int from = isInline ? (int) page.listPlace() : 0;
        try {
            return Postings.decode(
                    documents::lengthClass,
                    entry.layout().documents(),
                    page.documents(),
                    list,
                    from,
                    from + page.listBytes());
        } catch (IndexOutOfBoundsException | ArithmeticException e) {
            throw pages.damaged(part);
        }
    }

    /**
     * Shows a visitor the words from one on, ascending by their bytes as unsigned numbers.
     *
     * @param from need not be a word
     */
    public void scan(byte[] from, WordVisitor visitor) throws IOException {
        long count = entry.layout().pagesOf(SegmentPart.DICTIONARY);
        for (long number = Math.max(0, wordFences().page(from)); number < count; number++) {
            byte[] bytes = pages.page(SegmentPart.DICTIONARY, number);
            DictionaryPage page = open(bytes);
            while (next(page)) {
                FrontCoding word = page.word();
                if (Arrays.compareUnsigned(word.buffer(), 0, word.length(), from, 0, from.length) >= 0
                        && !visitor.visit(new Found(page, bytes))) {
                    return;
                }
            }
        }
    }

    private DictionaryPage open(byte[] page) throws IOException {
        try {
            return new DictionaryPage(page);
        } catch (IndexOutOfBoundsException e) {
            throw pages.damaged(SegmentPart.DICTIONARY);
        }
    }

    private boolean next(DictionaryPage page) throws IOException {
        try {
            return page.next();
        } catch (IndexOutOfBoundsException e) {
            throw pages.damaged(SegmentPart.DICTIONARY);
        }
    }

    private final class Found implements FoundWord {
        private final DictionaryPage page;
        private final byte[] bytes;

        Found(DictionaryPage page, byte[] bytes) {
            this.page = page;
            this.bytes = bytes;
        }

        @Override
        public byte[] bytes() {
            return page.word().toByteArray();
        }

        @Override
        public boolean startsWith(byte[] beginning) {
            return page.word().has(0, beginning);
        }

        @Override
        public boolean endsWith(byte[] end) {
            int place = page.word().length() - end.length;
            return place >= WordBytes.valueStart(page.word().buffer())
                    && page.word().has(place, end);
        }

        @Override
        public int count() {
            return page.documents();
        }

        @Override
        public Postings postings() throws IOException {
            return SegmentReader.this.postings(page, bytes);
        }
    }

    /**
     * Name, digest and place of a document.
     *
     * @param number below {@link SegmentLayout#documents}
     */
    public StoredName document(int number) throws IOException {
        return documents.document(number);
    }

    /** The number of the document that was added last of those of a name; -1 if there is none. */
    public int number(String name) throws IOException {
        int[] numbers = numbers(name);
        return numbers.length == 0 ? -1 : numbers[numbers.length - 1];
    }

    /** The numbers of all documents of a name, ascending: usually none or one, with those that are deleted more. */
    public int[] numbers(String name) throws IOException {
        return matches(new WantedNames(List.of(name))).stream()
                .mapToInt(NameMatch::number)
                .toArray();
    }

    /** All documents that have one of some names, by their numbers. */
    List<NameMatch> matches(WantedNames names) throws IOException {
        return documents.matches(names);
    }

    /**
     * The {@link LengthClass} of a document.
     *
     * @param number below {@link SegmentLayout#documents}
     */
    public int lengthClass(int number) throws IOException {
        return documents.lengthClass(number);
    }

    /** Number of the dictionary's page that has a word if one has it; -1 if the word is below all. */
    int page(byte[] word) throws IOException {
        return wordFences().page(word);
    }

    /** The pages that are read. */
    SegmentPages pages() {
        return pages;
    }

    private synchronized WordFences wordFences() throws IOException {
        WordFences fences = wordFences;
        if (fences == null) {
            try {
                fences = new WordFences(pages.whole(SegmentPart.WORD_FENCES), (int)
                        entry.layout().pagesOf(SegmentPart.DICTIONARY));
            } catch (IndexOutOfBoundsException e) {
                throw pages.damaged(SegmentPart.WORD_FENCES);
            }
            wordFences = fences;
        }
        return fences;
    }
}
