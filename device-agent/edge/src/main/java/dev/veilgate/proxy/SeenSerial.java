package dev.veilgate.proxy;

import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Serial of the last bundle that was accepted, as decimal digits in a file: after a restart an older bundle is refused too, which may still be valid and hold a certificate that
 * was replaced since. A file that cannot be understood is an error, never a fresh start.
 */
final class SeenSerial {
    /** Name of the file in the proxy's spool. */
    static final String IN_SPOOL = "bundle-serial";

    private static final int MAX_DIGITS = 18;

    private final Path file;
    private final boolean writes;
    private long last;

    private SeenSerial(Path file, boolean writes) throws IOException {
        this.file = file.toAbsolutePath();
        this.writes = writes;
        this.last = read();
    }

    /** Goes on with a file; it is made with the first bundle. */
    static SeenSerial keptIn(Path file) throws IOException {
        return new SeenSerial(file, true);
    }

    /** As {@link #keptIn}, for one who only looks. */
    static SeenSerial lookedUpIn(Path file) throws IOException {
        return new SeenSerial(file, false);
    }

    /** Where it is kept unless somebody says otherwise: beside the bundle. */
    static Path beside(Path bundle) {
        Path absolute = bundle.toAbsolutePath();
        return absolute.resolveSibling(absolute.getFileName() + ".serial");
    }

    /** 0 if none. */
    long last() {
        return last;
    }

    /**
     * Remembers, durably, that a bundle was accepted.
     *
     * @throws IOException if it cannot be kept; then the bundle is not to be used
     */
    void accept(long serial) throws IOException {
        if (serial > last && writes) {
            write(serial);
        }
        last = Math.max(last, serial);
    }

    /** One process at a time, since several may send mail; what another wrote meanwhile is not lowered. */
    private void write(long serial) throws IOException {
        synchronized (SeenSerial.class) { // the lock of the system is one of processes
            Path lock = file.resolveSibling(file.getFileName() + ".lock");
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.lock();
                if (serial > read()) {
                    byte[] digits = (serial + "\n").getBytes(StandardCharsets.US_ASCII);
                    DurableFiles.replace(
                            DurableFiles.folderOf(file), file.getFileName().toString(), null, digits);
                }
            }
        }
    }

    private long read() throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            String text = new String(in.readNBytes(MAX_DIGITS + 2), StandardCharsets.US_ASCII);
            if (!text.matches("[0-9]{1," + MAX_DIGITS + "}\n")) {
                throw new IOException(
                        file + " is damaged: it must hold the serial of the last bundle. Compare the bundle"
                                + " with your authority's latest one, then remove the file");
            }
            return Long.parseLong(text.strip());
        } catch (NoSuchFileException e) {
            return 0;
        }
    }
}
