package dev.veilgate.sse.segments;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.BlobName;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A segment as a manifest names it. Whoever reads the segment trusts all of it, so it comes from a manifest that was
 * authenticated.
 *
 * @param name   of the object
 * @param v      from which, with the archive's key, the keys of the object follow; 32 bytes
 * @param bytes  of the object
 * @param layout counts, and where parts stand
 */
public record SegmentEntry(BlobName name, byte[] v, long bytes, SegmentLayout layout) {
    private static final int ITEMS = 4;

    /**
     * Copies.
     *
     * @throws IllegalArgumentException if v has another length, or the object another size than its layout says
     */
    public SegmentEntry {
        if (v.length != SegmentKeys.V_BYTES || bytes != layout.objectBytes()) {
            throw new IllegalArgumentException("a segment has a v of 32 bytes, and the size of its layout");
        }
        v = v.clone();
    }

    @Override
    public byte[] v() {
        return v.clone();
    }

    /** Appends [name, v, bytes, layout]. */
    public void encode(CborWriter out) {
        out.array(ITEMS).bytes(HexFormat.of().parseHex(name.value())).bytes(v).integer(bytes);
        layout.encode(out);
    }

    /** Reads what {@link #encode} appends. */
    public static SegmentEntry decode(CborReader in) throws MalformedEncodingException {
        if (in.array("segment", ITEMS) != ITEMS) {
            throw in.malformed("segment", "must have " + ITEMS + " items");
        }
        BlobName name = new BlobName(HexFormat.of().formatHex(in.fixedBytes("name", 32)));
        byte[] v = in.fixedBytes("v", SegmentKeys.V_BYTES);
        long bytes = in.unsigned("bytes", Long.MAX_VALUE);
        SegmentLayout layout = SegmentLayout.decode(in);
        if (bytes != layout.objectBytes()) {
            throw in.malformed("bytes", "must be the size that the layout gives");
        }
        return new SegmentEntry(name, v, bytes, layout);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SegmentEntry that
                && name.equals(that.name)
                && Arrays.equals(v, that.v)
                && layout.equals(that.layout);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return "SegmentEntry[" + name + ", " + layout.documents() + " documents]";
    }
}
