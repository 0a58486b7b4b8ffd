package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.MessageContext;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The payload of a block, read and written bit by bit from the specification's sections 3 and 6
 * (docs/spec/ntru-peks.md), with none of the engine's code: the attacker's own codec, and the twin of ours.
 */
final class PlainBlock {
    static final int TAG_BYTES = 13;

    final NtruParameters parameters;
    final int slots;
    final int records;
    final int[] a;
    /** As it is sent, of version 3; of version 2 there is none. */
    byte[] binding = new byte[32];

    private int version = 3;
    /** b_i, tag_i, field_i and the cells: free to change. */
    final byte[][] columns;

    final byte[][] tags;
    final byte[][] fields;
    final byte[][] cells;

    /** A block whose slots are zeros and that has no cells. */
    PlainBlock(NtruParameters parameters, int slots, int records, int[] a) {
        this(parameters, slots, records, 0, a);
    }

    /** A block whose slots and cells are zeros. */
    PlainBlock(NtruParameters parameters, int slots, int records, int cells, int[] a) {
        this.parameters = parameters;
        this.slots = slots;
        this.records = records;
        this.a = a.clone();
        this.columns = new byte[slots][parameters.kept() / 8];
        this.tags = new byte[slots][TAG_BYTES];
        this.fields = new byte[slots][hasCells() ? 4 : records == 1 ? 0 : (records + 7) / 8];
        this.cells = new byte[cells][(records + 15) / 16];
    }

    /** Whether fields are lists and references. */
    boolean hasCells() {
        return slots > 1 && records > 64;
    }

    /** Reads a payload that is known to be one. */
    static PlainBlock parse(byte[] payload) {
        NtruParameters p = NtruParameters.all().get(payload[1] - 1);
        int slots = (payload[2] & 0xff) + 1;
        int[] a = new int[p.n()];
        int width = width(p);
        int at = 8 * 5;
        for (int i = 0; i < p.n(); i++) {
            for (int k = 0; k < width; k++) {
                a[i] |= bit(payload, at++) << k;
            }
        }
        PlainBlock out = new PlainBlock(p, slots, (payload[3] & 0xff) + 1, 16 * (payload[4] & 0xff), a);
        at = (at + 7) / 8 * 8;
        out.version = payload[0];
        if (out.version == 3) {
            out.binding = Arrays.copyOfRange(payload, at / 8, at / 8 + 32);
            at += 8 * 32;
        }
        for (int row = 0; row < p.kept(); row++) {
            for (int slot = 0; slot < slots; slot++) {
                set(out.columns[slot], row, bit(payload, at++));
            }
        }
        int from = at / 8;
        for (byte[][] part : new byte[][][] {out.tags, out.fields, out.cells}) {
            for (byte[] of : part) {
                System.arraycopy(payload, from, of, 0, of.length);
                from += of.length;
            }
        }
        return out;
    }

    /** The payload. */
    byte[] encode() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(publicPart(a));
        if (version == 3) {
            out.writeBytes(binding);
        }
        byte[] rows = new byte[parameters.kept() * slots / 8];
        for (int row = 0; row < parameters.kept(); row++) {
            for (int slot = 0; slot < slots; slot++) {
                set(rows, row * slots + slot, bit(columns[slot], row));
            }
        }
        out.writeBytes(rows);
        for (byte[][] part : new byte[][][] {tags, fields, cells}) {
            for (byte[] of : part) {
                out.writeBytes(of);
            }
        }
        return out.toByteArray();
    }

    /** The same block as one of version 2, whose A is not shifted. */
    void makeUnshifted() {
        version = 2;
    }

    private static int width(NtruParameters p) {
        return 32 - Integer.numberOfLeadingZeros(p.q() - 1);
    }

    /** Counts and a mask. */
    private byte[] publicPart(int[] a) {
        int width = width(parameters);
        byte[] out = new byte[5 + (a.length * width + 7) / 8];
        out[0] = (byte) version;
        out[1] = (byte) parameters.code();
        out[2] = (byte) (slots - 1);
        out[3] = (byte) (records - 1);
        out[4] = (byte) (cells.length / 16);
        for (int i = 0; i < a.length * width; i++) {
            set(out, 40 + i, a[i / width] >> i % width & 1);
        }
        return out;
    }

    /** The slot's bit in a row. */
    int bit(int row, int slot) {
        return bit(columns[slot], row);
    }

    /** Copies a slot of any block, without cells that it refers to. */
    void paste(int place, PlainBlock from, int slot) {
        columns[place] = from.columns[slot].clone();
        tags[place] = from.tags[slot].clone();
        fields[place] = Arrays.copyOf(from.fields[slot], fields[place].length);
    }

    PlainBlock copy() {
        return parse(encode());
    }

    /** What every slot is bound to, in the block that {@code frame} names: of version 3 it is in the payload. */
    byte[] binding(IndexBlock frame, MessageContext context) {
        return version == 3 ? binding.clone() : hash(frame, context, a);
    }

    /** SHA-256 of the block's header, context, counts and a mask. */
    byte[] hash(IndexBlock frame, MessageContext context, int[] mask) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(("veilgate/ntru-peks/block/" + version).getBytes(StandardCharsets.US_ASCII));
            sha.update(frame.header());
            sha.update(context.encode());
            return sha.digest(publicPart(mask));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @param cells what the field refers to, encrypted, one behind the other */
    static byte[] tag(byte[] key, byte[] binding, byte[] column, byte[] field, byte[] cells) {
        return Arrays.copyOf(sha(1, key, binding, column, field, cells), TAG_BYTES);
    }

    /** A field, opened or closed. */
    static byte[] cryptField(byte[] key, byte[] binding, byte[] field) {
        return xor(field, sha(2, key, binding));
    }

    /** The cells of one slot, opened or closed. */
    static byte[] cryptCells(byte[] key, byte[] binding, byte[] cells) {
        return xor(cells, sha(3, key, binding));
    }

    /** The places of the cells that an opened field refers to: none, one or two. */
    int[] references(byte[] field) {
        if (!hasCells() || (field[0] & 0xff) <= (field[1] & 0xff)) {
            return new int[0];
        }
        int high = (field[0] & 0xff) - 1;
        int i = high % 2 * 256 + (field[2] & 0xff);
        int j = high / 2 * 256 + (field[3] & 0xff);
        if (high > 3 || field[1] != 0 || Math.max(i, j) >= cells.length) {
            return new int[0];
        }
        return i == j ? new int[] {i} : new int[] {i, j};
    }

    /** What cells hold, one behind the other. */
    byte[] cells(int... places) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int place : places) {
            out.writeBytes(cells[place]);
        }
        return out.toByteArray();
    }

    /** Ordinals of records that an opened field with its opened cells means; none where they are not canonical. */
    int[] records(byte[] field, byte[] content) {
        if (records == 1) {
            return new int[] {0};
        }
        int h = (records + 15) / 16;
        if (!hasCells() || content.length == 2 * h) {
            byte[] bitmap = hasCells() ? content : field;
            int[] out = IntStream.range(0, 8 * bitmap.length)
                    .filter(i -> bit(bitmap, i) == 1)
                    .toArray();
            if (!hasCells()) {
                return Arrays.stream(out).filter(i -> i < records).toArray();
            }
            return out.length > h && out[out.length - 1] < records ? out : new int[0];
        }
        byte[] list = content.length == 0 ? field : content;
        int[] out = IntStream.range(0, list.length)
                .map(i -> list[i] & 0xff)
                .distinct()
                .toArray();
        for (int i = 0; i < list.length; i++) { // what the list must be, to be the one of this set
            if ((list[i] & 0xff) != out[Math.min(i, out.length - 1)]) {
                return new int[0];
            }
        }
        boolean ascending = IntStream.range(1, out.length).allMatch(i -> out[i - 1] < out[i]);
        boolean small = content.length > 0 && out.length <= 4;
        return ascending && !small && out[out.length - 1] < records ? out : new int[0];
    }

    private static byte[] xor(byte[] text, byte[] pad) {
        byte[] out = new byte[text.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = (byte) (text[i] ^ pad[i]);
        }
        return out;
    }

    private static byte[] sha(int first, byte[]... parts) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update((byte) first);
            for (byte[] part : parts) {
                sha.update(part);
            }
            return sha.digest();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int bit(byte[] bytes, int index) {
        return bytes[index / 8] >> index % 8 & 1;
    }

    private static void set(byte[] bytes, int index, int bit) {
        bytes[index / 8] = (byte) (bytes[index / 8] & ~(1 << index % 8) | bit << index % 8);
    }
}
