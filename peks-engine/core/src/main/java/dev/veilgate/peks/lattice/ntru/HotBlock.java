package dev.veilgate.peks.lattice.ntru;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The hot form of an index block, which {@link TestKernel} reads in place. All little-endian:
 *
 * <pre>
 *   version = 2 | parameter set | slots - 1 | records - 1     1 byte each
 *   phases of A                                               N ints:  round(a·2^32/q)
 *   the first hotRows rows of b                               1 to 4 longs each: bit i is slot i
 * </pre>
 *
 * Version 1 is of blocks whose payload was of version 2, whose A is not shifted; Test reads both alike.
 *
 * <p>The phase of a coefficient is its angle on the circle Z_q in units of 2^-32 turns: sums and products by integers
 * then wrap like the ring of 32-bit ints, so that a row of Test needs no 64-bit arithmetic and no reduction. It is
 * exact: 2^32/q is at least 4, so that rounding back gives a.
 */
final class HotBlock {
    private static final int VERSION = 2;
    private static final int UNSHIFTED_VERSION = 1;
    static final int PHASES_AT = 4;

    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private HotBlock() {}

    static byte[] of(BlockPayload payload) {
        NtruParameters p = payload.parameters();
        SlotTable table = payload.table();
        int words = words(table.slots());
        byte[] hot = new byte[size(p, table.slots())];
        hot[0] = (byte) (payload.version() == BlockPayload.UNSHIFTED_VERSION ? UNSHIFTED_VERSION : VERSION);
        hot[1] = (byte) p.code();
        hot[2] = (byte) (table.slots() - 1);
        hot[3] = (byte) (table.form().records() - 1);
        int[] phases = phases(payload.a(), p.q());
        for (int i = 0; i < p.n(); i++) {
            INT.set(hot, PHASES_AT + 4 * i, phases[i]);
        }
        for (int row = 0; row < p.hotRows(); row++) {
            table.copyRow(row, hot, rowsAt(p) + row * words * 8);
        }
        return hot;
    }

    /** Tells if the bytes begin as a hot value does. */
    static boolean isHot(byte[] hot, int at) {
        return hot[at] == VERSION || hot[at] == UNSHIFTED_VERSION;
    }

    /** The version of the payload that a hot value was made of. */
    static int payloadVersion(byte[] hot) {
        return hot[0] == UNSHIFTED_VERSION ? BlockPayload.UNSHIFTED_VERSION : BlockPayload.VERSION;
    }

    /** round(a·2^32/q) of every coefficient. */
    static int[] phases(int[] a, int q) {
        long reciprocal = Long.divideUnsigned(-1L, q);
        int[] phases = new int[a.length];
        for (int i = 0; i < a.length; i++) {
            long dividend = (long) a[i] << 33; // below 2^63
            long quotient = Math.unsignedMultiplyHigh(dividend, reciprocal); // at most 1 too small
            quotient += (q - 1 - (dividend - quotient * q)) >>> 63;
            phases[i] = (int) (quotient + 1 >> 1);
        }
        return phases;
    }

    /** round(a·2^32/q). */
    static int phase(int a, int q) {
        return (int) (((long) a << 33) / q + 1 >> 1);
    }

    /** The coefficients of A, from their phases. */
    static int[] a(byte[] hot, NtruParameters p) {
        int[] a = new int[p.n()];
        for (int i = 0; i < a.length; i++) {
            a[i] = coefficient((int) INT.get(hot, PHASES_AT + 4 * i), p.q());
        }
        return a;
    }

    /** round(phase·q/2^32): the inverse of {@link #phase}. */
    static int coefficient(int phase, int q) {
        return (int) ((phase & 0xffff_ffffL) * q + (1L << 31) >>> 32);
    }

    static int rowsAt(NtruParameters p) {
        return PHASES_AT + 4 * p.n();
    }

    static int size(NtruParameters p, int slots) {
        return rowsAt(p) + p.hotRows() * words(slots) * 8;
    }

    /** Longs of a row. */
    static int words(int slots) {
        return (slots + 63) / 64;
    }

    static int records(byte[] hot, int at) {
        return (hot[at + 3] & 0xff) + 1;
    }

    static int slots(byte[] hot, int at) {
        return (hot[at + 2] & 0xff) + 1;
    }
}
