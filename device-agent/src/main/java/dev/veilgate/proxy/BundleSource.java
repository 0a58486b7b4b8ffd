package dev.veilgate.proxy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RefusedBundleException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The public bundle in a file, read again when the file changes; never an older one than before, never an expired one. */
final class BundleSource {
    private final Path file;
    private final String fingerprint;
    private final Clock clock;
    private @Nullable PublicBundle bundle;
    private @Nullable FileTime modified;
    private long size;

    BundleSource(Path file, String fingerprint, Clock clock) {
        this.file = file;
        this.fingerprint = fingerprint;
        this.clock = clock;
    }

    /**
     * The bundle to use now.
     *
     * @throws RefusedBundleException also if the one in use expired and none came
     */
    synchronized PublicBundle current() throws IOException, MalformedEncodingException, RefusedBundleException {
        Instant now = clock.instant();
        FileTime time = Files.getLastModifiedTime(file);
        long length = Files.size(file);
        PublicBundle used = bundle;
        if (used == null || !time.equals(modified) || length != size) {
            if (length > PublicBundle.MAX_BYTES) {
                throw new MalformedEncodingException(
                        "bundle", "must have at most " + PublicBundle.MAX_BYTES + " bytes");
            }
            used = PublicBundle.verify(Files.readAllBytes(file), fingerprint, now, used == null ? 0 : used.serial());
            bundle = used;
            modified = time;
            size = length;
        }
        if (!now.isBefore(used.notAfter())) {
            throw new RefusedBundleException("the bundle expired at " + used.notAfter()
                    + "; fetch a new one from your authority (veilgate keys bundle makes it)");
        }
        return used;
    }
}
