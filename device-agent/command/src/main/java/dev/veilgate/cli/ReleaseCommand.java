package dev.veilgate.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Signatures of releases. */
@Command(
        name = "release",
        header = "Verify the signature of a release that no quantum computer forges, or make one",
        description = {
            "  The checksums of a release are signed twice: with GnuPG, and with SLH-DSA (FIPS 205), which rests on",
            "  SHA-256 alone. Verify needs the public key, 64 hex digits that SECURITY.md has: get them by a way that",
            "  you trust, such as the release that you have.",
        },
        footer = {
            "  veilgate release verify --key 7a0e... SHA256SUMS && sha256sum --ignore-missing -c SHA256SUMS",
            "  veilgate release key release.key release.pem",
            "  veilgate release sign --key release.key SHA256SUMS",
        },
        subcommands = {ReleaseVerifyCommand.class, ReleaseSignCommand.class, ReleaseKeyCommand.class})
final class ReleaseCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do with a release: verify, sign, key");
    }
}
