package dev.veilgate.issuing;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The state of a log: all of its first entries in one digest.
 *
 * <pre>{@code
 * head = [ tenant: tstr, size: uint, root: bstr 32, time: uint (ms) ]
 * }</pre>
 *
 * @param tenant whose log
 * @param size   how many entries
 * @param root   of the Merkle tree over them (RFC 9162, section 2.1.1)
 * @param time   when it was signed, whole milliseconds
 */
public record TreeHead(String tenant, long size, byte[] root, Instant time) {
    /** @throws IllegalArgumentException naming what is wrong */
    public TreeHead {
        LogDraft.checkActor(tenant);
        long millis = time.toEpochMilli();
        if (size < 0
                || root.length != Merkle.BYTES
                || millis < 0
                || millis > LogFormat.MAX_MILLIS
                || !time.equals(Instant.ofEpochMilli(millis))) {
            throw new IllegalArgumentException(
                    "a tree head has a size, a root of 32 bytes, and whole milliseconds from 1970 to 9999");
        }
        root = root.clone();
    }

    /** A copy of the root. */
    @Override
    public byte[] root() {
        return root.clone();
    }

    byte[] encode() {
        return new CborWriter(320)
                .array(4)
                .text(tenant)
                .integer(size)
                .bytes(root)
                .integer(time.toEpochMilli())
                .toByteArray();
    }

    static TreeHead decode(byte[] bytes) throws MalformedEncodingException {
        CborReader in = new CborReader("tree-head", bytes);
        if (in.array("body", 4) != 4) {
            throw in.malformed("body", "must have 4 items");
        }
        String tenant = in.text("tenant", LogFormat.MAX_ACTOR_BYTES);
        if (tenant.isEmpty()) {
            throw in.malformed("tenant", "must not be empty");
        }
        long size = in.unsigned("size", Long.MAX_VALUE);
        byte[] root = in.fixedBytes("root", Merkle.BYTES);
        Instant time = Instant.ofEpochMilli(in.unsigned("time", LogFormat.MAX_MILLIS));
        in.end();
        return new TreeHead(tenant, size, root, time);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TreeHead that && Arrays.equals(encode(), that.encode());
    }

    @Override
    public int hashCode() {
        return Long.hashCode(size) * 31 + Arrays.hashCode(root);
    }

    @Override
    public String toString() {
        return "TreeHead[" + tenant + ", " + size + ", " + HexFormat.of().formatHex(root) + ", " + time + "]";
    }
}
