package dev.veilgate.cli;

import dev.veilgate.archive.ArchiveFolder;
import dev.veilgate.archive.CapabilityText;
import dev.veilgate.archive.DevicePlaces;
import dev.veilgate.archive.SegmentFolder;
import dev.veilgate.sse.Capabilities;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.SseSchemes;
import dev.veilgate.terminal.CommandFailure;
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
            "  The usual scheme, segments, is for any folder, on a share too: several devices and processes may",
            "  add, search and delete at once. Its key is not in the folder but on this device, in",
            "  ~/.config/veilgate/archives (or $XDG_CONFIG_HOME), readable by its owner only and not sealed by a",
            "  passphrase. Without it nothing is found: back it up (veilgate archive key backup). A backup is also the",
            "  way to another device that is to use the archive.",
            "  The schemes of the papers (veilgate archive schemes) have parameters, and keep archive.key in the",
            "  folder. Scheme and parameters are fixed for the life of the archive.",
        },
        footer = {
            "  veilgate archive create mails",
            "  veilgate archive create --scheme suise --set prefixes=1 mails",
        })
final class ArchiveCreateCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--scheme",
            paramLabel = "NAME",
            defaultValue = SegmentFolder.SCHEME,
            description = "The scheme: segments, if nothing is said, or one that veilgate archive schemes lists.")
    private String scheme = SegmentFolder.SCHEME;

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
            if (scheme.equals(SegmentFolder.SCHEME)) {
                return createSegments();
            }
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

    private int createSegments() throws Exception {
        if (!set.isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, "the scheme segments has no parameters");
        }
        DevicePlaces device = ThisDevice.places(terminal);
        byte[] id = SegmentFolder.create(folder, device, new SecureRandom());
        terminal.out()
                .printf(
                        "%s: archive of scheme segments%nIts key is %s%nBack it up: veilgate archive key backup."
                                + " Without it nothing is found.%n",
                        Printable.of(folder.toString()),
                        Printable.of(SegmentFolder.keyFile(device, id).toString()));
        return ExitCode.OK;
    }
}
