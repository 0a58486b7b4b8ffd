package dev.veilgate.sse.segments;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts of a segment, and where its parts stand.
 *
 * @param rules       by which the words of its documents were made, 1 to {@value #MAX_RULES}; numbers are those of
 *                    {@code dev.veilgate.extract.ExtractorProfile}, opaque here
 * @param documents   how many, 0 to {@value #MAX_DOCUMENTS}; their numbers are from 0 on
 * @param totalLength how many words they have in all, each counted as often as it occurs
 * @param words       how many different ones
 * @param bytes       of the two parts of fences, dictionary, lists and documents, before they are sealed
 */
public record SegmentLayout(int rules, int documents, long totalLength, long words, List<Long> bytes) {
    /** The format of segments of rules 1, which say nothing of rules. */
    public static final int FORMAT = 1;

    /** The format of segments of later rules. */
    public static final int FORMAT_OF_RULES = 2;

    /** The rules of segments that say nothing of them. */
    public static final int FIRST_RULES = 1;

    static final int MAX_RULES = 1 << 16;

    /** Most documents of a segment. */
    public static final int MAX_DOCUMENTS = 1 << 30;

    static final int TAG_BYTES = 4;

    private static final long MAX_PART_BYTES = 1L << 36;
    private static final int MAX_FENCE_BYTES = 1 << 29; // read whole
    private static final int PARTS = 5; // whose bytes are said
    private static final int ITEMS = 4 + PARTS;

    /** @throws IllegalArgumentException if there can be no such segment, or this program cannot read it */
    public SegmentLayout {
        bytes = List.copyOf(bytes);
        if (rules < FIRST_RULES || rules > MAX_RULES) {
            throw new IllegalArgumentException("rules of words are 1 to " + MAX_RULES);
        }
        if (documents < 0 || documents > MAX_DOCUMENTS || totalLength < 0 || words < 0) {
            throw new IllegalArgumentException("no segment has such counts");
        }
        if (bytes.size() != PARTS || bytes.stream().anyMatch(each -> each < 0 || each > MAX_PART_BYTES)) {
            throw new IllegalArgumentException("the parts of a segment have 0 to " + MAX_PART_BYTES + " bytes");
        }
        if (Math.max(bytes.get(0), bytes.get(1)) > MAX_FENCE_BYTES
                || (words == 0) != (bytes.get(SegmentPart.DICTIONARY.ordinal()) == 0)
                || (documents == 0) != (bytes.get(SegmentPart.DOCUMENTS.ordinal()) == 0)) {
            throw new IllegalArgumentException("the parts of a segment do not go together");
        }
    }

    /** The format in which it is written. */
    int format() {
        return format(rules);
    }

    static int format(int rules) {
        return rules == FIRST_RULES ? FORMAT : FORMAT_OF_RULES;
    }

    /** Bytes of a number in the tags of names. */
    int numberBytes() {
        return numberBytes(documents);
    }

    static int numberBytes(int documents) {
        return Math.max(1, (39 - Integer.numberOfLeadingZeros(Math.max(1, documents - 1))) / 8);
    }

    /** Bytes of a part before it is sealed. */
    public long bytesOf(SegmentPart part) {
        return switch (part) {
            case LENGTHS -> documents;
            case NAME_TAGS -> {
                int records = PageCipher.PAGE_BYTES / (TAG_BYTES + numberBytes());
                yield (long) documents / records * PageCipher.PAGE_BYTES
                        + documents % records * (TAG_BYTES + numberBytes());
            }
            case PADDING -> SizeGrid.padding(placeOf(SegmentPart.PADDING));
            default -> bytes.get(part.ordinal());
        };
    }

    /** The first byte of a part in the object; of the part behind the last one, the object's size. */
    private long place(int part) {
        long place = ObjectHead.BYTES;
        for (int i = 0; i < part; i++) {
            place += sealed(bytesOf(SegmentPart.values()[i]));
        }
        return place;
    }

    /** The first byte of a part in the object. */
    long placeOf(SegmentPart part) {
        return place(part.ordinal());
    }

    /** Bytes of the object. */
    public long objectBytes() {
        return place(SegmentPart.values().length);
    }

    /** How many pages a part has. */
    long pagesOf(SegmentPart part) {
        return pages(bytesOf(part));
    }

    private static long pages(long bytes) {
        return (bytes + PageCipher.PAGE_BYTES - 1) / PageCipher.PAGE_BYTES;
    }

    private static long sealed(long bytes) {
        return bytes + PageCipher.TAG_BYTES * pages(bytes);
    }

    /** Appends it. */
    void encode(CborWriter out) {
        boolean saysRules = format() == FORMAT_OF_RULES;
        out.array(saysRules ? ITEMS + 1 : ITEMS)
                .integer(format())
                .integer(documents)
                .integer(totalLength)
                .integer(words);
        bytes.forEach(out::integer);
        if (saysRules) {
            out.integer(rules);
        }
    }

    static SegmentLayout decode(CborReader in) throws MalformedEncodingException {
        int items = in.array("layout", Integer.MAX_VALUE);
        int format = in.uint("format", Integer.MAX_VALUE);
        if (format != FORMAT && format != FORMAT_OF_RULES) {
            throw in.malformed("format", "must be 1 or 2; a newer program may have written it");
        }
        if (items != (format == FORMAT ? ITEMS : ITEMS + 1)) {
            throw in.malformed("layout", "must have as many items as its format has");
        }
        int documents = in.uint("documents", MAX_DOCUMENTS);
        long totalLength = in.unsigned("total-length", Long.MAX_VALUE);
        long words = in.unsigned("words", Long.MAX_VALUE);
        List<Long> bytes = new ArrayList<>();
        for (int i = 0; i < PARTS; i++) {
            bytes.add(in.unsigned("bytes", MAX_PART_BYTES));
        }
        int rules = format == FORMAT ? FIRST_RULES : in.uint("rules", MAX_RULES);
        if (format(rules) != format) {
            throw in.malformed("rules", "must be 2 or more where they are said");
        }
        try {
            return new SegmentLayout(rules, documents, totalLength, words, bytes);
        } catch (IllegalArgumentException e) {
            throw in.malformed("layout", "must be of a segment");
        }
    }
}
