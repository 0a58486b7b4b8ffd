package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.Message;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A segment whose v is known before its pages: these are sealed into a temporary file for each part. */
@Secret
final class TemporaryParts implements Message.Body, Closeable {
    private static final int BUFFER_BYTES = 1 << 18;

    private final byte[] head;
    private final Map<SegmentPart, SealedFile> files = new EnumMap<>(SegmentPart.class);

    /** @throws IOException if a file cannot be made; none is left then */
    TemporaryParts(SegmentKeys keys, byte[] v, Path folder) throws IOException {
        head = ObjectHead.of(v);
        try {
            for (SegmentPart part : SegmentPart.values()) {
                files.put(part, new SealedFile(keys.cipher(ObjectKind.SEGMENT, v, part.ordinal()), folder));
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    PageSink sink(SegmentPart part) {
        SealedFile file = files.get(part);
        if (file == null) {
            throw new IllegalStateException("every part has a file");
        }
        return file;
    }

    /** Ends writing. */
    void flush() throws IOException {
        for (SealedFile each : files.values()) {
            each.out.close();
        }
    }

    @Override
    public long length() {
        return head.length
                + files.values().stream().mapToLong(each -> each.bytes).sum();
    }

    @Override
    public InputStream open() throws IOException {
        List<InputStream> inputs = new ArrayList<>();
        inputs.add(new ByteArrayInputStream(head));
        try {
            for (SealedFile each : files.values()) {
                inputs.add(Files.newInputStream(each.path));
            }
        } catch (IOException e) {
            for (InputStream each : inputs) {
                each.close();
            }
            throw e;
        }
        return new SequenceInputStream(Collections.enumeration(inputs));
    }

    /** Removes the files. */
    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (SealedFile each : files.values()) {
            try {
                try {
                    each.out.close();
                } finally {
                    Files.deleteIfExists(each.path);
                }
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static final class SealedFile implements PageSink {
        private final PageCipher cipher;
        private final Path path;
        private final OutputStream out;
        private long pages;
        private long bytes;

        SealedFile(PageCipher cipher, Path folder) throws IOException {
            this.cipher = cipher;
            this.path = Files.createTempFile(folder, "segment", ".part");
            this.out = new BufferedOutputStream(Files.newOutputStream(path), BUFFER_BYTES);
        }

        @Override
        public void page(byte[] page, int length) throws IOException {
            byte[] sealed = cipher.seal(pages++, page, length);
            out.write(sealed);
            bytes += sealed.length;
        }
    }
}
