package dev.veilgate.sender;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RefusedBundleException;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** Reads a public bundle from a file. */
public final class BundleFile {
    private BundleFile() {}

    /**
     * Reads and verifies.
     *
     * @param authority  the pinned fingerprint
     * @param lastSerial of the last bundle that was accepted; 0 if none
     * @throws CommandFailure if it is refused; the message says what to do
     */
    public static PublicBundle read(Path file, String authority, Instant now, long lastSerial)
            throws IOException, CommandFailure {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(PublicBundle.MAX_BYTES + 1);
        }
        try {
            return PublicBundle.verify(bytes, authority, now, lastSerial);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "the authority: " + e.getMessage(), e);
        } catch (MalformedEncodingException | RefusedBundleException e) {
            throw new CommandFailure(ExitCode.REFUSED, file + ": " + e.getMessage(), e);
        }
    }
}
