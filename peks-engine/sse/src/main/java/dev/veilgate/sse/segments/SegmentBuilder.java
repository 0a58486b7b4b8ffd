package dev.veilgate.sse.segments;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.Sha256;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a segment of documents, in memory: some four times the bytes of the segment. Documents are numbered as they
 * are added, from 0 on.
 *
 * <p>For one thread.
 */
@Secret
public final class SegmentBuilder {
    /** Most bytes, as {@link #bytes} estimates them, with which a builder takes another document. */
    public static final long MAX_BYTES = 1L << 30;

    private static final int WORD_BYTES = 8; // of a word in the dictionary, about, without its list
    private static final int DOCUMENT_BYTES = 10; // of a document, about, without name and digest

    private final SegmentKeys keys;
    private final int rules;
    private final SecureRandom random;
    private final WordTable words;
    private final PostingTable postings = new PostingTable();
    private final Map<SegmentPart, MemoryPages> pages = new EnumMap<>(SegmentPart.class);
    private final SegmentParts parts = new SegmentParts(this::sink);
    private final Sha256 sha = new Sha256();
    private long[] tags = new long[1 << 10];
    private int count;
    private long totalLength;
    private boolean finished;

    /** No documents yet; their words will be of rules 1. */
    public SegmentBuilder(SegmentKeys keys, SecureRandom random) {
        this(keys, SegmentLayout.FIRST_RULES, random);
    }

    /**
     * No documents yet.
     *
     * @param rules by which their words will be made
     */
    SegmentBuilder(SegmentKeys keys, int rules, SecureRandom random) {
        this.keys = keys;
        this.rules = rules;
        this.random = random;
        this.words = new WordTable(random);
    }

    private PageSink sink(SegmentPart part) {
        MemoryPages sink = new MemoryPages();
        pages.put(part, sink);
        return sink;
    }

    /** How many documents were added. */
    public int documents() {
        return count;
    }

    /** Bytes of the segment, about, before they are padded. */
    public long bytes() {
        return postings.bytes()
                + (long) WORD_BYTES * words.size()
                + parts.bytes(SegmentPart.DOCUMENTS)
                + (long) DOCUMENT_BYTES * count;
    }

    /**
     * Adds a document; its number is how many there were before.
     *
     * @throws IllegalStateException if the segment is finished, or has {@value #MAX_BYTES} bytes
     */
    public void add(ArchivedDocument document) throws IOException {
        requireUnfinished();
        if (bytes() >= MAX_BYTES) {
            throw new IllegalStateException("the segment is full");
        }
        byte[] name = ByteWriter.utf8(document.name());
        if (count == tags.length) {
            tags = Arrays.copyOf(tags, 2 * count);
        }
        tags[count] = NameTags.of(sha, name, name.length, count);
        postings.nextDocument();
        long before = totalLength;
        document.words().forEach(this::word);
        long length = totalLength - before;
        parts.document(name, name.length, document.digest(), document.place(), LengthClass.of(length));
        count++;
    }

    private void word(byte[] bytes, int from, int length, int times) {
        postings.add(words.number(bytes, from, length), times);
        totalLength += times;
    }

    /** Seals the segment; nothing can be added then. */
    public SealedSegment finish() throws IOException {
        requireUnfinished();
        finished = true;
        writeWords();
        writeTags();
        SegmentLayout layout = parts.finish(rules, count, totalLength);
        byte[] r = new byte[SegmentKeys.R_BYTES];
        random.nextBytes(r);
        byte[] v = keys.v(ObjectKind.SEGMENT, SegmentKeys.Of.CONTENT, r, digest(layout));
        List<byte[]> pieces = new ArrayList<>();
        pieces.add(ObjectHead.of(v));
        pages.forEach((part, each) -> pieces.addAll(each.seal(keys.cipher(ObjectKind.SEGMENT, v, part.ordinal()))));
        Message.Body body = MemoryPages.body(pieces);
        return new SealedSegment(new SegmentEntry(BlobName.of(body), v, body.length(), layout), body);
    }

    private void writeWords() throws IOException {
        int[] order = WordOrder.of(words);
        postings.invert(order);
        PostingEncoder encoder = new PostingEncoder();
        for (int word : order) {
            postings.encode(word, encoder);
            parts.dictionary().add(words.bytes(), words.place(word), words.length(word), encoder);
        }
    }

    private void writeTags() throws IOException {
        long[] sorted = Arrays.copyOf(tags, count);
        for (int i = 0; i < count; i++) {
            sorted[i] ^= Long.MIN_VALUE; // unsigned
        }
        Arrays.sort(sorted);
        for (long tag : sorted) {
            parts.tag(tag ^ Long.MIN_VALUE, SegmentLayout.numberBytes(count));
        }
    }

    private byte[] digest(SegmentLayout layout) {
        CborWriter out = new CborWriter(128);
        layout.encode(out);
        sha.add(out.toByteArray());
        pages.values().forEach(each -> each.hash(sha));
        return sha.finish().clone();
    }

    private void requireUnfinished() {
        if (finished) {
            throw new IllegalStateException("the segment is finished");
        }
    }
}
