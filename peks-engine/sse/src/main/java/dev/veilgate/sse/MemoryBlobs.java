package dev.veilgate.sse;

import dev.veilgate.encoding.MalformedEncodingException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** Objects in memory: for measurements and tests, since nothing of them is left when the process ends. */
public final class MemoryBlobs implements BlobStore {
    private final SortedMap<BlobName, byte[]> objects = new TreeMap<>();

    /** No objects yet. */
    public MemoryBlobs() {}

    @Override
    public synchronized void put(BlobName name, Message.Body object) throws IOException, MalformedEncodingException {
        byte[] bytes;
        try (InputStream in = object.open()) {
            bytes = in.readAllBytes();
        }
        MessageDigest digest = BlobName.sha256();
        digest.update(bytes);
        name.require(BlobName.of(digest));
        objects.putIfAbsent(name, bytes);
    }

    @Override
    public synchronized OptionalLong length(BlobName name) {
        byte[] bytes = objects.get(name);
        return bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes.length);
    }

    @Override
    public synchronized byte[] read(BlobName name, long from, int length) throws IOException {
        if (from < 0 || length < 0) {
            throw new IllegalArgumentException("a range begins at 0 or behind it and has 0 bytes or more");
        }
        byte[] bytes = objects.get(name);
        if (bytes == null) {
            throw new NoSuchFileException(name.value());
        }
        int begin = (int) Math.min(from, bytes.length);
        return Arrays.copyOfRange(bytes, begin, begin + Math.min(length, bytes.length - begin));
    }

    @Override
    public synchronized List<BlobName> list() {
        return List.copyOf(objects.keySet());
    }

    @Override
    public synchronized void remove(BlobName name) {
        objects.remove(name);
    }

    @Override
    public synchronized void close() {
        objects.clear();
    }
}
