package dev.veilgate.edge;

import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Stands for the mail commands where their libraries are not installed, and says so. */
@Command(
        name = "mail",
        hidden = true,
        header = "Not installed here: mail commands are in the package veilgate-edge-mail",
        description = {
            "  This package is for devices. It lacks the libraries that mail needs: an SMTP server, MIME, readers of",
            "  attachments. The package veilgate-edge-mail is the same program with them.",
        },
        footer = "  veilgate-edge help agent")
final class AbsentMailCommand implements Callable<Integer> {
    @Unmatched
    @SuppressWarnings("UnusedVariable") // whatever is asked for, the answer is one
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() throws CommandFailure {
        throw new CommandFailure(
                ExitCode.USAGE, "mail commands are not installed here; they are in the package veilgate-edge-mail");
    }
}
