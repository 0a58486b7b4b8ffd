package dev.veilgate.authority;

import dev.veilgate.authority.KeyFileException.Reason;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The file that an authority gives to a reader: keys of one holder for several epochs, sealed by a passphrase as a key folder's file is. Nothing of it is
 * needed to seal.
 */
@Secret
public final class ReaderKeyFile {
    /** Most keys of a file: ten years of months and a rotation. */
    public static final int MAX_KEYS = 256;

    private static final int MAX_CONTENT_BYTES = PassphraseLock.MAX_FILE_BYTES - 1024;

    private static final String MAGIC = "veilgate-reader-keys";

    private ReaderKeyFile() {}

    /**
     * Writes a file, durably, readable by its owner only; one of that name is replaced.
     *
     * @param passphrase UTF-8; the caller wipes it
     * @throws IllegalArgumentException for no key or too many
     */
    public static void write(
            Path file, List<ReaderKey> keys, byte[] passphrase, PassphraseCost cost, SecureRandom random)
            throws IOException {
        write(file, seal(keys, passphrase, cost, random));
    }

    /** Writes what {@link #seal} made, durably, readable by its owner only; a file of that name is replaced. */
    public static void write(Path file, byte[] sealed) throws IOException {
        Path absolute = file.toAbsolutePath();
        if (Files.exists(absolute)
                && !Files.isRegularFile(absolute)) { // a folder, a pipe, /dev/null: a new file would take its place
            throw new FileSystemException(
                    file.toString(), null, "is no file, and would be replaced by one; name a file of its own");
        }
        DurableFiles.replace(
                DurableFiles.folderOf(absolute), absolute.getFileName().toString(), null, sealed);
    }

    /**
     * What {@link #write} writes.
     *
     * @param passphrase UTF-8; the caller wipes it
     * @throws IllegalArgumentException for no key, too many, or too large ones
     */
    public static byte[] seal(List<ReaderKey> keys, byte[] passphrase, PassphraseCost cost, SecureRandom random) {
        return seal(keys, List.of(), passphrase, cost, random);
    }

    /**
     * A file of somebody who searches, too.
     *
     * @param searchers behind the other keys
     * @param passphrase UTF-8; the caller wipes it
     * @throws IllegalArgumentException for no key, too many, or too large ones
     */
    public static byte[] seal(
            List<ReaderKey> keys,
            List<SearcherKey> searchers,
            byte[] passphrase,
            PassphraseCost cost,
            SecureRandom random) {
        if (keys.isEmpty() || keys.size() > MAX_KEYS || searchers.size() > MAX_KEYS) {
            throw new IllegalArgumentException(
                    "a file has 1 to " + MAX_KEYS + " keys, and up to " + MAX_KEYS + " searcher's keys");
        }
        List<byte[]> encoded = Stream.concat(
                        keys.stream().map(ReaderKey::encode), searchers.stream().map(SearcherKey::encode))
                .toList();
        long bytes = 64 + encoded.stream().mapToLong(key -> key.length + 8L).sum();
        if (bytes > MAX_CONTENT_BYTES) {
            encoded.forEach(key -> Arrays.fill(key, (byte) 0));
            throw new IllegalArgumentException("these keys have " + bytes + " bytes, and a file has at most "
                    + MAX_CONTENT_BYTES + ": take fewer epochs or attributes");
        }
        CborWriter out = new CborWriter((int) bytes);
        out.array(1 + encoded.size()).text(MAGIC);
        encoded.forEach(out::bytes);
        byte[] content = out.toByteArray();
        try (PassphraseLock lock = PassphraseLock.fresh(passphrase, cost, random)) {
            return lock.seal(content, random);
        } finally {
            out.wipe();
            Arrays.fill(content, (byte) 0);
            encoded.forEach(key -> Arrays.fill(key, (byte) 0));
        }
    }

    /**
     * Reads a file; the caller closes the keys.
     *
     * @param passphrase UTF-8; the caller wipes it
     * @throws KeyFileException           if it is missing or damaged, or the passphrase is wrong
     * @throws MalformedEncodingException if it is something else
     */
    public static List<ReaderKey> read(Path file, byte[] passphrase)
            throws IOException, KeyFileException, MalformedEncodingException {
        Content content = open(file, passphrase);
        content.searchers().forEach(SearcherKey::close);
        return content.readers();
    }

    /**
     * All keys of a file; closed by who has them.
     *
     * @param readers   one at least
     * @param searchers of somebody who searches, too
     */
    public record Content(List<ReaderKey> readers, List<SearcherKey> searchers) implements AutoCloseable {
        /** Erases the keys. */
        @Override
        public void close() {
            readers.forEach(ReaderKey::close);
            searchers.forEach(SearcherKey::close);
        }

        @Override
        public String toString() {
            return "Content[hidden]";
        }
    }

    /** As {@link #read}, with the searcher's keys; the caller closes them. */
    public static Content open(Path file, byte[] passphrase)
            throws IOException, KeyFileException, MalformedEncodingException {
        if (Files.notExists(file)) {
            throw new KeyFileException(
                    Reason.MISSING, "there is no " + file + "; veilgate keys issue makes such a file");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(PassphraseLock.MAX_FILE_BYTES + 1); // a longer one fails its checksum
        }
        PassphraseLock.Opened opened = PassphraseLock.open(bytes, passphrase);
        try {
            return decode(opened.content());
        } finally {
            opened.lock().close();
            Arrays.fill(opened.content(), (byte) 0);
        }
    }

    private static Content decode(byte[] content) throws MalformedEncodingException {
        CborReader in = new CborReader("reader-keys", content);
        int size = in.array("reader-keys", 1 + 2 * MAX_KEYS);
        if (size < 2 || !in.nextIsText() || !in.text("magic", 255).equals(MAGIC)) {
            throw in.malformed("magic", "must be " + MAGIC + ": a file of veilgate keys issue");
        }
        List<ReaderKey> keys = new ArrayList<>();
        List<SearcherKey> searchers = new ArrayList<>();
        for (int i = 1; i < size; i++) {
            byte[] encoded = in.bytes("key", ReaderKey.MAX_BYTES);
            try {
                if (SearcherKey.isOne(encoded)) {
                    searchers.add(SearcherKey.decode(encoded));
                } else {
                    keys.add(ReaderKey.decode(encoded));
                }
            } finally {
                Arrays.fill(encoded, (byte) 0);
            }
        }
        in.end();
        return new Content(List.copyOf(keys), List.copyOf(searchers));
    }
}
