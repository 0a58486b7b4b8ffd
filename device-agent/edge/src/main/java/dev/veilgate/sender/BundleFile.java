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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads a public bundle from where it is. */
public final class BundleFile {
    private BundleFile() {}

    /**
     * Reads or fetches, and verifies.
     *
     * @param authorities PEM of those to trust at an address instead of the machine's
     * @param authority  the pinned fingerprint
     * @param lastSerial of the last bundle that was accepted; 0 if none
     * @throws CommandFailure if it is refused; the message says what to do
     */
    public static PublicBundle read(
            BundleLocation location, @Nullable Path authorities, String authority, Instant now, long lastSerial)
            throws IOException, CommandFailure {
        byte[] bytes = switch (location) {
            case BundleLocation.OfFile file -> bytes(file.file());
            case BundleLocation.OfUrl address -> bytes(address, authorities);
        };
        try {
            return PublicBundle.verify(bytes, authority, now, lastSerial);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "the authority: " + e.getMessage(), e);
        } catch (MalformedEncodingException | RefusedBundleException e) {
            throw new CommandFailure(ExitCode.REFUSED, location + ": " + e.getMessage(), e);
        }
    }

    private static byte[] bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(PublicBundle.MAX_BYTES + 1);
        }
    }

    private static byte[] bytes(BundleLocation.OfUrl address, @Nullable Path authorities) throws CommandFailure {
        try {
            return Objects.requireNonNull(new BundleFetch(address.url(), authorities)
                    .get("", PublicBundle.MAX_BYTES)
                    .bytes());
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.IO, String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.IO, "interrupted", e);
        }
    }
}
