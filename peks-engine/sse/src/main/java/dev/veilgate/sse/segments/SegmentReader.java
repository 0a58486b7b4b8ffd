package dev.veilgate.sse.segments;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.BlobStore;
import dev.veilgate.sse.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
    private @Nullable WordFences wordFences;
    private int @Nullable [] firstDocuments;

    /** A reader of what stands in a store under the entry's name. */
    public SegmentReader(BlobStore store, SegmentKeys keys, SegmentEntry entry) {
        this.entry = entry;
        this.pages = new SegmentPages(store, keys, entry);
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
            return Postings.decode(this, page.documents(), list, from, from + page.listBytes());
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
     * Name, digest and parts of a document.
     *
     * @param number below {@link SegmentLayout#documents}
     */
    public StoredName document(int number) throws IOException {
        DocumentPage page = documentPage(number);
        FrontCoding name = page.name();
        return new StoredName(
                new String(name.buffer(), 0, name.length(), StandardCharsets.UTF_8), page.digest(), page.parts());
    }

    private DocumentPage documentPage(int number) throws IOException {
        if (number < 0 || number >= entry.layout().documents()) {
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

    /** The number of the document that was added last of those of a name; -1 if there is none. */
    public int number(String name) throws IOException {
        int[] numbers = numbers(name);
        return numbers.length == 0 ? -1 : numbers[numbers.length - 1];
    }

    /** The numbers of all documents of a name, ascending: usually none or one, with those that are deleted more. */
    public int[] numbers(String name) throws IOException {
        byte[] utf8 = ByteWriter.utf8(name);
        int documents = entry.layout().documents();
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
        int numberBytes = entry.layout().numberBytes();
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
    public int lengthClass(int number) throws IOException {
        if (number < 0 || number >= entry.layout().documents()) {
            throw new IllegalArgumentException("the segment has no document of this number");
        }
        return pages.page(SegmentPart.LENGTHS, number / PageCipher.PAGE_BYTES)[number % PageCipher.PAGE_BYTES] & 0xff;
    }

    private synchronized WordFences wordFences() throws IOException {
        WordFences fences = wordFences;
        if (fences == null) {
            try {
                fences = new WordFences(
                        whole(SegmentPart.WORD_FENCES), (int) entry.layout().pagesOf(SegmentPart.DICTIONARY));
            } catch (IndexOutOfBoundsException e) {
                throw pages.damaged(SegmentPart.WORD_FENCES);
            }
            wordFences = fences;
        }
        return fences;
    }

    private synchronized int[] firstDocuments() throws IOException {
        int[] firsts = firstDocuments;
        if (firsts == null) {
            PageBytes in = new PageBytes(whole(SegmentPart.DOCUMENT_FENCES), 0);
            firsts = new int[(int) entry.layout().pagesOf(SegmentPart.DOCUMENTS)];
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

    private byte[] whole(SegmentPart part) throws IOException {
        return pages.range(part, 0, (int) entry.layout().bytesOf(part));
    }
}
