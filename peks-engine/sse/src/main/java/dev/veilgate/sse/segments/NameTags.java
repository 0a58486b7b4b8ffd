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

    /** Tags by their places. */
    @FunctionalInterface
    interface Tags {
        long at(int place) throws IOException;
    }

    /** The first place of a tag that is not below one; tags are spread evenly, so it is near where that would be. */
    static int search(Tags tags, int count, long wanted) throws IOException {
        int low = 0;
        int high = count;
        int guess = (int) ((wanted >>> 32) * count >>> 32);
        int near = 4 + 4 * (int) Math.sqrt(count);
        if (guess - near > 0 && Long.compareUnsigned(tags.at(guess - near), wanted) < 0) {
            low = guess - near;
        }
        if (guess + near < count && Long.compareUnsigned(tags.at(guess + near), wanted) >= 0) {
            high = guess + near;
        }
        while (low < high) {
            int middle = low + high >>> 1;
            if (Long.compareUnsigned(tags.at(middle), wanted) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
