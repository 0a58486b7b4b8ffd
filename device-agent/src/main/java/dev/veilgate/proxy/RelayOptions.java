package dev.veilgate.proxy;

import dev.veilgate.settings.RelaySettings;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The next mail server. */
final class RelayOptions {
    @Option(
            names = "--smtp-url",
            paramLabel = "URL",
            description =
                    "Where sealed mail goes: smtp://host[:587] (STARTTLS, unless on loopback), smtps://host[:465], or"
                            + " smtp+plain://host[:25].")
    @Nullable
    String url;

    @Option(names = "--smtp-user", paramLabel = "NAME", description = "User to log in with there.")
    @Nullable
    String user;

    @Option(
            names = "--smtp-password-file",
            paramLabel = "FILE",
            description = "File whose first line is the password there.")
    @Nullable
    Path passwordFile;

    @Option(
            names = "--smtp-ca",
            paramLabel = "FILE",
            description = "PEM file of the certificate authorities to trust there, instead of the platform's.")
    @Nullable
    Path authorities;

    RelaySettings settings() throws CommandFailure {
        if (url == null) {
            throw new CommandFailure(ExitCode.USAGE, "say with --smtp-url where sealed mail goes");
        }
        try {
            return RelaySettings.of(url, user, passwordFile, authorities);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, e.getMessage(), e);
        }
    }
}
