package dev.veilgate.cli;

import dev.veilgate.envelope.WrapAlgorithm;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Algorithm that contents are sealed for the tenant and its readers with. */
final class WrapAlgorithmOption {
    @Option(
            names = "--wrap-algorithm",
            paramLabel = "ALGORITHM",
            description = "Algorithm that content keys are wrapped with: x25519+ml-kem-768 (default), or"
                    + " x25519+frodokem-976 for archives that must outlive structured lattices; envelopes get 15 KB"
                    + " longer. Later rotations stay with it.")
    private @Nullable String id;

    /** The chosen one; empty for none. */
    Optional<WrapAlgorithm> chosen() throws CommandFailure {
        if (id == null) {
            return Optional.empty();
        }
        return Optional.of(WrapAlgorithm.byId(id)
                .orElseThrow(() ->
                        new CommandFailure(ExitCode.USAGE, "--wrap-algorithm: must be one of " + WrapAlgorithm.ids())));
    }
}
