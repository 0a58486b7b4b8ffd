package dev.veilgate.gateway.journal;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * A file of the journal, named by the position of its first entry.
 *
 * <pre>
 *   entry = length (4 bytes, big-endian) | CRC-32C of length and payload (4) | payload
 * </pre>
 *
 * @param start position of its first byte
 */
record Segment(Path file, long start) implements Comparable<Segment> {
    static final int HEAD_BYTES = 8;
    static final int MAX_PAYLOAD_BYTES = 256 << 20;
    private static final String SUFFIX = ".journal";

    static Segment at(Path folder, long start) {
        return new Segment(folder.resolve("%020d%s".formatted(start, SUFFIX)), start);
    }

    static boolean isOne(Path file) {
        return file.getFileName().toString().matches("\\d{20}\\" + SUFFIX);
    }

    static Segment of(Path file) {
        String name = file.getFileName().toString();
        return new Segment(file, Long.parseLong(name.substring(0, name.length() - SUFFIX.length())));
    }

    long end() throws IOException {
        return start + Files.size(file);
    }

    static int checksum(byte[] payload) {
        CRC32C crc = new CRC32C();
        for (int shift = 24; shift >= 0; shift -= 8) {
            crc.update(payload.length >>> shift);
        }
        crc.update(payload, 0, payload.length);
        return (int) crc.getValue();
    }

    /** What {@link #read} calls for each whole entry. */
    interface Reader {
        /** @return whether to go on */
        boolean entry(long position, long next, byte[] payload) throws IOException;
    }

    /**
     * Reads whole entries from a position on.
     *
     * @return the position behind the last entry that was read: before the file's end if its tail is torn, or the reader had enough
     */
    long read(long from, Reader reader) throws IOException {
        long at = from;
        try (InputStream file = Files.newInputStream(file());
                DataInputStream in = new DataInputStream(new BufferedInputStream(file, 1 << 16))) {
            in.skipNBytes(from - start);
            while (true) {
                int length = in.readInt();
                int checksum = in.readInt();
                if (length < 0 || length > MAX_PAYLOAD_BYTES) {
                    return at;
                }
                byte[] payload = in.readNBytes(length);
                if (payload.length != length || checksum(payload) != checksum) {
                    return at;
                }
                long next = at + HEAD_BYTES + length;
                at = next;
                if (!reader.entry(at - HEAD_BYTES - length, next, payload)) {
                    return at;
                }
            }
        } catch (EOFException e) {
            return at;
        }
    }

    @Override
    public int compareTo(Segment other) {
        return Long.compare(start, other.start);
    }
}
