package dev.veilgate.agent;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RefusedBundleException;
import dev.veilgate.files.FileVersion;
import dev.veilgate.sender.KeptBundle;
import dev.veilgate.sender.SealingBundle;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The public bundle in a file, verified; read again when the file changes. One that is refused does not replace one that is in use. */
final class BundleFile {
    private static final long LOOK_NANOS = 1_000_000_000L;
    /** A large one that was refused is not read again every second. */
    private static final int LARGE_BYTES = 1 << 20;

    private static final long REFUSED_NANOS = 30 * LOOK_NANOS;

    private final KeptBundle kept;
    private final Path file;
    private final String authority;
    private long serial;
    private @Nullable PublicBundle bundle;
    private @Nullable FileVersion version;
    private @Nullable FileVersion refused;
    private long refusedUntil;
    private String problem = "";
    private long lookAt = System.nanoTime();

    BundleFile(KeptBundle kept, String authority, long lastSeenSerial) {
        this.kept = kept;
        this.file = kept.file();
        this.authority = authority;
        this.serial = lastSeenSerial;
    }

    /** The bundle to use now; null if there is none. Looks at the file about once a second. */
    @Nullable
    PublicBundle at(Instant now) {
        PublicBundle used = bundle;
        if (System.nanoTime() - lookAt >= 0) {
            lookAt = System.nanoTime() + LOOK_NANOS;
            used = reread(now);
        }
        if (used != null && !now.isBefore(used.notAfter())) {
            problem = "the bundle expired at " + used.notAfter() + "; fetch a new one from your authority";
            return null;
        }
        return used;
    }

    private @Nullable PublicBundle reread(Instant now) {
        try {
            FileVersion found = FileVersion.of(file);
            PublicBundle used = bundle;
            if (used != null && found.equals(version)) {
                problem = "";
                return used;
            }
            if (found.equals(refused) && System.nanoTime() - refusedUntil < 0) {
                return used;
            }
            refused = found.size() > LARGE_BYTES ? found : null; // unless all is well below
            refusedUntil = System.nanoTime() + REFUSED_NANOS;
            PublicBundle read = SealingBundle.read(file, authority, now, serial);
            version = found;
            refused = null;
            bundle = read;
            serial = read.serial();
            problem = "";
            return read;
        } catch (IOException e) {
            problem = "the bundle " + file + " cannot be read: " + e.getClass().getSimpleName();
        } catch (MalformedEncodingException | RefusedBundleException e) {
            problem = String.valueOf(e.getMessage());
        }
        return bundle;
    }

    /** Why there is no bundle, or why the file's or the address's is not used; empty if all is well. */
    String problem() {
        String fetched = kept.problem();
        return problem.isEmpty() || fetched.isEmpty() ? problem + fetched : problem + "; " + fetched;
    }

    long serial() {
        return serial;
    }
}
