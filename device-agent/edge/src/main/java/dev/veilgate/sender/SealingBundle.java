package dev.veilgate.sender;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RefusedBundleException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * The public bundle for a program that seals for months within little memory. What there is no room for is refused before it is read, beside one that is in use; a bundle of before, with
 * thousands of senders inside, costs its file while it is read.
 */
public final class SealingBundle {
    private static final long LEAST_BYTES = 1 << 20;
    /** Of all memory: the file as long as it is read. */
    private static final int FILE_SHARE = 3;
    /** Of all memory: what is kept of a bundle, which may be there twice. */
    private static final int CONTENT_SHARE = 8;
    /** Of all memory: what is fetched is there twice for a moment. */
    private static final int FETCH_SHARE = 5;

    private SealingBundle() {}

    private static int share(int of) {
        long share = Runtime.getRuntime().maxMemory() / of;
        return (int) Math.min(PublicBundle.MAX_BYTES, Math.max(LEAST_BYTES, share));
    }

    /** Most bytes that are fetched. */
    static int maxFetchedBytes() {
        return share(FETCH_SHARE);
    }

    /**
     * The bytes of a bundle's file.
     *
     * @throws RefusedBundleException if there is not the memory for them
     */
    public static byte[] bytes(Path file) throws IOException, RefusedBundleException {
        int most = share(FILE_SHARE);
        try (InputStream in = Files.newInputStream(file)) {
            long size = Files.size(file);
            if (size > most) {
                throw new RefusedBundleException(
                        "the bundle has " + size + " bytes, and with the memory that is here at most "
                                + most
                                + " can be read; let your authority make a new one (since senders have a registry of their own it is small), or"
                                + " give Java more (VEILGATE_JAVA_OPTS=-Xmx...)");
            }
            byte[] bytes = new byte[(int) size];
            int length = in.readNBytes(bytes, 0, bytes.length); // into its place: there is no room for a second copy
            if (length != size || in.read() >= 0) {
                throw new IOException(file + " is being written");
            }
            return bytes;
        }
    }

    /**
     * Reads and verifies.
     *
     * @throws MalformedEncodingException as {@link PublicBundle#verify(byte[], String, Instant, long)}
     * @throws RefusedBundleException     also if there is not the memory for it; what was in use before is untouched
     */
    public static PublicBundle read(Path file, String authority, Instant now, long lastSeenSerial)
            throws IOException, MalformedEncodingException, RefusedBundleException {
        try {
            return verify(bytes(file), authority, now, lastSeenSerial);
        } catch (OutOfMemoryError e) { // more is in use than usual; what was taken for the bundle is free again
            throw noMemory();
        }
    }

    /** {@link #read} of bytes that are there. */
    static PublicBundle verify(byte[] bytes, String authority, Instant now, long lastSeenSerial)
            throws MalformedEncodingException, RefusedBundleException {
        return PublicBundle.verifyForSealing(bytes, authority, now, lastSeenSerial, share(CONTENT_SHARE));
    }

    static RefusedBundleException noMemory() {
        return new RefusedBundleException(
                "there is not enough memory for the bundle; let your authority make a smaller one, or give Java more"
                        + " (VEILGATE_JAVA_OPTS=-Xmx...)");
    }
}
