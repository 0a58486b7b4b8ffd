package dev.veilgate.sse.segments;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import javax.crypto.AEADBadTagException;

/**
 * Dead sets as objects: length of the encoding in 4 bytes, the encoding, and zeros up to a size of the grid, sealed in
 * pages as a segment's parts are.
 */
@Secret
final class SealedDeadSets {
    private static final int LENGTH_BYTES = 4;
    private static final int PART = 0;
    private static final String TEXT = "dead set";

    private SealedDeadSets() {}

    /** Seals a set. */
    static SealedObject seal(DeadSet set, SegmentKeys keys, SecureRandom random) throws IOException {
        byte[] encoded = set.encode();
        byte[] clear = ByteBuffer.allocate(clearBytes(LENGTH_BYTES + encoded.length))
                .putInt(encoded.length)
                .put(encoded)
                .array();
        byte[] r = new byte[SegmentKeys.R_BYTES];
        random.nextBytes(r);
        byte[] v = keys.v(
                ObjectKind.DEAD_SET,
                SegmentKeys.Of.CONTENT,
                r,
                new Sha256().add(clear).finish().clone());
        MemoryPages pages = new MemoryPages();
        PartWriter writer = new PartWriter(pages);
        writer.stream(clear, 0, clear.length);
        writer.finish();
        List<byte[]> pieces = new ArrayList<>();
        pieces.add(ObjectHead.of(v));
        pieces.addAll(pages.seal(keys.cipher(ObjectKind.DEAD_SET, v, PART)));
        Message.Body body = MemoryPages.body(pieces);
        return new SealedObject(BlobName.of(body), v, body);
    }

    /** The least size of what is sealed that has so many bytes, and fills an object of the grid. */
    private static int clearBytes(int least) {
        long pages = (least + PageCipher.PAGE_BYTES - 1L) / PageCipher.PAGE_BYTES;
        long size = SizeGrid.atLeast(ObjectHead.BYTES + least + pages * PageCipher.TAG_BYTES);
        while (SizeGrid.clear(size - ObjectHead.BYTES) < least) {
            size = SizeGrid.atLeast(size + 1);
        }
        return Math.toIntExact(SizeGrid.clear(size - ObjectHead.BYTES));
    }

    /**
     * Opens a set.
     *
     * @param count     how many numbers it has
     * @param documents of its segment
     * @throws DamagedObjectException if the object is not the one that v is of, or not such a set
     */
    static DeadSet open(BlobStore store, SegmentKeys keys, BlobName name, byte[] v, int count, int documents)
            throws IOException {
        OptionalLong length = store.length(name);
        if (length.isEmpty()) {
            throw new DamagedObjectException(name, "it is missing");
        }
        long sealed = length.getAsLong() - ObjectHead.BYTES;
        long most = SizeGrid.atLeast(2L * PageCipher.SEALED_BYTES + 2L * DeadSet.mostBytes(documents));
        if (sealed <= 0 || sealed > most) {
            throw new DamagedObjectException(name, TEXT);
        }
        byte[] bytes = store.read(name, ObjectHead.BYTES, (int) sealed);
        PageCipher cipher = keys.cipher(ObjectKind.DEAD_SET, v, PART);
        ByteBag clear = new ByteBag();
        try {
            for (int at = 0, page = 0; at < bytes.length; at += PageCipher.SEALED_BYTES, page++) {
                byte[] opened = cipher.open(page, bytes, at, Math.min(PageCipher.SEALED_BYTES, bytes.length - at));
                clear.put(opened, 0, opened.length);
            }
            int size = clear.length < LENGTH_BYTES
                    ? -1
                    : ByteBuffer.wrap(clear.bytes).getInt();
            if (size < 0 || size > clear.length - LENGTH_BYTES) {
                throw new DamagedObjectException(name, TEXT);
            }
            DeadSet set = DeadSet.decode(Arrays.copyOfRange(clear.bytes, LENGTH_BYTES, LENGTH_BYTES + size), documents);
            if (set.size() != count) {
                throw new DamagedObjectException(name, TEXT);
            }
            return set;
        } catch (AEADBadTagException | MalformedEncodingException e) {
            throw new DamagedObjectException(name, TEXT);
        }
    }
}
