package dev.veilgate.cli;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RefusedRegistryException;
import dev.veilgate.envelope.RegisteredSenders;
import dev.veilgate.envelope.SenderRegistry;
import dev.veilgate.sender.BundleLocation;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the tenant's registered senders are: in a registry that is named or lies beside the bundle, or, in a bundle of before, inside. */
final class SenderOptions {
    @Option(
            names = "--senders",
            paramLabel = "FILE",
            description =
                    "The sender registry that keys bundle wrote; without it the one beside the bundle, acme.senders for acme.vgb.")
    private @Nullable Path file;

    /**
     * The registered senders; empty if nothing here says who they are.
     *
     * @param bundle whose senders, as the options of the bundle name it
     * @throws CommandFailure if a registry is there and refused, or one is named and not there
     */
    Optional<RegisteredSenders> read(Terminal terminal, BundleOptions options, PublicBundle bundle)
            throws IOException, CommandFailure {
        Path registry = file != null ? file : beside(terminal, options);
        if (registry != null && (file != null || Files.exists(registry))) {
            try {
                return Optional.of(SenderRegistry.open(
                        registry, new SenderRegistry.Expected(options.authority(terminal), bundle.tenant(), 0)));
            } catch (MalformedEncodingException | RefusedRegistryException e) {
                throw new CommandFailure(ExitCode.REFUSED, registry + ": " + e.getMessage(), e);
            }
        }
        return bundle.sendersInRegistry() ? Optional.empty() : Optional.of(RegisteredSenders.of(bundle.senders()));
    }

    /** {@link #read} for a command that can say nothing without them. */
    RegisteredSenders require(Terminal terminal, BundleOptions options, PublicBundle bundle)
            throws IOException, CommandFailure {
        return read(terminal, options, bundle)
                .orElseThrow(() -> new CommandFailure(ExitCode.REFUSED, unknown(terminal, options)));
    }

    /** Why it is not known who is registered, and what to do. */
    String unknown(Terminal terminal, BundleOptions options) {
        Path expected = beside(terminal, options);
        return "who the registered senders are is not known here: they are in the sender registry, which veilgate keys bundle writes beside the bundle; "
                + (expected == null
                        ? "name it with --senders"
                        : "copy it to " + expected + ", or name it with --senders");
    }

    private static @Nullable Path beside(Terminal terminal, BundleOptions options) {
        return options.location(terminal) instanceof BundleLocation.OfFile bundle
                ? SenderRegistry.beside(bundle.file())
                : null;
    }
}
