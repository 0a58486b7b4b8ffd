package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.MessageContext;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The payload of a block, read and written bit by bit from the specification's sections 3 and 6 (docs/spec/ntru-peks.md), with
 * none of the engine's code: the attacker's own codec, and the twin of ours.
 */
final class PlainBlock {
    static final int TAG_BYTES = 16;

    final NtruParameters parameters;
    final int slots;
    final int records;
    final int[] a;
    /** b_i, tag_i, ct_i: free to change. */
    final byte[][] columns;

    final byte[][] tags;
    final byte[][] postings;

    /** A block whose slots are zeros. */
    PlainBlock(NtruParameters parameters, int slots, int records, int[] a) {
        this.parameters = parameters;
        this.slots = slots;
        this.records = records;
        this.a = a.clone();
        this.columns = new byte[slots][parameters.kept() / 8];
        this.tags = new byte[slots][TAG_BYTES];
        this.postings = new byte[slots][records == 1 ? 0 : (records + 7) / 8];
    }

    /** Reads a payload that is known to be one. */
    static PlainBlock parse(byte[] payload) {
        NtruParameters p = NtruParameters.all().get(payload[1] - 1);
        int slots = (payload[2] & 0xff) + 1;
        int[] a = new int[p.n()];
        int width = 32 - Integer.numberOfLeadingZeros(p.q() - 1);
        int at = 8 * 4;
        for (int i = 0; i < p.n(); i++) {
            for (int k = 0; k < width; k++) {
                a[i] |= bit(payload, at++) << k;
            }
        }
        PlainBlock out = new PlainBlock(p, slots, (payload[3] & 0xff) + 1, a);
        at = (at + 7) / 8 * 8;
        for (int row = 0; row < p.kept(); row++) {
            for (int slot = 0; slot < slots; slot++) {
                set(out.columns[slot], row, bit(payload, at++));
            }
        }
        int from = at / 8;
        for (byte[][] part : new byte[][][] {out.tags, out.postings}) {
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
        out.writeBytes(publicPart());
        byte[] rows = new byte[parameters.kept() * slots / 8];
        for (int row = 0; row < parameters.kept(); row++) {
            for (int slot = 0; slot < slots; slot++) {
                set(rows, row * slots + slot, bit(columns[slot], row));
            }
        }
        out.writeBytes(rows);
        for (byte[][] part : new byte[][][] {tags, postings}) {
            for (byte[] of : part) {
                out.writeBytes(of);
            }
        }
        return out.toByteArray();
    }

    /** Counts and A. */
    private byte[] publicPart() {
        int width = 32 - Integer.numberOfLeadingZeros(parameters.q() - 1);
        byte[] out = new byte[4 + (a.length * width + 7) / 8];
        out[0] = 1;
        out[1] = (byte) parameters.code();
        out[2] = (byte) (slots - 1);
        out[3] = (byte) (records - 1);
        for (int i = 0; i < a.length * width; i++) {
            set(out, 32 + i, a[i / width] >> i % width & 1);
        }
        return out;
    }

    /** The slot's bit in a row. */
    int bit(int row, int slot) {
        return bit(columns[slot], row);
    }

    /** Copies a slot of any block. */
    void paste(int place, PlainBlock from, int slot) {
        columns[place] = from.columns[slot].clone();
        tags[place] = from.tags[slot].clone();
        postings[place] = from.postings[slot].clone();
    }

    PlainBlock copy() {
        return parse(encode());
    }

    /** What every slot is bound to, in the block that {@code frame} names. */
    byte[] binding(IndexBlock frame, MessageContext context) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update("veilgate/ntru-peks/block/1".getBytes(StandardCharsets.US_ASCII));
            sha.update(frame.header());
            sha.update(context.encode());
            return sha.digest(publicPart());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static byte[] tag(byte[] key, byte[] binding, byte[] column, byte[] postings) {
        return Arrays.copyOf(hmac(key, 1, binding, column, postings), TAG_BYTES);
    }

    /** A posting list, opened or closed. */
    static byte[] crypt(byte[] key, byte[] binding, byte[] postings) {
        byte[] pad = hmac(key, 2, binding);
        byte[] out = new byte[postings.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = (byte) (postings[i] ^ pad[i]);
        }
        return out;
    }

    private static byte[] hmac(byte[] key, int first, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((byte) first);
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
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
