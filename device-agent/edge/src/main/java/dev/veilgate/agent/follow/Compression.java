package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.FileNames;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/** The forms in which rotations compress logs, by the ends of the files' names. */
enum Compression {
    GZIP(".gz") {
        @Override
        InputStream decoder(InputStream in) throws IOException {
            return new GzipMembers(in, BUFFER_BYTES);
        }
    },
    XZ(".xz") {
        @Override
        InputStream decoder(InputStream in) throws IOException {
            return new XZInputStream(in, (int) (Runtime.getRuntime().maxMemory() / 4 >> 10));
        }
    },
    ZSTANDARD(".zst") {
        @Override
        InputStream decoder(InputStream in) {
            return new ZstandardFrames(in);
        }
    },
    BZIP2(".bz2") {
        @Override
        InputStream decoder(InputStream in) {
            return new BZip2Streams(in);
        }
    };

    private static final int BUFFER_BYTES = 1 << 16;

    /** Text is seldom compressed to less than a hundredth of its size, and deflate cannot do better than this. */
    private static final long MOST_TIMES = 1100;

    private static final long ALWAYS_BYTES = 64 << 20;

    private final String suffix;

    Compression(String suffix) {
        this.suffix = suffix;
    }

    abstract InputStream decoder(InputStream in) throws IOException;

    /** The form of a file by its name; null if it is not compressed. */
    static @Nullable Compression of(Path path) {
        String name = FileNames.lastName(path);
        for (Compression form : values()) {
            if (name.endsWith(form.suffix) && name.length() > form.suffix.length()) {
                return form;
            }
        }
        return null;
    }

    /** The end of the names of such files. */
    String suffix() {
        return suffix;
    }

    /** The name of a file before it was compressed. */
    Path unpackedName(Path packed) {
        String name = FileNames.lastName(packed);
        return FileNames.sibling(packed, name.substring(0, name.length() - suffix.length()));
    }

    /**
     * The bytes of a file before it was compressed, from its beginning.
     *
     * @param packed stays open when the stream is closed
     * @return throws {@link EOFException} where the file is damaged, not whole, or holds more than any log of its
     *                size could
     */
    InputStream open(FileChannel packed) throws IOException {
        long most = ALWAYS_BYTES + MOST_TIMES * packed.size();
        InputStream raw = new FilterInputStream(Channels.newInputStream(packed.position(0))) {
            @Override
            public void close() {
                // the channel is its owner's
            }
        };
        return new Unpacking(this, new BufferedInputStream(raw, BUFFER_BYTES), most);
    }

    /** Decoded bytes, counted. The decoders throw whatever they like at what is damaged. */
    private static final class Unpacking extends BulkInputStream {
        private final Compression form;
        private final InputStream raw;
        private @Nullable InputStream decoded;
        private long left;

        Unpacking(Compression form, InputStream raw, long most) {
            this.form = form;
            this.raw = raw;
            this.left = most;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            int count;
            try {
                InputStream in = decoded;
                if (in == null) {
                    in = form.decoder(raw);
                    decoded = in;
                }
                count = in.read(bytes, from, length);
            } catch (IOException
                    | RuntimeException
                    | StackOverflowError e) { // Java's goes down one for each empty part
                throw damaged("is damaged or not whole", e);
            }
            left -= Math.max(count, 0);
            if (left < 0) {
                throw damaged("holds more than any log of its size", null);
            }
            return count;
        }

        private static EOFException damaged(String why, @Nullable Throwable cause) {
            EOFException e = new EOFException("a compressed file " + why);
            e.initCause(cause);
            return e;
        }
    }
}
