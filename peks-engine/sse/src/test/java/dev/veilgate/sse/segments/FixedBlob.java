package dev.veilgate.sse.segments;

import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import dev.veilgate.sse.Message;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/** A store that gives the same bytes under every name, as one that lies does. */
final class FixedBlob implements BlobStore {
    private final byte[] bytes;

    FixedBlob(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public void put(BlobName name, Message.Body object) {
        throw new UnsupportedOperationException();
    }

    @Override
    public OptionalLong length(BlobName name) {
        return OptionalLong.of(bytes.length);
    }

    @Override
    public byte[] read(BlobName name, long from, int length) {
        int begin = (int) Math.min(from, bytes.length);
        return Arrays.copyOfRange(bytes, begin, begin + Math.min(length, bytes.length - begin));
    }

    @Override
    public List<BlobName> list() {
        return List.of();
    }

    @Override
    public void remove(BlobName name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        // holds nothing
    }
}
