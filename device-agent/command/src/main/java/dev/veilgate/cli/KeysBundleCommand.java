package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.envelope.SenderRegistry;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes the public bundle. */
@Command(
        name = "bundle",
        header = "Make the signed public bundle that senders need",
        description = {
            "  The bundle holds public keys, epochs, recipients and what is to be extracted; nothing secret. Senders check its",
            "  signature against the authority's fingerprint, which they pin, and refuse it when it has expired or is older than one",
            "  they have seen.",
            "  The registered senders are in a file of their own, the sender registry, signed too: acme.senders beside acme.vgb. The",
            "  gateway needs both, beside each other; agents and mail proxies need the bundle alone.",
        },
        footer = {
            "  veilgate keys bundle -o acme.vgb",
            "  veilgate keys bundle --valid-for P30D -o - | ssh press-4 'cat > /etc/veilgate/acme.vgb'",
        })
final class KeysBundleCommand extends AuthorityCommand {
    @Option(names = "-o", paramLabel = "FILE", description = "Where to write it; - is standard output.")
    private @Nullable String output;

    @Option(
            names = "--valid-for",
            paramLabel = "DURATION",
            defaultValue = "P90D",
            description = "How long senders may use it (ISO 8601); default P90D.")
    private String validFor = "P90D";

    @Option(
            names = "--senders",
            paramLabel = "FILE",
            description =
                    "Where to write the sender registry; beside the bundle, and not at all if that goes to standard output.")
    private @Nullable Path senders;

    @Option(
            names = "--above",
            paramLabel = "SERIAL",
            description =
                    "Give bundle and sender registry higher serials than this: after a restore, the highest that anybody saw.")
    private long above;

    private Duration duration = Duration.ofDays(90);

    KeysBundleCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.CHANGE);
    }

    @Override
    void checkArguments() throws CommandFailure {
        try {
            duration = Duration.parse(validFor);
        } catch (DateTimeException e) {
            throw new CommandFailure(ExitCode.USAGE, "--valid-for is written like P90D or PT12H");
        }
        if (duration.toDays() > 3660 || duration.toMinutes() < 1) {
            throw new CommandFailure(ExitCode.USAGE, "--valid-for must be a minute to ten years");
        }
        if (above < 0 || above > TenantKeys.MAX_RAISED_SERIAL) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--above is at most " + TenantKeys.MAX_RAISED_SERIAL + ": serials never go down again");
        }
        requireTwoPlaces();
        if (output == null && terminal.outIsTerminal()) {
            throw new CommandFailure(
                    ExitCode.USAGE, "the bundle is binary, and this is a terminal; name a file with -o");
        }
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        byte[] bundle;
        try {
            folder.keys().raiseSerials(above);
            bundle = folder.keys().nextBundle(terminal.clock().instant(), duration);
        } catch (IllegalArgumentException e) { // more than a bundle holds
            throw new CommandFailure(ExitCode.REFUSED, "no bundle can be made: " + e.getMessage(), e);
        }
        CommandLog.append(
                terminal,
                folder,
                CommandLog.done(
                        EntryKind.BUNDLE, "signed", "serial " + folder.keys().serial()));
        folder.save(); // before the serial is out
        Path registry = registry();
        if (registry != null) { // first: a gateway takes up no bundle whose senders it does not find
            Output.to(
                    terminal,
                    registry.toString(),
                    true,
                    out -> folder.keys().senders().copyTo(out));
        }
        Output.to(terminal, output, true, out -> out.write(bundle));
        MailSignerNotice.warn(terminal, folder.keys());
        RecipientNotice.warn(terminal, folder.keys());
        return ExitCode.OK;
    }

    private void requireTwoPlaces() throws CommandFailure {
        Path registry = registry();
        String bundle = output == null ? Output.STANDARD : output;
        if (registry != null
                && (registry.toString().equals(bundle)
                        || !bundle.equals(Output.STANDARD)
                                && registry.toAbsolutePath()
                                        .normalize()
                                        .equals(Path.of(bundle).toAbsolutePath().normalize()))) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "bundle and sender registry would both be written to " + registry
                            + "; name the bundle acme.vgb, or another file with --senders");
        }
    }

    private @Nullable Path registry() {
        boolean isFile = output != null && !output.equals(Output.STANDARD);
        return senders == null && isFile ? SenderRegistry.beside(Path.of(output)) : senders;
    }
}
