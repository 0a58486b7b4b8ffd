package dev.veilgate.envelope;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.files.DurableFiles;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The registered senders of a tenant in a file, verified: head and format are those of {@link SenderRegistryHead}, then an entry for each sender.
 *
 * <pre>{@code
 * registry = head || entry * count
 * entry    = bstr: encoded SenderPublicKey                 ascending by the bytes of the name, each name once
 * }</pre>
 *
 * <p>The file is read once, to its end; in memory stay 32 bytes an entry. A sender's key is read from the file when it is asked for, and compared with what was verified: an entry that
 * somebody changed afterwards is an error, never another key, and never a sender that is not registered. {@link #copied} reads a copy of its own, which nobody else has a name for.
 *
 * <p>Gives: entries made by the holder of the pinned key (both signatures hold), of the expected tenant, not older than one seen before if the caller remembers its serial. Does not give:
 * secrecy, or that there is no newer one.
 */
public final class SenderRegistry implements RegisteredSenders, AutoCloseable {
    /** How the name of a registry's file ends. */
    public static final String EXTENSION = ".senders";

    private static final int BUFFER_BYTES = 1 << 16;
    /** A head without a name and the shortest entry; how many entries a file can have at most is known before memory is taken. */
    private static final int LEAST_ENTRY_BYTES = 1990;

    /**
     * What a registry must be.
     *
     * @param authority      the pinned fingerprint
     * @param tenant         whose bundle it belongs to
     * @param lastSeenSerial serial of the last registry that was accepted; 0 if none
     */
    public record Expected(String authority, String tenant, long lastSeenSerial) {
        /** @throws IllegalArgumentException if the fingerprint has not 64 hex digits */
        public Expected {
            authority = PublicBundle.canonicalFingerprint(authority);
        }
    }

    private final SenderRegistryHead head;
    private final SenderIndex index;
    private final RandomAccessFile file;

    private SenderRegistry(SenderRegistryHead head, SenderIndex index, RandomAccessFile file) {
        this.head = head;
        this.index = index;
        this.file = file;
    }

    /** Where the registry of a tenant lies unless somebody says otherwise: beside its bundle, {@code acme.senders} for {@code acme.vgb}. */
    public static Path beside(Path bundle) {
        String name = String.valueOf(bundle.getFileName());
        int dot = name.lastIndexOf('.');
        return bundle.resolveSibling((dot > 0 ? name.substring(0, dot) : name) + EXTENSION);
    }

    /**
     * Verifies a registry and reads its entries where it lies.
     *
     * @throws MalformedEncodingException if it is none, cut off, or out of order
     * @throws RefusedRegistryException   if it is not to be used; the message says what to do
     */
    public static SenderRegistry open(Path file, Expected expected)
            throws IOException, MalformedEncodingException, RefusedRegistryException {
        RandomAccessFile in = new RandomAccessFile(file.toFile(), "r");
        return verified(in, new FileInputStream(in.getFD()), null, in.length(), expected);
    }

    /**
     * Verifies a registry while it is copied, and reads its entries from the copy, which has no name any more: whatever becomes of the file, these entries stay.
     *
     * @param folder where there is room for the copy
     * @throws MalformedEncodingException as {@link #open}
     * @throws RefusedRegistryException   as {@link #open}
     */
    public static SenderRegistry copied(Path file, Path folder, Expected expected)
            throws IOException, MalformedEncodingException, RefusedRegistryException {
        try (InputStream in = new FileInputStream(file.toFile())) {
            long length = Files.size(file);
            RandomAccessFile copy = DurableFiles.unnamed(folder);
            return verified(copy, in, copy, length, expected);
        }
    }

    /** Closes the file if there is anything wrong. */
    private static SenderRegistry verified(
            RandomAccessFile file, InputStream in, @Nullable RandomAccessFile copy, long length, Expected expected)
            throws IOException, MalformedEncodingException, RefusedRegistryException {
        SenderRegistry verified = null;
        try {
            InputStream read = new BufferedInputStream(copy == null ? in : new Copying(in, copy), BUFFER_BYTES);
            SenderRegistryReader reader = new SenderRegistryReader(read, expected.authority);
            SenderIndex index = new SenderIndex(admitted(reader.head(), length, expected));
            for (SenderPublicKey key = reader.next(); key != null; key = reader.next()) {
                index.add(key.sender(), reader.entryAt(), reader.fingerprint());
            }
            index.sort();
            verified = new SenderRegistry(reader.head(), index, file);
        } finally {
            if (verified == null) {
                file.close();
            }
        }
        return verified;
    }

    private static int admitted(SenderRegistryHead head, long length, Expected expected)
            throws MalformedEncodingException, RefusedRegistryException {
        if (!head.tenant().equals(expected.tenant)) {
            throw new RefusedRegistryException("the sender registry is of the tenant " + head.tenant()
                    + ", and the bundle of " + expected.tenant + "; put each beside its own bundle");
        }
        if (head.serial() < expected.lastSeenSerial) {
            throw new RefusedRegistryException("the sender registry has serial " + head.serial()
                    + ", and one with serial " + expected.lastSeenSerial
                    + " was seen before; copy the latest one from your authority");
        }
        if (head.count() > length / LEAST_ENTRY_BYTES) {
            throw new MalformedEncodingException(
                    "sender-registry",
                    "is cut off: it cannot have " + head.count()
                            + " entries; copy it again, aside and then to its name");
        }
        return head.count();
    }

    /** Whose senders they are, how many, and which registry this is. */
    public SenderRegistryHead head() {
        return head;
    }

    @Override
    public List<SenderPublicKey> keysOf(String name) throws IOException {
        List<SenderPublicKey> found = new ArrayList<>(1);
        for (int place : index.candidates(name)) {
            SenderPublicKey key = read(place);
            if (key.sender().equals(name)) {
                found.add(key);
            }
        }
        return found;
    }

    private SenderPublicKey read(int place) throws IOException {
        byte[] bytes = new byte[SenderRegistryReader.MAX_ENTRY_BYTES];
        int length = 0;
        synchronized (file) {
            file.seek(index.offset(place));
            for (int more = 0; more >= 0 && length < bytes.length; length += Math.max(0, more)) {
                more = file.read(bytes, length, bytes.length - length);
            }
        }
        int from = SenderRegistryReader.ENTRY_HEAD_BYTES;
        int end = from + ((bytes[1] & 0xff) << 8 | bytes[2] & 0xff);
        if (length < from || bytes[0] != SenderRegistryReader.BYTE_STRING || end > length) {
            throw changed();
        }
        byte[] encoded = Arrays.copyOfRange(bytes, from, end);
        if (!index.isDigest(place, Hashes.sha256(encoded))) {
            throw changed();
        }
        try {
            return SenderPublicKey.decode(encoded);
        } catch (MalformedEncodingException e) {
            throw new IOException(e); // its digest was that of a key
        }
    }

    private static IOException changed() {
        return new IOException(
                "the sender registry was changed after it was verified, in place; replace such a file by moving another to its name");
    }

    /** Frees the file; nothing can be found any more. */
    @Override
    public void close() throws IOException {
        file.close();
    }

    /** What is read is written too. */
    private static final class Copying extends FilterInputStream {
        private final RandomAccessFile copy;

        Copying(InputStream in, RandomAccessFile copy) {
            super(in);
            this.copy = copy;
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            if (next >= 0) {
                copy.write(next);
            }
            return next;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int read = super.read(bytes, from, length);
            if (read > 0) {
                copy.write(bytes, from, read);
            }
            return read;
        }
    }
}
