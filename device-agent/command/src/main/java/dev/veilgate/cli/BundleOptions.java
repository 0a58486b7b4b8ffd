package dev.veilgate.cli;

import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.sender.BundleFile;
import dev.veilgate.sender.BundleLocation;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The public bundle and whose it must be. */
final class BundleOptions {
    @Option(
            names = "--bundle",
            paramLabel = "FILE|URL",
            description = "The public bundle: a file, or a console's https://.../bundle; VEILGATE_BUNDLE.")
    private @Nullable String bundle;

    @Option(
            names = "--bundle-ca",
            paramLabel = "FILE",
            description = "PEM of authorities to trust there instead of the system's; VEILGATE_BUNDLE_CA.")
    private @Nullable Path authorities;

    @Option(
            names = "--authority",
            paramLabel = "FINGERPRINT",
            description =
                    "The authority that must have signed it, 64 hex digits as keys show prints them; VEILGATE_AUTHORITY.")
    private @Nullable String authority;

    /** Whether options or variables name a bundle and its authority. */
    boolean isNamed(Terminal terminal) {
        return file(terminal) != null && pinned(terminal) != null;
    }

    /** Where the bundle is; null if nothing names one, or no place. */
    @Nullable
    BundleLocation location(Terminal terminal) {
        String file = file(terminal);
        try {
            return file == null ? null : BundleLocation.parse(file);
        } catch (IllegalArgumentException e) {
            return null; // read says what is wrong
        }
    }

    private @Nullable String file(Terminal terminal) {
        return bundle != null ? bundle : terminal.variable("VEILGATE_BUNDLE");
    }

    private @Nullable String pinned(Terminal terminal) {
        return authority != null ? authority : terminal.variable("VEILGATE_AUTHORITY");
    }

    private @Nullable Path authorities(Terminal terminal) {
        String named = terminal.variable("VEILGATE_BUNDLE_CA");
        return authorities != null || named == null ? authorities : Path.of(named);
    }

    boolean given() {
        return bundle != null;
    }

    /** The fingerprint of the authority, without a bundle. */
    String authority(Terminal terminal) throws CommandFailure {
        String pinned = pinned(terminal);
        if (pinned == null) {
            throw new CommandFailure(ExitCode.USAGE, "--authority is needed (or VEILGATE_AUTHORITY)");
        }
        try {
            return PublicBundle.canonicalFingerprint(pinned);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "the authority: " + e.getMessage(), e);
        }
    }

    /** The verified bundle. */
    PublicBundle read(Terminal terminal, long lastSerial) throws IOException, CommandFailure {
        String file = file(terminal);
        String pinned = pinned(terminal);
        if (file == null || pinned == null) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--bundle and --authority are needed (or VEILGATE_BUNDLE and VEILGATE_AUTHORITY)");
        }
        try {
            return BundleFile.read(
                    BundleLocation.parse(file),
                    authorities(terminal),
                    pinned,
                    terminal.clock().instant(),
                    lastSerial);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "the bundle " + e.getMessage(), e);
        }
    }
}
