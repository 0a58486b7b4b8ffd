package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.math.lattice.NtruBasis;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.SlotMatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Section 8 of the specification term by term, over the integers: what the engine's opening of blocks is compared to.
 */
final class PlainOpening {
    private final NtruParameters p;
    private final NtruBasis basis;
    private final PublicKey key;

    PlainOpening(KeyPair pair) {
        this.p = pair.publicKey().parameters();
        this.key = pair.publicKey();
        this.basis = pair.secretKey().basis();
    }

    /** r, if A = r·h + e1 with both in range: V·f - U·F = q·r, divided without a small prime. */
    Optional<int[]> r(int[] a) {
        long[] u = centred(PlainTwin.schoolbook(p, a, basis.f()));
        long[] v = centred(PlainTwin.schoolbook(p, a, basis.capitalF()));
        long[] qr = exact(v, basis.f());
        long[] minus = exact(u, basis.capitalF());
        int[] r = new int[p.n()];
        for (int i = 0; i < r.length; i++) {
            long quotient = (qr[i] - minus[i]) / p.q();
            if (quotient * p.q() != qr[i] - minus[i] || Math.abs(quotient) > 2) {
                return Optional.empty();
            }
            r[i] = (int) quotient;
        }
        return Arrays.stream(e1(a, r)).allMatch(e -> Math.abs(e) <= 1) ? Optional.of(r) : Optional.empty();
    }

    /** A - r·h, around 0. */
    long[] e1(int[] a, int[] r) {
        int[] product = PlainTwin.schoolbook(p, key.h(), r);
        long[] e1 = new long[a.length];
        Arrays.setAll(e1, i -> centred(Math.floorMod(a[i] - product[i], p.q())));
        return e1;
    }

    private long[] centred(int[] a) {
        return Arrays.stream(a).mapToLong(this::centred).toArray();
    }

    private long centred(int a) {
        return a > p.q() / 2 ? (long) a - p.q() : a;
    }

    /** a·b over the integers. */
    private static long[] exact(long[] a, int[] b) {
        int n = a.length;
        long[] out = new long[n];
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++) {
                int to = i + k;
                out[to < n ? to : to - n] += to < n ? a[i] * b[k] : -a[i] * b[k];
            }
        }
        return out;
    }

    /** The kept coefficients of r·H1(w). */
    int[] product(int[] r, Keyword keyword) {
        int[] h1 = PlainTwin.hash(p, key, TestKeys.DOMAIN, keyword);
        return PlainTwin.kept(p, PlainTwin.product(p, h1, r));
    }

    /**
     * The slots that hold a keyword: of each row the quarter with the slot's bit that an e2 reaches, and then the tag.
     */
    List<SlotMatch> match(PlainBlock block, byte[] binding, int[] r, Keyword keyword) {
        int[] u = product(r, keyword);
        List<SlotMatch> matches = new ArrayList<>();
        for (int slot = 0; slot < block.slots; slot++) {
            byte[] column = block.columns[slot];
            Optional<byte[]> slotKey = slotKey(u, column);
            if (slotKey.isEmpty()) {
                continue;
            }
            byte[] field = block.fields[slot];
            byte[] opened = PlainBlock.cryptField(slotKey.get(), binding, field);
            byte[] content = block.cells(block.references(opened));
            byte[] tag = PlainBlock.tag(slotKey.get(), binding, column, field, content);
            if (Arrays.equals(tag, block.tags[slot])) {
                byte[] cells = PlainBlock.cryptCells(slotKey.get(), binding, content);
                matches.add(new SlotMatch(slot, RecordSet.of(block.records(opened, cells))));
            }
        }
        return matches;
    }

    /** k of a slot with these bits; empty if in some row no e2 leads to the bit. */
    Optional<byte[]> slotKey(int[] u, byte[] column) {
        byte[] slotKey = new byte[column.length];
        for (int j = 0; j < u.length; j++) {
            int bit = column[j / 8] >> j % 8 & 1;
            int quarter = -1;
            for (int each = bit; each < 4; each += 2) {
                if (distance(u[j], each) <= p.floodBound()) {
                    quarter = each;
                }
            }
            if (quarter < 0) {
                return Optional.empty();
            }
            slotKey[j / 8] |= (byte) ((quarter == 1 || quarter == 2 ? 1 : 0) << j % 8);
        }
        return Optional.of(slotKey);
    }

    /** How far an element is from the next one with floor(4x/q) = quarter. */
    long distance(long x, int quarter) {
        long q = p.q();
        if (4 * x / q == quarter) {
            return 0;
        }
        long first = Math.ceilDiv(quarter * q, 4);
        long last = Math.ceilDiv((quarter + 1) * q, 4) - 1;
        return Math.min(Math.floorMod(first - x, q), Math.floorMod(x - last, q));
    }
}
