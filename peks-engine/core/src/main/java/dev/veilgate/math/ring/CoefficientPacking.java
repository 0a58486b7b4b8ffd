package dev.veilgate.math.ring;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Unsigned integers of a fixed width, packed without gaps, least significant bit first. The unused bits of the last
 * byte are zero, so that the packing is canonical.
 */
public final class CoefficientPacking {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private CoefficientPacking() {}

    /** Bytes of {@code count} values of {@code width} bits. */
    public static int bytes(int count, int width) {
        return (int) (((long) count * width + 7) / 8);
    }

    /**
     * Packs {@code values}, each in [0, 2^width), into {@code out} from {@code offset}.
     *
     * @param width 1 to 32 bits
     */
    public static void pack(int[] values, int width, byte[] out, int offset) {
        long pending = 0;
        int bits = 0;
        int at = offset;
        for (int value : values) {
            pending |= (value & 0xffff_ffffL) << bits;
            bits += width;
            if (bits >= 32) {
                INT.set(out, at, (int) pending);
                at += 4;
                pending >>>= 32;
                bits -= 32;
            }
        }
        for (; bits > 0; bits -= 8) {
            out[at++] = (byte) pending;
            pending >>>= 8;
        }
    }

    /**
     * Unpacks into {@code values}, from {@code in} at {@code offset}, which must hold {@link #bytes} bytes.
     *
     * @param limit values must be below it (1 to 2^32)
     * @throws MalformedEncodingException for a value of {@code limit} or more, or unused bits that are not zero
     */
    public static void unpack(byte[] in, int offset, int width, int[] values, long limit, String field)
            throws MalformedEncodingException {
        long mask = (1L << width) - 1;
        int size = bytes(values.length, width);
        int whole = Math.max(0, 8 * (size - Long.BYTES) / width); // values that are within a long of the packing
        long tooLarge = 0;
        for (int i = 0; i < Math.min(whole, values.length); i++) {
            long bit = (long) i * width;
            long value = (long) LONG.get(in, offset + (int) (bit >>> 3)) >>> (bit & 7) & mask;
            tooLarge |= limit - 1 - value; // negative from the limit on
            values[i] = (int) value;
        }
        long bit = (long) Math.min(whole, values.length) * width;
        int at = (int) (bit >>> 3);
        int bits = -(int) (bit & 7);
        long pending = 0;
        for (int i = Math.min(whole, values.length); i < values.length; i++) {
            while (bits < width) {
                long next = in[offset + at++] & 0xffL;
                pending |= bits < 0 ? next >>> -bits : next << bits;
                bits += 8;
            }
            long value = pending & mask;
            tooLarge |= limit - 1 - value;
            values[i] = (int) value;
            pending >>>= width;
            bits -= width;
        }
        if (tooLarge < 0) {
            throw new MalformedEncodingException(field, "coefficients must be below " + limit);
        }
        if (pending != 0) {
            throw new MalformedEncodingException(field, "unused bits must be zero");
        }
    }

    /**
     * Reads a polynomial that is invertible in a ring, such as a public key h: coefficients below q, packed at the bits
     * of q.
     *
     * @param in      whose next bytes it is
     * @param encoded the array that {@code in} reads
     * @throws MalformedEncodingException for too few bytes, a coefficient of q or more, or a polynomial that is not
     * invertible
     */
    public static int[] readInvertible(ByteReader in, byte[] encoded, NegacyclicNtt ring, String field)
            throws MalformedEncodingException {
        int width = ring.modulus().bits();
        int[] polynomial = new int[ring.n()];
        int at = in.skip(field, bytes(polynomial.length, width));
        String name = in.name(field);
        unpack(encoded, at, width, polynomial, ring.modulus().q(), name);
        int[] hat = polynomial.clone();
        ring.forwardInPlace(hat);
        if (!ring.invertHatInPlace(hat)) {
            throw new MalformedEncodingException(name, "must be invertible");
        }
        return polynomial;
    }

    /** The packing of a polynomial that {@link #readInvertible} reads. */
    public static byte[] packPolynomial(int[] polynomial, NegacyclicNtt ring) {
        int width = ring.modulus().bits();
        byte[] packed = new byte[bytes(polynomial.length, width)];
        pack(polynomial, width, packed, 0);
        return packed;
    }
}
