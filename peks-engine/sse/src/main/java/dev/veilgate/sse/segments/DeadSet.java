package dev.veilgate.sse.segments;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of the documents of one segment that are deleted. Dead sets only grow. Never changes.
 *
 * <p>Encoded in the shorter of two forms, the first if both are as long:
 *
 * <pre>
 *   0 || gap ...     gap = number less the one before, less 1 (before the first is -1), in groups of 7 bits
 *   1 || bits        bit i, from the lowest of the first byte on, for number i; the last byte is not 0
 * </pre>
 */
public final class DeadSet {
    /** No document. */
    public static final DeadSet NONE = new DeadSet(new int[0]);

    private static final byte GAPS = 0;
    private static final byte BITS = 1;

    private final int[] numbers; // ascending
    private final @Nullable BitSet bits; // if it is not much larger

    private DeadSet(int[] ascending) {
        numbers = ascending;
        boolean dense = ascending.length > 0 && ascending[ascending.length - 1] / 64 <= ascending.length;
        bits = dense ? bits(ascending) : null;
    }

    private static BitSet bits(int[] numbers) {
        BitSet bits = new BitSet(numbers.length == 0 ? 0 : numbers[numbers.length - 1] + 1);
        for (int number : numbers) {
            bits.set(number);
        }
        return bits;
    }

    /** A set of numbers, in any order. */
    public static DeadSet of(int... numbers) {
        return NONE.with(numbers);
    }

    /** Whether a document, by its number in the segment, is deleted. */
    public boolean contains(int number) {
        return number >= 0 && (bits != null ? bits.get(number) : Arrays.binarySearch(numbers, number) >= 0);
    }

    /** The number of deleted documents. */
    public int size() {
        return numbers.length;
    }

    /** All numbers, ascending; a new array. */
    public int[] numbers() {
        return numbers.clone();
    }

    /**
     * This set and more numbers.
     *
     * @param more in any order, of this set too
     * @throws IllegalArgumentException if one is negative
     */
    public DeadSet with(int... more) {
        int[] all = Arrays.copyOf(numbers, Math.addExact(numbers.length, more.length));
        System.arraycopy(more, 0, all, numbers.length, more.length);
        Arrays.sort(all);
        if (all.length > 0 && all[0] < 0) {
            throw new IllegalArgumentException("a document's number is not negative");
        }
        int size = 0;
        for (int number : all) {
            if (size == 0 || number != all[size - 1]) {
                all[size++] = number;
            }
        }
        return size == numbers.length ? this : new DeadSet(Arrays.copyOf(all, size));
    }

    /** Whether all numbers of another set are in this one. */
    public boolean containsAll(DeadSet other) {
        for (int number : other.numbers) {
            if (!contains(number)) {
                return false;
            }
        }
        return true;
    }

    /** @throws IllegalArgumentException if a number is not below one */
    void requireBelow(int documents) {
        if (numbers.length > 0 && numbers[numbers.length - 1] >= documents) {
            throw new IllegalArgumentException("the dead set is of a segment with more documents");
        }
    }

    /** The only encoding of this set. */
    public byte[] encode() {
        ByteBag gaps = new ByteBag();
        gaps.number(GAPS);
        int last = -1;
        for (int number : numbers) {
            gaps.number(number - last - 1);
            last = number;
        }
        if (gaps.length <= 1 + last / 8 + 1) {
            return gaps.toByteArray();
        }
        byte[] set = bits(numbers).toByteArray();
        byte[] encoded = new byte[1 + set.length];
        encoded[0] = BITS;
        System.arraycopy(set, 0, encoded, 1, set.length);
        return encoded;
    }

    /** Most bytes of an encoding. */
    static int mostBytes(int documents) {
        return 2 + documents / 8;
    }

    /**
     * The inverse of {@link #encode}.
     *
     * @param documents of the segment
     */
    public static DeadSet decode(byte[] encoded, int documents) throws MalformedEncodingException {
        if (encoded.length == 0 || encoded.length > mostBytes(documents)) {
            throw malformed("must have 1 to " + mostBytes(documents) + " bytes");
        }
        DeadSet set = switch (encoded[0]) {
            case GAPS -> new DeadSet(ofGaps(encoded, documents));
            case BITS ->
                new DeadSet(BitSet.valueOf(Arrays.copyOfRange(encoded, 1, encoded.length)).stream()
                        .toArray());
            default -> throw malformed("must begin with 0 or 1");
        };
        if (set.numbers.length > 0 && set.numbers[set.numbers.length - 1] >= documents) {
            throw malformed("must be of documents that the segment has");
        }
        if (!Arrays.equals(set.encode(), encoded)) {
            throw malformed("must be in the shorter form");
        }
        return set;
    }

    private static int[] ofGaps(byte[] encoded, int documents) throws MalformedEncodingException {
        PageBytes in = new PageBytes(encoded, 1);
        int[] numbers = new int[encoded.length - 1];
        int size = 0;
        long next = 0;
        try {
            while (in.at < encoded.length) {
                next += in.number();
                if (next < 0 || next >= documents) {
                    throw malformed("must be of documents that the segment has");
                }
                numbers[size++] = (int) next++;
            }
        } catch (IndexOutOfBoundsException e) {
            throw malformed("must have whole numbers");
        }
        return Arrays.copyOf(numbers, size);
    }

    /** Seals it as an object of its own. */
    public SealedObject seal(SegmentKeys keys, SecureRandom random) throws IOException {
        return SealedDeadSets.seal(this, keys, random);
    }

    /**
     * Opens a set that was sealed.
     *
     * @param name      of the object
     * @param v         as {@link SealedObject#v} gave it
     * @param count     how many numbers it has
     * @param documents of its segment
     * @throws DamagedObjectException if the object is not the one that v is of, or not such a set
     */
    public static DeadSet open(BlobStore store, SegmentKeys keys, BlobName name, byte[] v, int count, int documents)
            throws IOException {
        return SealedDeadSets.open(store, keys, name, v, count, documents);
    }

    private static MalformedEncodingException malformed(String allowed) {
        return new MalformedEncodingException("dead-set", allowed);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeadSet that && Arrays.equals(numbers, that.numbers);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(numbers);
    }

    /** Shows how many only. */
    @Override
    public String toString() {
        return "DeadSet[" + numbers.length + "]";
    }
}
