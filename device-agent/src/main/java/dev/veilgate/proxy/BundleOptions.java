package dev.veilgate.proxy;

import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which public bundle, of which authority. */
final class BundleOptions {
    @Option(
            names = "--bundle",
            required = true,
            paramLabel = "FILE",
            description = "The tenant's public bundle. Read again when it changes.")
    Path bundle = Path.of("");

    @Option(
            names = "--authority",
            required = true,
            paramLabel = "FINGERPRINT",
            description =
                    "Fingerprint of the authority that must have signed the bundle, as `veilgate keys show` prints"
                            + " it; or a file that holds it.")
    String authority = "";

    /** The fingerprint, from the file if one was named. */
    String fingerprint() throws CommandFailure {
        String hex = authority.replaceAll("[:\\s]", "");
        if (hex.matches("[0-9a-fA-F]{64}")) {
            return hex;
        }
        try {
            return Files.readString(Path.of(authority)).strip();
        } catch (IOException | RuntimeException e) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--authority is neither a fingerprint of 64 hex digits nor a file that can be read",
                    e);
        }
    }
}
