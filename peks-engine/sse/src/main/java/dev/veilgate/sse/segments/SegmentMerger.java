package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.Sha256;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Makes one segment of several, without what is dead in them. Documents keep their order: those of the first input,
 * then those of the second. What the result says follows from the inputs and their dead sets, so that its v can be
 * known before it is written: pages go sealed into temporary files, and memory holds 4 bytes a document, a few pages of
 * each input, and the longest list.
 */
@Secret
public final class SegmentMerger {
    private final List<SegmentReader> inputs;
    private final int[][] newNumbers;
    private final SegmentParts parts;
    private int documents;

    private SegmentMerger(List<SegmentReader> inputs, int[][] newNumbers, SegmentParts parts) {
        this.inputs = inputs;
        this.newNumbers = newNumbers;
        this.parts = parts;
    }

    /**
     * Merges.
     *
     * @param inputs          of one archive and the same rules, at least one
     * @param dead            of each input
     * @param temporaryFolder where the result stands until it is closed, in files that only their owner can read
     */
    public static Merged merge(
            List<SegmentReader> inputs, List<DeadSet> dead, Path temporaryFolder, SecureRandom random)
            throws IOException {
        requireInputs(inputs, dead);
        return merge(inputs, dead, inputs.getFirst().pages().keys(), temporaryFolder, random);
    }

    /**
     * Merges, and seals the result under keys that may be others than those of the inputs.
     *
     * @param keys of the result
     */
    static Merged merge(
            List<SegmentReader> inputs, List<DeadSet> dead, SegmentKeys keys, Path temporaryFolder, SecureRandom random)
            throws IOException {
        int[][] newNumbers = newNumbers(inputs, dead);
        byte[] r = new byte[SegmentKeys.R_BYTES];
        random.nextBytes(r);
        byte[] v = keys.v(ObjectKind.SEGMENT, SegmentKeys.Of.INPUTS, r, digest(inputs, dead));
        TemporaryParts files = new TemporaryParts(keys, v, temporaryFolder);
        boolean done = false;
        try {
            SegmentLayout layout = new SegmentMerger(inputs, newNumbers, new SegmentParts(files::sink)).write();
            files.flush();
            SegmentEntry entry = new SegmentEntry(BlobName.of(files), v, files.length(), layout);
            done = true;
            return new Merged(new SealedSegment(entry, files), newNumbers);
        } finally {
            if (!done) {
                files.close();
            }
        }
    }

    /** Numbers in the result by input and old number; -1 for the dead. */
    static int[][] newNumbers(List<SegmentReader> inputs, List<DeadSet> dead) {
        requireInputs(inputs, dead);
        int[][] numbers = new int[inputs.size()][];
        long next = 0;
        for (int input = 0; input < numbers.length; input++) {
            numbers[input] = new int[inputs.get(input).entry().layout().documents()];
            dead.get(input).requireBelow(numbers[input].length);
            for (int i = 0; i < numbers[input].length; i++) {
                numbers[input][i] = dead.get(input).contains(i) ? -1 : (int) next++;
            }
            if (next > SegmentLayout.MAX_DOCUMENTS) {
                throw new IllegalArgumentException(
                        "a segment has at most " + SegmentLayout.MAX_DOCUMENTS + " documents");
            }
        }
        return numbers;
    }

    /** The rules of all inputs, and so of the result. */
    private static int rules(List<SegmentReader> inputs) {
        return inputs.getFirst().entry().layout().rules();
    }

    private static void requireInputs(List<SegmentReader> inputs, List<DeadSet> dead) {
        if (inputs.isEmpty() || inputs.size() != dead.size()) {
            throw new IllegalArgumentException("a merge has one input or more, each with its dead set");
        }
        if (inputs.stream().anyMatch(input -> input.entry().layout().rules() != rules(inputs))) {
            throw new IllegalArgumentException("words of different rules are not merged");
        }
    }

    /** SHA-256(format || inputs || (name || number of dead || dead ...) of each), numbers in 4 bytes. */
    private static byte[] digest(List<SegmentReader> inputs, List<DeadSet> dead) {
        Sha256 sha = new Sha256().add(SegmentLayout.format(rules(inputs))).add(inputs.size());
        for (int input = 0; input < inputs.size(); input++) {
            sha.add(HexFormat.of().parseHex(inputs.get(input).entry().name().value()));
            int[] numbers = dead.get(input).numbers();
            sha.add(numbers.length);
            for (int number : numbers) {
                sha.add(number);
            }
        }
        return sha.finish().clone();
    }

    private SegmentLayout write() throws IOException {
        for (int input = 0; input < inputs.size(); input++) {
            documents(inputs.get(input).pages(), newNumbers[input]);
        }
        long totalLength = words();
        tags();
        return parts.finish(rules(inputs), documents, totalLength);
    }

    private void documents(SegmentPages pages, int[] numbers) throws IOException {
        PartStream stream = new PartStream(pages, SegmentPart.DOCUMENTS);
        PartStream lengths = new PartStream(pages, SegmentPart.LENGTHS);
        int[] firsts = new DocumentReader(pages).firstDocuments();
        byte[] length = new byte[1];
        for (int i = 0; i < firsts.length; i++) {
            int end = i + 1 < firsts.length ? firsts[i + 1] : numbers.length;
            DocumentPage page = new DocumentPage(stream.page());
            for (int number = firsts[i]; number < end; number++) {
                try {
                    page.next();
                } catch (IndexOutOfBoundsException e) {
                    throw stream.damaged();
                }
                lengths.read(length, 0, 1);
                if (numbers[number] >= 0) {
                    FrontCoding name = page.name();
                    parts.document(name.buffer(), name.length(), page.digest(), page.place(), length[0] & 0xff);
                    documents++;
                }
            }
        }
    }

    private long words() throws IOException {
        PriorityQueue<Words> queue = new PriorityQueue<>();
        List<Words> same = new ArrayList<>();
        for (int input = 0; input < inputs.size(); input++) {
            same.add(new Words(new WordStream(inputs.get(input).pages()), input));
        }
        PostingEncoder list = new PostingEncoder();
        long totalLength = 0;
        while (true) {
            for (Words each : same) {
                if (each.stream.next()) {
                    queue.add(each);
                }
            }
            same.clear();
            if (queue.isEmpty()) {
                return totalLength;
            }
            list.clear();
            do {
                Words next = queue.remove();
                totalLength += next.stream.list(newNumbers[next.input], list);
                same.add(next);
            } while (!queue.isEmpty()
                    && queue.peek().word().compare(same.getFirst().word()) == 0);
            if (list.count() > 0) {
                FrontCoding word = same.getFirst().word();
                parts.dictionary().add(word.buffer(), 0, word.length(), list);
            }
        }
    }

    private void tags() throws IOException {
        PriorityQueue<Tags> queue = new PriorityQueue<>();
        for (int input = 0; input < inputs.size(); input++) {
            Tags tags = new Tags(inputs.get(input).pages(), newNumbers[input]);
            if (tags.next()) {
                queue.add(tags);
            }
        }
        int numberBytes = SegmentLayout.numberBytes(documents);
        while (!queue.isEmpty()) {
            Tags tags = queue.remove();
            parts.tag(tags.tag, numberBytes);
            if (tags.next()) {
                queue.add(tags);
            }
        }
    }

    /** Words of an input, by the present word; of the same word the earlier input's first. */
    private record Words(WordStream stream, int input) implements Comparable<Words> {
        FrontCoding word() {
            return stream.word();
        }

        @Override
        public int compareTo(Words other) {
            int order = word().compare(other.word());
            return order != 0 ? order : Integer.compare(input, other.input);
        }
    }

    /** Tags of the names in an input, with their new numbers. */
    private static final class Tags implements Comparable<Tags> {
        private final PartStream stream;
        private final int[] numbers;
        private final int bytes;
        private byte[] page = new byte[0];
        private int at;
        private int left;
        private long tag;

        Tags(SegmentPages pages, int[] numbers) {
            this.stream = new PartStream(pages, SegmentPart.NAME_TAGS);
            this.numbers = numbers;
            this.bytes = SegmentLayout.TAG_BYTES + SegmentLayout.numberBytes(numbers.length);
            this.left = numbers.length;
        }

        boolean next() throws IOException {
            while (left > 0) {
                if (at + bytes > page.length) {
                    page = stream.page();
                    at = 0;
                }
                PageBytes in = new PageBytes(page, at);
                at += bytes;
                left--;
                long high = in.fixed(SegmentLayout.TAG_BYTES);
                long old = in.fixed(bytes - SegmentLayout.TAG_BYTES);
                if (old >= numbers.length) {
                    throw stream.damaged();
                }
                int number = numbers[(int) old];
                if (number >= 0) {
                    tag = high << 32 | number;
                    return true;
                }
            }
            return false;
        }

        @Override
        public int compareTo(Tags other) {
            return Long.compareUnsigned(tag, other.tag);
        }
    }
}
