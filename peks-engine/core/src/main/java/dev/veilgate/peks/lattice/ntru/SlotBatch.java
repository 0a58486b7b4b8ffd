package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.math.ring.RingSampling;
import dev.veilgate.random.CoinStream;
import java.util.Arrays;

/**
 * The slots of one block, from products to bits, all at once: {@code v[j]} holds coefficient j of every slot, so that transform,
 * flooding and rounding are loops over slots that the JIT makes vector instructions of.
 *
 * <pre>
 *   v_i  = (r·H1(w_i))_j + e2_ij       e2 uniform in ±floodBound
 *   k_i  = round(2·v_i/q) mod 2
 *   b_i  = floor(4·v_i/q) mod 2
 * </pre>
 *
 * <p>A dummy's v_i is uniform, which is what a keyword's looks like without its trapdoor. No branch and no index depends on a
 * value.
 */
final class SlotBatch implements AutoCloseable {
    private static final int TILE = 16;

    private final NtruParameters parameters;
    private final int slots;
    private final int[][] v;
    private final int[] column;
    private final int[] tile;
    /** Bit k of {@code [word][slot]} is row 32·word + k. */
    private final int[][] keyWords;

    private final int[][] lowWords;

    SlotBatch(NtruParameters parameters, int slots) {
        this.parameters = parameters;
        this.slots = slots;
        this.v = new int[parameters.kept()][slots];
        this.column = new int[parameters.kept()];
        this.tile = new int[TILE * parameters.kept()];
        this.keyWords = new int[parameters.kept() / 32][slots];
        this.lowWords = new int[parameters.kept() / 32][slots];
    }

    /** A keyword, H1 given by its transform. Slots are put in ascending order, all of them. */
    void putKeyword(int slot, BlockMask.Opened mask, int[] h1Hat) {
        mask.keptProductHat(column, h1Hat);
        putColumn(slot);
    }

    /** A dummy, in the same order. */
    void putDummy(int slot, CoinStream coins) {
        RingSampling.uniform(coins, parameters.ring().modulus(), column);
        putColumn(slot);
    }

    /** Sixteen columns at a time, since every row is another cache line. */
    private void putColumn(int slot) {
        int place = slot % TILE;
        for (int j = 0; j < column.length; j++) {
            tile[TILE * j + place] = column[j];
        }
        if (place == TILE - 1 || slot == slots - 1) {
            for (int j = 0; j < v.length; j++) {
                System.arraycopy(tile, TILE * j, v[j], slot - place, place + 1);
            }
        }
    }

    /** Computes the bits, once all slots are put; draws e2. */
    void finish(CoinStream coins) {
        parameters.keptRing().inverseRowsInPlace(v);
        int[] e2 = new int[slots];
        for (int j = 0; j < v.length; j++) {
            coins.nextInts(e2, 2 * parameters.floodBound() + 1);
            round(v[j], e2, keyWords[j >> 5], lowWords[j >> 5], j & 31);
        }
        Arrays.fill(e2, 0);
    }

    private void round(int[] row, int[] e2, int[] keys, int[] lows, int bit) {
        int q = parameters.q();
        int flood = parameters.floodBound();
        int quarter1 = (int) (q / 4L);
        int half = (int) (2L * q / 4);
        int quarter3 = (int) (3L * q / 4);
        for (int slot = 0; slot < row.length; slot++) {
            int x = row[slot] + e2[slot] - flood;
            x += x >> 31 & q;
            int d = x - q;
            x = d + (d >> 31 & q);
            int quarter = (half - x >>> 31) + (quarter1 - x >>> 31) + (quarter3 - x >>> 31); // floor(4x/q), q odd
            keys[slot] |= (quarter + 1 >> 1 & 1) << bit;
            lows[slot] |= (quarter & 1) << bit;
        }
    }

    /** k_i, least significant bit first. */
    byte[] slotKey(int slot) {
        return bytes(keyWords, slot);
    }

    /** b_i, least significant bit first. */
    byte[] bits(int slot) {
        return bytes(lowWords, slot);
    }

    private static byte[] bytes(int[][] words, int slot) {
        byte[] out = new byte[4 * words.length];
        for (int word = 0; word < words.length; word++) {
            HotBlock.INT.set(out, 4 * word, words[word][slot]);
        }
        return out;
    }

    /** Writes b of all slots. */
    void putBits(SlotTable table) {
        int[] square = new int[32];
        for (int word = 0; word < lowWords.length; word++) {
            for (int first = 0; first < slots; first += 32) {
                int count = Math.min(32, slots - first);
                System.arraycopy(lowWords[word], first, square, 0, count);
                Arrays.fill(square, count, 32, 0);
                transpose(square);
                table.putBits(32 * word, first, square);
            }
        }
    }

    /** Bit k of word i to bit i of word k (Warren, "Hacker's Delight", 7-3, with the least significant bit first). */
    private static void transpose(int[] square) {
        int mask = 0x0000_ffff;
        for (int width = 16; width > 0; width >>= 1, mask ^= mask << width) {
            for (int i = 0; i < 32; i = (i + width + 1) & ~width) {
                int swap = (square[i] >>> width ^ square[i + width]) & mask;
                square[i + width] ^= swap;
                square[i] ^= swap << width;
            }
        }
    }

    /** Erases everything. */
    @Override
    public void close() {
        Arrays.fill(column, 0);
        Arrays.fill(tile, 0);
        for (int[][] values : new int[][][] {v, keyWords}) {
            for (int[] row : values) {
                Arrays.fill(row, 0);
            }
        }
    }
}
