package dev.veilgate.sender;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.files.LockFile;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * What a sender must remember from one run to the next, in a file: its place in its chain and the serial of the last bundle. {@code [ "veilgate-sender-state", 1, next sequence,
 * digest of the previous envelope, bundle serial ]}.
 *
 * <p>One process at a time holds it. A place is stored durably <em>before</em> the envelope at it leaves: after a crash a number is missing at most, which verification names as
 * what it is; the other way round a number would be used twice, which looks like a stolen key.
 */
public final class SenderState implements AutoCloseable {
    private static final String MAGIC = "veilgate-sender-state";
    private static final int VERSION = 1;
    private static final int MAX_BYTES = 256;

    private final Path file;
    private final LockFile lock;
    private ChainPosition next = ChainPosition.first();
    private long bundleSerial;

    private SenderState(Path file, LockFile lock) {
        this.file = file;
        this.lock = lock;
    }

    /** Where the state of an identity is kept unless somebody says otherwise: beside it. */
    public static Path besideIdentity(Path identity) {
        Path absolute = identity.toAbsolutePath();
        return absolute.resolveSibling(absolute.getFileName() + ".state");
    }

    /**
     * Opens a state, a new one if there is no file.
     *
     * @throws CommandFailure if another process holds it or it is damaged
     */
    public static SenderState open(Path file) throws IOException, CommandFailure {
        Path absolute = file.toAbsolutePath();
        LockFile lock = LockFile.tryLock(absolute.resolveSibling(absolute.getFileName() + ".lock"))
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.IO,
                        "another process seals with the state " + file + "; give this one its own identity"));
        SenderState opened = null;
        try {
            SenderState state = new SenderState(absolute, lock);
            state.read();
            opened = state;
            return state;
        } finally {
            if (opened == null) {
                lock.close();
            }
        }
    }

    private void read() throws IOException, CommandFailure {
        try (InputStream bytes = Files.newInputStream(file)) {
            CborReader in = new CborReader("sender-state", bytes.readNBytes(MAX_BYTES + 1));
            if (in.array("state", 5) != 5
                    || !in.text("magic", MAGIC.length()).equals(MAGIC)
                    || in.uint("version", Integer.MAX_VALUE) != VERSION) {
                throw in.malformed("magic", "must be " + MAGIC + ", version " + VERSION);
            }
            next = new ChainPosition(in.unsigned("sequence", Long.MAX_VALUE), in.fixedBytes("digest", 32));
            bundleSerial = in.unsigned("serial", Long.MAX_VALUE);
            in.end();
        } catch (NoSuchFileException e) {
            // a new sender
        } catch (MalformedEncodingException | IllegalArgumentException e) {
            throw new CommandFailure(
                    ExitCode.IO,
                    file
                            + " is damaged; restore it, or make a new identity: a chain that begins again looks like a stolen key",
                    e);
        }
    }

    /** Where the next envelope goes. */
    public ChainPosition next() {
        return next;
    }

    /** The serial of the last bundle that was accepted; 0 if none. */
    public long bundleSerial() {
        return bundleSerial;
    }

    /** Remembers, durably, that the place before this one is taken. */
    public void advance(ChainPosition position) throws IOException {
        next = position;
        write();
    }

    /** Remembers, durably, which bundle was accepted. */
    public void acceptedBundle(long serial) throws IOException {
        if (serial != bundleSerial) {
            bundleSerial = serial;
            write();
        }
    }

    private void write() throws IOException {
        byte[] encoded = new CborWriter(MAX_BYTES)
                .array(5)
                .text(MAGIC)
                .integer(VERSION)
                .integer(next.sequence())
                .bytes(next.previousDigest())
                .integer(bundleSerial)
                .toByteArray();
        DurableFiles.replace(DurableFiles.folderOf(file), file.getFileName().toString(), null, encoded);
    }

    /** Lets others use it. */
    @Override
    public void close() throws IOException {
        lock.close();
    }
}
