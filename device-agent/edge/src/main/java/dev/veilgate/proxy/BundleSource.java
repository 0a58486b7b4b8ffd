package dev.veilgate.proxy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RefusedBundleException;
import dev.veilgate.files.FileVersion;
import dev.veilgate.sender.KeptBundle;
import dev.veilgate.sender.SealingBundle;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The public bundle in a file, read again when the file changes. One that is refused, or a file that went away, does not replace the one in
 * use; never an older one than before, also before a restart, never an expired one.
 */
final class BundleSource {
    private final KeptBundle kept;
    private final Path file;
    private final String fingerprint;
    private final SeenSerial seen;
    private final Clock clock;
    private @Nullable PublicBundle bundle;
    private @Nullable FileVersion read;
    private String problem = "";

    BundleSource(KeptBundle kept, String fingerprint, SeenSerial seen, Clock clock) {
        this.kept = kept;
        this.file = kept.file();
        this.fingerprint = fingerprint;
        this.seen = seen;
        this.clock = clock;
    }

    /**
     * The bundle to use now.
     *
     * @throws RefusedBundleException also if the one in use expired and none came
     */
    synchronized PublicBundle current() throws IOException, MalformedEncodingException, RefusedBundleException {
        Instant now = clock.instant();
        try {
            reread(now);
        } catch (IOException e) {
            problem = e instanceof UnkeptSerialException
                    ? String.valueOf(e.getMessage())
                    : "the file cannot be read: " + e.getClass().getSimpleName();
            if (bundle == null) {
                throw e;
            }
        } catch (MalformedEncodingException | RefusedBundleException e) {
            problem = String.valueOf(e.getMessage());
            if (bundle == null) {
                throw e;
            }
        }
        PublicBundle used = java.util.Objects.requireNonNull(bundle);
        if (!now.isBefore(used.notAfter())) {
            problem = "the bundle expired at " + used.notAfter()
                    + "; fetch a new one from your authority (veilgate keys bundle makes it)";
            throw new RefusedBundleException(problem);
        }
        return used;
    }

    private void reread(Instant time) throws IOException, MalformedEncodingException, RefusedBundleException {
        FileVersion now = FileVersion.of(file);
        if (bundle != null && now.equals(read)) {
            problem = "";
            return;
        }
        PublicBundle verified = SealingBundle.read(file, fingerprint, time, seen.last());
        try {
            seen.accept(verified.serial()); // before it is used
        } catch (IOException e) {
            throw new UnkeptSerialException(e);
        }
        bundle = verified;
        read = now;
        problem = "";
    }

    /** Without a durable serial a bundle could be taken back later. */
    static final class UnkeptSerialException extends IOException {
        private static final long serialVersionUID = 1L;

        UnkeptSerialException(IOException cause) {
            super("the serial of the new bundle cannot be kept, so it is not used: " + cause, cause);
        }
    }

    /** Why there is no bundle, or why the file's or the address's is not used; empty if all is well. */
    synchronized String problem() {
        String fetched = kept.problem();
        return problem.isEmpty() || fetched.isEmpty() ? problem + fetched : problem + "; " + fetched;
    }
}
