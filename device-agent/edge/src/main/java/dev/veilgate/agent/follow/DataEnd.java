package dev.veilgate.agent.follow;

import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * Finds where the data of a file ends: behind it are zeros alone, since a writer has allocated more than it has
 * written, and fills the zeros from the front.
 *
 * <p>A tail of zeros is searched once, some megabytes at each call. After that each call looks behind the known end,
 * where the writer goes on, and at a further piece of the tail, so that what is written elsewhere is found as well.
 */
final class DataEnd {
    /** Zeros in a row that are searched at once. */
    static final long MOST_SEARCHED_BYTES = 64 << 20;

    private static final int BLOCK_BYTES = 1 << 16;
    private static final long FIRST_SEARCH_BYTES = 4 << 20;
    /** Asked of each file that has zeros behind its data, at each look. */
    private static final int NEXT_BYTES = 1 << 12;

    private static final int AGAIN_BYTES = 1 << 14;

    /** Behind the last byte that is not zero, of those that were looked at. */
    private long end;
    /** Up to where all was looked at once. */
    private long searched;
    /** From where on the tail is looked at again. */
    private long again;

    /** @param known up to where bytes were read before: they are data */
    DataEnd(long known) {
        this.end = known;
        this.searched = known;
    }

    /** The end of the data now, as far as it was searched. */
    long of(FileChannel file) throws IOException {
        long size = file.size();
        if (size <= end) {
            end = size;
            searched = size;
            return size;
        }
        if (!isZeroAt(file, size - 1)) {
            end = size;
            searched = size;
            return size;
        }
        searched = Math.clamp(searched, end, size);
        goOn(file, size);
        searched = Math.max(searched, end);
        long stop = Math.min(size, searched + FIRST_SEARCH_BYTES);
        while (searched < stop) {
            long to = Math.min(stop, searched + BLOCK_BYTES);
            end = Math.max(end, dataIn(file, searched, to));
            searched = to;
        }
        if (again < end || again >= size) {
            again = end;
        }
        long to = Math.min(size, again + AGAIN_BYTES);
        end = Math.max(end, dataIn(file, again, to));
        again = to;
        return end;
    }

    /** Looks where a writer goes on, and as far as what it has written goes without a gap. */
    private void goOn(FileChannel file, long size) throws IOException {
        long stop = Math.min(size, end + FIRST_SEARCH_BYTES);
        long to = Math.min(stop, end + NEXT_BYTES);
        long found = dataIn(file, end, to);
        while (found == to && to < stop) {
            end = found;
            to = Math.min(stop, end + BLOCK_BYTES);
            found = dataIn(file, end, to);
        }
        end = Math.max(end, found);
    }

    /** The end of the data before as many zeros in a row as are searched, or before the end of the file. */
    long ofAll(FileChannel file) throws IOException {
        long least = of(file);
        end = search(file, file.size(), least);
        return end;
    }

    /**
     * The end of the data of a file of a known size: if its tail of zeros is longer than what is searched, the end of
     * the data before as many zeros in a row.
     *
     * @param least up to where there is data, or nobody asks
     */
    static long search(FileChannel file, long size, long least) throws IOException {
        long lowest = Math.max(least, size - MOST_SEARCHED_BYTES);
        for (long to = size; to > lowest; ) {
            long from = Math.max(lowest, to - BLOCK_BYTES);
            long found = dataIn(file, from, to);
            if (found > 0) {
                return found;
            }
            to = from;
        }
        long end = Math.min(size, least);
        for (long from = end; from < lowest && from - end < MOST_SEARCHED_BYTES; ) {
            long to = Math.min(lowest, from + BLOCK_BYTES);
            end = Math.max(end, dataIn(file, from, to));
            from = to;
        }
        return end;
    }

    static boolean isZeroAt(FileChannel file, long place) throws IOException {
        byte[] last = Digest.read(file, place, 1);
        return last.length == 1 && last[0] == 0;
    }

    /** Behind the last byte of a part that is not zero; 0 if there is none. */
    private static long dataIn(FileChannel file, long from, long to) throws IOException {
        byte[] bytes = Digest.read(file, from, (int) (to - from));
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        return length == 0 ? 0 : from + length;
    }
}
