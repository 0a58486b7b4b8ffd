package dev.veilgate.sse.segments;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Writes a list of documents, ascending, with how often a word occurs in each. The gap of a document is its number less
 * the one before, less 1; before the first is -1.
 *
 * <pre>
 *   list  = block of 32 documents ... || document ...                       fewer than 32
 *   block = width + (128 if some times &gt; 1) || [mask (4 bytes) || times - 2 ...] || 32 gaps of width bits
 *   document = 2 gap + (1 if times &gt; 1) || [times - 2]
 * </pre>
 *
 * <p>Bit i of a mask, the first in the lowest bit of the first byte, says that document i has its times behind; gaps
 * stand in the same order.
 */
final class PostingEncoder {
    /** Documents of a block. */
    static final int BLOCK = 32;

    static final int REPEATED = 0x80;

    /** The bytes of 32 bits, the lowest first. */
    static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBag out = new ByteBag();
    private final int[] gaps = new int[BLOCK];
    private final int[] times = new int[BLOCK];
    private int pending;
    private int last = -1;
    private int count;

    /** Begins a list. */
    void clear() {
        out.clear();
        pending = 0;
        last = -1;
        count = 0;
    }

    /** The next document. */
    void add(int number, int timesIn) {
        gaps[pending] = number - last - 1;
        times[pending++] = timesIn;
        last = number;
        count++;
        if (pending == BLOCK) {
            block();
            pending = 0;
        }
    }

    private void block() {
        int all = 0;
        int mask = 0;
        for (int i = 0; i < BLOCK; i++) {
            all |= gaps[i];
            mask |= times[i] > 1 ? 1 << i : 0;
        }
        int width = 32 - Integer.numberOfLeadingZeros(all);
        out.room(5 + 4 * width + BLOCK * Numbers.MAX_BYTES);
        out.bytes[out.length++] = (byte) (width | (mask == 0 ? 0 : REPEATED));
        if (mask != 0) {
            putInt(mask);
            for (int each : times) {
                if (each > 1) {
                    out.number(each - 2);
                }
            }
        }
        long bits = 0;
        int filled = 0;
        for (int gap : gaps) {
            bits |= (long) gap << filled;
            filled += width;
            if (filled >= 32) {
                putInt((int) bits);
                bits >>>= 32;
                filled -= 32;
            }
        }
    }

    private void putInt(int value) {
        INTS.set(out.bytes, out.length, value);
        out.length += 4;
    }

    /** Ends the list. */
    ByteBag finish() {
        for (int i = 0; i < pending; i++) {
            out.number((long) gaps[i] << 1 | (times[i] > 1 ? 1 : 0));
            if (times[i] > 1) {
                out.number(times[i] - 2);
            }
        }
        pending = 0;
        return out;
    }

    /** How many documents the list has. */
    int count() {
        return count;
    }
}
