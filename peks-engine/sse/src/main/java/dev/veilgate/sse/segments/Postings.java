package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Documents of a segment that have a word, by number, ascending. Deleted ones are among them: see {@link DeadSet}. */
@Secret
public final class Postings {
    private final LengthClasses lengthClasses;
    private final int[] numbers;
    private final int @Nullable [] times; // null if each is 1

    private Postings(LengthClasses lengthClasses, int[] numbers, int @Nullable [] times) {
        this.lengthClasses = lengthClasses;
        this.numbers = numbers;
        this.times = times;
    }

    /** Classes of the lengths of documents, by number. */
    @FunctionalInterface
    interface LengthClasses {
        int of(int number) throws IOException;
    }

    /**
     * Reads a list.
     *
     * @param documents of the segment
     * @param count     of the list
     * @throws IndexOutOfBoundsException if the bytes are no list of so many documents of the segment
     */
    static Postings decode(LengthClasses lengthClasses, int documents, int count, byte[] list, int from, int to) {
        if (count < 1 || count > documents || to > list.length) {
            throw new IndexOutOfBoundsException();
        }
        PostingCursor cursor = new PostingCursor(list, from, count);
        int[] numbers = new int[count];
        int[] times = null;
        int[] gaps = cursor.gaps();
        long number = -1;
        int filled = cursor.fill();
        for (int at = 0; filled > 0; at += filled, filled = cursor.fill()) {
            for (int i = 0; i < filled; i++) {
                number += gaps[i] + 1L;
                numbers[at + i] = (int) number;
            }
            if (number >= documents) { // the others are below
                throw new IndexOutOfBoundsException();
            }
            if (cursor.repeated()) {
                if (times == null) {
                    times = new int[count];
                    Arrays.fill(times, 1);
                }
                System.arraycopy(cursor.allTimes(), 0, times, at, filled);
            }
        }
        if (cursor.at() != to) {
            throw new IndexOutOfBoundsException();
        }
        return new Postings(lengthClasses, numbers, times);
    }

    /** How many documents. */
    public int count() {
        return numbers.length;
    }

    /** The number of a document. */
    public int number(int i) {
        return numbers[i];
    }

    /** All numbers; a new array. */
    public int[] numbers() {
        return numbers.clone();
    }

    /** How often the word occurs in the document, at least once. */
    public int tf(int i) {
        return times == null ? 1 : times[i];
    }

    /** The {@link LengthClass} of the document's length. */
    public int lengthClass(int i) throws IOException {
        return lengthClasses.of(numbers[i]);
    }

    /** Shows how many only. */
    @Override
    public String toString() {
        return "Postings[" + numbers.length + " hidden]";
    }
}
