package dev.veilgate.agent.follow;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** How characters are written in a file: as bytes that contain ASCII, or in UTF-16 with a byte order mark, as programs from Windows write. Records are UTF-8 in any case. */
enum TextForm {
    /** UTF-8, or whatever else; records are the file's bytes. */
    BYTES(StandardCharsets.UTF_8, new byte[] {'\n'}),
    UTF_16_LITTLE(StandardCharsets.UTF_16LE, new byte[] {'\n', 0}),
    UTF_16_BIG(StandardCharsets.UTF_16BE, new byte[] {0, '\n'});

    /** Of a byte order mark of UTF-32; that of UTF-16 is its beginning. */
    static final int TELLING_BYTES = 4;

    private static final int LEAST_PAIRS = 8;

    private final Charset charset;
    private final byte[] lineFeed;

    TextForm(Charset charset, byte[] lineFeed) {
        this.charset = charset;
        this.lineFeed = lineFeed;
    }

    /** By the first bytes of a file. */
    static TextForm of(FileChannel file) throws IOException {
        byte[] first = Digest.read(file, 0, TELLING_BYTES);
        if (first.length < 2) {
            return BYTES;
        }
        int mark = (first[0] & 0xff) << 8 | first[1] & 0xff;
        boolean wider = first.length == TELLING_BYTES && first[2] == 0 && first[3] == 0;
        return mark == 0xFEFF ? UTF_16_BIG : mark == 0xFFFE && !wider ? UTF_16_LITTLE : BYTES;
    }

    /** Whether bytes look like UTF-16 without a mark: a zero in each pair. No word of such a file can be found. */
    static boolean hasZeros(byte[] first) {
        int pairs = first.length / 2;
        int zeros = 0;
        for (int i = 0; i + 1 < first.length; i += 2) {
            zeros += (first[i] == 0) != (first[i + 1] == 0) ? 1 : 0;
        }
        return pairs >= LEAST_PAIRS && zeros > pairs / 2;
    }

    /** Bytes of a unit: places in the file are multiples of it. */
    int unit() {
        return lineFeed.length;
    }

    byte[] lineFeed() {
        return lineFeed;
    }

    /** Bytes of the file that become a record of so many bytes at most. */
    int rawBytes(int recordBytes) {
        return this == BYTES ? recordBytes : Math.max(2, recordBytes * 2 / 3 & ~1); // two bytes may become three
    }

    boolean isLineFeed(byte[] bytes, int at) {
        return lineFeed.length == 1 ? bytes[at] == '\n' : bytes[at] == lineFeed[0] && bytes[at + 1] == lineFeed[1];
    }

    boolean isZero(byte[] bytes, int at) {
        return bytes[at] == 0 && (lineFeed.length == 1 || bytes[at + 1] == 0);
    }

    /** The character unit at a place. */
    private char unitAt(byte[] bytes, int at) {
        return switch (this) {
            case BYTES -> (char) (bytes[at] & 0xff);
            case UTF_16_LITTLE -> (char) (bytes[at + 1] << 8 | bytes[at] & 0xff);
            case UTF_16_BIG -> (char) (bytes[at] << 8 | bytes[at + 1] & 0xff);
        };
    }

    boolean isSpace(byte[] bytes, int at) {
        return unitAt(bytes, at) == ' ';
    }

    /** Whether a place is inside of a character of two units. */
    boolean isInside(byte[] bytes, int at) {
        return this != BYTES && Character.isLowSurrogate(unitAt(bytes, at));
    }

    /**
     * A record of a part of a file.
     *
     * @param begins whether the part begins with the file's first byte
     */
    byte[] record(byte[] raw, boolean begins) {
        if (this == BYTES) {
            return raw;
        }
        int mark = begins ? Math.min(2, raw.length) : 0;
        return new String(raw, mark, raw.length - mark, charset).getBytes(StandardCharsets.UTF_8);
    }

    /** A part of a file with the line feed behind it. */
    byte[] withLineFeed(byte[] raw) {
        byte[] all = Arrays.copyOf(raw, raw.length + lineFeed.length);
        System.arraycopy(lineFeed, 0, all, raw.length, lineFeed.length);
        return all;
    }
}
