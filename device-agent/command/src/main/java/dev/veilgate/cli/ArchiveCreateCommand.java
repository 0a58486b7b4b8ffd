package dev.veilgate.cli;

import dev.veilgate.archive.ArchiveFolder;
import dev.veilgate.archive.CapabilityText;
import dev.veilgate.sse.Capabilities;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.SseSchemes;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes an archive. */
@Command(
        name = "create",
        header = "Make an archive without documents, and its key",
        description = {
            "  Scheme and parameters are fixed for the life of the archive. The key is archive.key in the",
            "  folder, readable by its owner only and not sealed by a passphrase: whoever has it can search the",
            "  archive and read names and words.",
        },
        footer = {
            "  veilgate archive create --scheme suise mails",
            "  veilgate archive create --scheme suise --set prefixes=1 mails",
        })
final class ArchiveCreateCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--scheme",
            required = true,
            paramLabel = "NAME",
            description = "The scheme; veilgate archive schemes lists them.")
    private String scheme = "";

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "Set a parameter of the scheme, which is a whole number; may be repeated.")
    private Map<String, Long> set = new LinkedHashMap<>();

    @picocli.CommandLine.Parameters(paramLabel = "DIR", description = "The folder: a new one, or an empty one.")
    private Path folder = Path.of("");

    ArchiveCreateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        return ArchiveFailures.named(() -> {
            SseScheme chosen = SseSchemes.of(scheme);
            Parameters parameters = Parameters.of(chosen, set);
            ArchiveFolder.create(folder, chosen, parameters, new SecureRandom());
            Capabilities capabilities = chosen.capabilities(parameters);
            terminal.out()
                    .printf(
                            "%s: archive of scheme %s; asks: %s%n",
                            Printable.of(folder.toString()), chosen.id(), CapabilityText.asks(capabilities.ask()));
            return ExitCode.OK;
        });
    }
}
