package dev.veilgate.peks.pairing;

import dev.veilgate.encoding.ByteWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** A payload in pieces that a forger may exchange; written from the specification, without the code under test. */
final class OpenPayload {
    private static final int LOCATOR_AND_TAG = 8 + 16;

    byte[] header;
    byte[] blockPoints;
    final List<Piece> slots = new ArrayList<>();

    /** One slot. */
    static final class Piece {
        byte[] share;
        long locator;
        byte[] cell;

        Piece(byte[] share, long locator, byte[] cell) {
            this.share = share;
            this.locator = locator;
            this.cell = cell;
        }

        Piece copy() {
            return new Piece(share.clone(), locator, cell.clone());
        }
    }

    OpenPayload(PairingSchemeUnderTest scheme, byte[] payload) {
        int count = (payload[1] & 0xff) + 1;
        int records = (payload[2] & 0xff) + 1;
        int cell = LOCATOR_AND_TAG - 8 + (records + 7) / 8;
        header = Arrays.copyOf(payload, 3);
        blockPoints = Arrays.copyOfRange(payload, 3, 3 + scheme.blockPointBytes());
        int shares = 3 + scheme.blockPointBytes();
        int locators = shares + count * scheme.shareBytes();
        int cells = locators + 8 * count;
        for (int i = 0; i < count; i++) {
            slots.add(new Piece(
                    Arrays.copyOfRange(
                            payload, shares + i * scheme.shareBytes(), shares + (i + 1) * scheme.shareBytes()),
                    ByteBuffer.wrap(payload).getLong(locators + 8 * i),
                    Arrays.copyOfRange(payload, cells + i * cell, cells + (i + 1) * cell)));
        }
    }

    void sort() {
        slots.sort(Comparator.comparing((Piece piece) -> piece.locator, Long::compareUnsigned));
    }

    byte[] encode() {
        ByteWriter out = new ByteWriter(1024).bytes(header).bytes(blockPoints);
        slots.forEach(slot -> out.bytes(slot.share));
        slots.forEach(slot -> out.int64(slot.locator));
        slots.forEach(slot -> out.bytes(slot.cell));
        return out.toByteArray();
    }
}
