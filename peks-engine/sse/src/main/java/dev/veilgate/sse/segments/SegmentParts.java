package dev.veilgate.sse.segments;

import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Writes the parts of one segment, each into a sink of its own. */
final class SegmentParts {
    private final Map<SegmentPart, PartWriter> parts = new EnumMap<>(SegmentPart.class);
    private final DocumentsWriter documents;
    private final DictionaryWriter dictionary;
    private final PartWriter lengths;
    private final PartWriter tags;
    private final byte[] one = new byte[1];

    SegmentParts(Function<SegmentPart, PageSink> sinks) {
        for (SegmentPart part : SegmentPart.values()) {
            parts.put(part, new PartWriter(sinks.apply(part)));
        }
        documents = new DocumentsWriter(part(SegmentPart.DOCUMENT_FENCES), part(SegmentPart.DOCUMENTS));
        dictionary = new DictionaryWriter(
                part(SegmentPart.WORD_FENCES), part(SegmentPart.DICTIONARY), part(SegmentPart.LISTS));
        lengths = part(SegmentPart.LENGTHS);
        tags = part(SegmentPart.NAME_TAGS);
    }

    private PartWriter part(SegmentPart part) {
        PartWriter writer = parts.get(part);
        if (writer == null) {
            throw new IllegalStateException("every part has a writer");
        }
        return writer;
    }

    /** Bytes of the part up to now. */
    long bytes(SegmentPart part) {
        return part(part).length();
    }

    /** The next document. */
    void document(byte[] name, int nameBytes, byte[] digest, long place, int lengthClass) throws IOException {
        documents.add(name, nameBytes, digest, place);
        one[0] = (byte) lengthClass;
        lengths.stream(one, 0, 1);
    }

    /** The next word. */
    DictionaryWriter dictionary() {
        return dictionary;
    }

    /** The next tag of a name. */
    void tag(long tag, int numberBytes) throws IOException {
        NameTags.write(tags, tag, numberBytes);
    }

    /**
     * Ends all parts when everything is written.
     *
     * @param rules by which the words were made
     */
    SegmentLayout finish(int rules, int documentCount, long totalLength) throws IOException {
        dictionary.finish();
        SegmentLayout layout = new SegmentLayout(
                rules,
                documentCount,
                totalLength,
                dictionary.words(),
                List.of(
                        bytes(SegmentPart.WORD_FENCES),
                        bytes(SegmentPart.DOCUMENT_FENCES),
                        bytes(SegmentPart.DICTIONARY),
                        bytes(SegmentPart.LISTS),
                        bytes(SegmentPart.DOCUMENTS)));
        byte[] zeros = new byte[PageCipher.PAGE_BYTES];
        PartWriter padding = part(SegmentPart.PADDING);
        for (long left = layout.bytesOf(SegmentPart.PADDING); left > 0; left -= zeros.length) {
            padding.stream(zeros, 0, (int) Math.min(left, zeros.length));
        }
        for (Map.Entry<SegmentPart, PartWriter> each : parts.entrySet()) {
            if (each.getValue().finish() != layout.bytesOf(each.getKey())) {
                throw new IllegalStateException("a part has not the length of its layout");
            }
        }
        return layout;
    }
}
