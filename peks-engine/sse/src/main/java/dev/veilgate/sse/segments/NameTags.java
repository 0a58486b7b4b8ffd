package dev.veilgate.sse.segments;

import dev.veilgate.sse.Sha256;
import java.io.IOException;

/**
 * Tags of names: the first 32 bits of SHA-256(name), each with its document's number below it. Two names may have one
 * tag, so a document that is found by it is compared by its name.
 */
final class NameTags {
    private NameTags() {}

    /** The tag above a number, to be compared as unsigned. */
    static long of(Sha256 sha, byte[] name, int length, int number) {
        byte[] digest = sha.add(name, 0, length).finish();
        long tag = 0;
        for (int i = 0; i < SegmentLayout.TAG_BYTES; i++) {
            tag = tag << 8 | digest[i] & 0xff;
        }
        return tag << 32 | number;
    }

    /** Writes a tag: its 4 bytes, then the number, big-endian; pages have as many as are whole in one. */
    static void write(PartWriter out, long tag, int numberBytes) throws IOException {
        if (out.room() < SegmentLayout.TAG_BYTES + numberBytes) {
            out.endPage();
        }
        out.fixed(tag >>> 32, SegmentLayout.TAG_BYTES).fixed(tag & 0xffff_ffffL, numberBytes);
    }
}
