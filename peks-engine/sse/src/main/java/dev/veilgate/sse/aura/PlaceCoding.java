package dev.veilgate.sse.aura;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.MalformedEncodingException;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Sets of places as bytes: a zero and the distances between them, seven bits a byte, where few are taken; else a one
 * and a bit for each place.
 */
final class PlaceCoding {
    private static final int DISTANCES = 0;
    private static final int BITS = 1;

    /** Most bytes of a filter that any parameters allow. */
    private static final int MAX_BYTES = 1 + TagFilter.MAX_SIZE / Byte.SIZE + Long.BYTES;

    private PlaceCoding() {}

    static byte[] write(BitSet places) {
        byte[] bits = places.toByteArray();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(DISTANCES);
        int before = -1;
        for (int at = places.nextSetBit(0); at >= 0 && out.size() <= bits.length; at = places.nextSetBit(at + 1)) {
            int distance = at - before - 1;
            while (distance > 0x7f) {
                out.write(distance & 0x7f | 0x80);
                distance >>>= 7;
            }
            out.write(distance);
            before = at;
        }
        if (out.size() <= bits.length) {
            return out.toByteArray();
        }
        byte[] all = new byte[1 + bits.length];
        all[0] = BITS;
        System.arraycopy(bits, 0, all, 1, bits.length);
        return all;
    }

    static BitSet read(CborReader in) throws MalformedEncodingException {
        byte[] bytes = in.bytes("taken", MAX_BYTES);
        if (bytes.length == 0) {
            throw in.malformed("taken", "must have a first byte");
        }
        BitSet places =
                bytes[0] == BITS ? BitSet.valueOf(Arrays.copyOfRange(bytes, 1, bytes.length)) : distances(bytes);
        if (!Arrays.equals(write(places), bytes)) {
            throw in.malformed("taken", "must be in its shortest form");
        }
        return places;
    }

    private static BitSet distances(byte[] bytes) {
        BitSet places = new BitSet();
        long at = -1;
        long distance = 0;
        int shift = 0;
        for (int i = 1; i < bytes.length; i++) {
            distance |= (long) (bytes[i] & 0x7f) << shift;
            shift += 7;
            if (bytes[i] >= 0) {
                at += distance + 1;
                distance = 0;
                shift = 0;
            }
            if (at >= TagFilter.MAX_SIZE || shift > 28) {
                return new BitSet(); // not what it is the form of
            }
            if (shift == 0) {
                places.set((int) at);
            }
        }
        return places;
    }
}
