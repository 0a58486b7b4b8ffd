package dev.veilgate.archive;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.segments.EpochKey;
import dev.veilgate.sse.segments.KeyRing;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * An archive's key in a file, in clear, so it is refused when others may read it. Whoever has it can search the archive
 * and read the names and words of its documents.
 *
 * <pre>
 *   [ "veilgate-archive-key", 1, key: bstr ]                                          the first key, alone
 *   [ "veilgate-archive-key", 2, [ epoch, key: bstr, key of digests: bstr ], ... ]    a later key; or one, and the next
 * </pre>
 */
@Secret
final class ArchiveKeyFile {
    static final String FILE = "archive.key";
    private static final String MAGIC = "veilgate-archive-key";
    private static final int FIRST = 1;
    private static final int EPOCHS = 2;
    private static final int MAX_BYTES = 1024;

    private ArchiveKeyFile() {}

    static void write(Path folder, String name, ArchiveKey key) throws IOException {
        write(folder, name, encode(key));
    }

    /** Replaces a file by the keys of a ring, durably. */
    static void write(Path file, KeyRing ring) throws IOException {
        write(DurableFiles.folderOf(file), String.valueOf(file.getFileName()), encode(ring));
    }

    private static void write(Path folder, String name, byte[] encoded) throws IOException {
        try {
            DurableFiles.replace(folder, name, null, encoded);
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }

    private static byte[] encode(ArchiveKey key) {
        byte[] secret = key.encode();
        CborWriter out = new CborWriter(secret.length + 64);
        try {
            return out.array(3).text(MAGIC).integer(FIRST).bytes(secret).toByteArray();
        } finally {
            out.wipe();
            Arrays.fill(secret, (byte) 0);
        }
    }

    /** Content of a file; the caller wipes it. */
    static byte[] encode(KeyRing ring) {
        Optional<EpochKey> next = ring.next();
        if (ring.current().epoch() == 1 && next.isEmpty()) {
            return encode(ring.current().key());
        }
        CborWriter out = new CborWriter(MAX_BYTES);
        try {
            out.array(next.isEmpty() ? 3 : 4).text(MAGIC).integer(EPOCHS);
            encode(ring.current(), out);
            next.ifPresent(key -> encode(key, out));
            return out.toByteArray();
        } finally {
            out.wipe();
        }
    }

    private static void encode(EpochKey epoch, CborWriter out) {
        byte[] key = epoch.key().encode();
        byte[] digestsKey = epoch.digestsKey();
        out.array(3).integer(epoch.epoch()).bytes(key).bytes(digestsKey);
        Arrays.fill(key, (byte) 0);
        Arrays.fill(digestsKey, (byte) 0);
    }

    /** The key of an archive that has one for ever. */
    static ArchiveKey read(Path file) throws IOException {
        return read(file, encoded -> {
            CborReader in = new CborReader("archive-key", encoded);
            begin(in, 3, FIRST);
            ArchiveKey key = key(in);
            in.end();
            return key;
        });
    }

    /** The keys of an archive of segments. */
    static KeyRing readRing(Path file, KeyRing.Keeper keeper) throws IOException {
        return read(file, encoded -> decode(encoded, keeper));
    }

    @FunctionalInterface
    private interface Decoder<T> {
        T decode(byte[] encoded) throws MalformedEncodingException;
    }

    private static <T> T read(Path file, Decoder<T> decoder) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new UnusableKeyException(file + " is missing: without the key nothing can be added or found");
        }
        if (DurableFiles.readableByOthers(file)) {
            throw new UnusableKeyException(file + " can be read by others; make it private: chmod 600 " + file);
        }
        byte[] encoded = new byte[0];
        try (InputStream bytes = Files.newInputStream(file)) {
            encoded = bytes.readNBytes(MAX_BYTES + 1);
            return decoder.decode(encoded);
        } catch (MalformedEncodingException e) {
            throw new UnusableKeyException(file + " is no archive's key, or damaged: " + e.getMessage(), e);
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }

    /** The inverse of {@link #encode(KeyRing)}. */
    static KeyRing decode(byte[] encoded, KeyRing.Keeper keeper) throws MalformedEncodingException {
        CborReader in = new CborReader("archive-key", encoded);
        int items = begin(in, 4, EPOCHS);
        EpochKey current;
        EpochKey next = null;
        if (items == 0) {
            current = EpochKey.first(key(in));
        } else {
            current = epochKey(in);
            next = items == 2 ? epochKey(in) : null;
        }
        in.end();
        if (next != null && next.epoch() != current.epoch() + 1) {
            throw in.malformed("epoch", "must be one more than that before");
        }
        return new KeyRing(current, next, keeper);
    }

    /**
     * Reads what comes before the keys.
     *
     * @return how many keys with epochs follow; 0 if the first alone does
     */
    private static int begin(CborReader in, int mostItems, int lastVersion) throws MalformedEncodingException {
        int items = in.array("key", mostItems);
        if (items < 3 || !in.text("magic", MAGIC.length()).equals(MAGIC)) {
            throw in.malformed("magic", "must be " + MAGIC);
        }
        int version = in.uint("version", Integer.MAX_VALUE);
        if (version < FIRST || version > lastVersion || version == FIRST && items != 3) {
            throw in.malformed("version", "must be " + FIRST + " to " + lastVersion + ", with the items of that");
        }
        return version == FIRST ? 0 : items - 2;
    }

    private static EpochKey epochKey(CborReader in) throws MalformedEncodingException {
        if (in.array("epoch-key", 3) != 3) {
            throw in.malformed("epoch-key", "must have an epoch, a key and a key of digests");
        }
        int epoch = in.uint("epoch", EpochKey.MAX_EPOCH);
        ArchiveKey key = key(in);
        byte[] digestsKey = in.fixedBytes("digests", EpochKey.DIGESTS_BYTES);
        try {
            return EpochKey.of(epoch, key, digestsKey);
        } finally {
            Arrays.fill(digestsKey, (byte) 0);
        }
    }

    private static ArchiveKey key(CborReader in) throws MalformedEncodingException {
        byte[] secret = in.fixedBytes("key", ArchiveKey.BYTES);
        try {
            return ArchiveKey.decode(secret);
        } finally {
            Arrays.fill(secret, (byte) 0);
        }
    }
}
