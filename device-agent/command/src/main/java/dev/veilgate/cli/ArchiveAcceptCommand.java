package dev.veilgate.cli;

import dev.veilgate.archive.SegmentFolder;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Goes on with an archive that was restored. */
@Command(
        name = "accept",
        header = "Go on with an archive whose folder was restored from a copy",
        description = {
            "  A device refuses an archive that shows an older or another state than it has seen. If that is so",
            "  because its folder was restored, this says so to the archive, for all devices. What the given-up",
            "  state had more is not there: add the files again, those that are there are passed over. If nobody",
            "  restored the folder, somebody changed it; then do not.",
        },
        footer = {"  veilgate archive accept mails"})
final class ArchiveAcceptCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "DIR", description = "The archive's folder.")
    private Path folder = Path.of("");

    ArchiveAcceptCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        return ArchiveFailures.named(() -> {
            boolean gaveUp = SegmentFolder.accept(folder, ThisDevice.places(terminal), new SecureRandom());
            terminal.out()
                    .println(
                            gaveUp
                                    ? "the state of the folder is accepted; add again what it has not"
                                    : "there was nothing to accept: the folder's state is the one that this device"
                                            + " has seen, or newer");
            return ExitCode.OK;
        });
    }
}
