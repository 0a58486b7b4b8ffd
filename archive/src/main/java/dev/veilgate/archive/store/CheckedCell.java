package dev.veilgate.archive.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** A value in a file: value || CRC-32C(length of key || key || value). Against disks that fail, not attackers. */
final class CheckedCell {
    private static final int SUM_BYTES = Integer.BYTES;

    private CheckedCell() {}

    static byte[] of(byte[] key, byte[] value) {
        return ByteBuffer.allocate(value.length + SUM_BYTES)
                .put(value)
                .putInt(sum(key, value, value.length))
                .array();
    }

    /** @throws IOException if it is not the value that the key was given */
    static byte[] value(byte[] key, byte[] cell) throws IOException {
        int length = cell.length - SUM_BYTES;
        if (length < 0 || ByteBuffer.wrap(cell).getInt(length) != sum(key, cell, length)) {
            throw new IOException("a cell does not have the checksum that it was written with");
        }
        return Arrays.copyOf(cell, length);
    }

    private static int sum(byte[] key, byte[] value, int length) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Integer.BYTES).putInt(key.length).flip());
        crc.update(key);
        crc.update(value, 0, length);
        return (int) crc.getValue();
    }
}
