package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
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
            "  The bundle holds public keys, epochs, recipients, registered senders and what is to be extracted; nothing secret.",
            "  Senders check its signature against the authority's fingerprint, which they pin, and refuse it when it has expired",
            "  or is older than one they have seen.",
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
        if (output == null && terminal.outIsTerminal()) {
            throw new CommandFailure(
                    ExitCode.USAGE, "the bundle is binary, and this is a terminal; name a file with -o");
        }
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        byte[] bundle = folder.keys().nextBundle(terminal.clock().instant(), duration);
        CommandLog.append(
                terminal,
                folder,
                CommandLog.done(
                        EntryKind.BUNDLE, "signed", "serial " + folder.keys().serial()));
        folder.save(); // before the serial is out
        Output.to(terminal, output, true, out -> out.write(bundle));
        return ExitCode.OK;
    }
}
