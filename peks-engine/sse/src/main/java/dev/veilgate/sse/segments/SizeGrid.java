package dev.veilgate.sse.segments;

/** Sizes of objects: (8 + m) 2^k bytes for m = 0 to 7, from 1 KiB on. Eight an octave hide all but three bits. */
final class SizeGrid {
    private static final int LEAST_SHIFT = 7;

    private SizeGrid() {}

    /** The least size of the grid that is not below a number of bytes. */
    static long atLeast(long bytes) {
        int shift = Math.max(LEAST_SHIFT, 60 - Long.numberOfLeadingZeros(Math.max(1, bytes)));
        long eighth = 1L << shift;
        return Math.max(8, (bytes + eighth - 1) / eighth) * eighth;
    }

    /**
     * Bytes of zeros, to be sealed in pages of their own, that fill an object up to a size of the grid.
     *
     * @param used bytes of the object without them
     */
    static long padding(long used) {
        for (long size = atLeast(used); ; size = atLeast(size + 1)) {
            long clear = clear(size - used);
            if (clear >= 0) {
                return clear;
            }
        }
    }

    /** Bytes that, sealed in pages, take so many; -1 if there are no such pages. */
    static long clear(long sealed) {
        long tail = sealed % PageCipher.SEALED_BYTES;
        return tail == 0 || tail > PageCipher.TAG_BYTES
                ? sealed - PageCipher.TAG_BYTES * ((sealed + PageCipher.SEALED_BYTES - 1) / PageCipher.SEALED_BYTES)
                : -1;
    }
}
