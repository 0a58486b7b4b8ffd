package dev.veilgate.archive;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.ArchiveKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * An archive's key in a file: {@code [ "veilgate-archive-key", 1, key: bstr ]}, in clear, so it is refused when others
 * may read it. Whoever has it can search the archive and read the names and words of its documents.
 */
@Secret
final class ArchiveKeyFile {
    static final String FILE = "archive.key";
    private static final String MAGIC = "veilgate-archive-key";
    private static final int VERSION = 1;
    private static final int MAX_BYTES = 4096;

    private ArchiveKeyFile() {}

    static void write(Path folder, String name, ArchiveKey key) throws IOException {
        byte[] encoded = encode(key);
        try {
            DurableFiles.replace(folder, name, null, encoded);
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }

    /** Content of a file; the caller wipes it. */
    static byte[] encode(ArchiveKey key) {
        byte[] secret = key.encode();
        CborWriter out = new CborWriter(secret.length + 64);
        try {
            return out.array(3).text(MAGIC).integer(VERSION).bytes(secret).toByteArray();
        } finally {
            out.wipe();
            Arrays.fill(secret, (byte) 0);
        }
    }

    static ArchiveKey read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new UnusableKeyException(file + " is missing: without the key nothing can be added or found");
        }
        if (DurableFiles.readableByOthers(file)) {
            throw new UnusableKeyException(file + " can be read by others; make it private: chmod 600 " + file);
        }
        byte[] encoded = new byte[0];
        try (InputStream bytes = Files.newInputStream(file)) {
            encoded = bytes.readNBytes(MAX_BYTES + 1);
            return decode(encoded);
        } catch (MalformedEncodingException e) {
            throw new UnusableKeyException(file + " is no archive's key, or damaged: " + e.getMessage(), e);
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }

    /** The inverse of {@link #encode}. */
    static ArchiveKey decode(byte[] encoded) throws MalformedEncodingException {
        CborReader in = new CborReader("archive-key", encoded);
        if (in.array("key", 3) != 3
                || !in.text("magic", MAGIC.length()).equals(MAGIC)
                || in.uint("version", Integer.MAX_VALUE) != VERSION) {
            throw in.malformed("magic", "must be " + MAGIC + ", version " + VERSION);
        }
        byte[] secret = in.bytes("key", MAX_BYTES);
        try {
            in.end();
            return ArchiveKey.decode(secret);
        } finally {
            Arrays.fill(secret, (byte) 0);
        }
    }
}
