package dev.veilgate.cli;

import dev.veilgate.archive.Archive;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.util.List;
import picocli.CommandLine.Command;

/** Reads all that an archive has. */
@Command(
        name = "verify",
        header = "Read all of an archive, and name what is missing, altered or unreadable",
        description = {
            "  Compares each object of the newest state with its name, reads all of it under the archive's key, as",
            "  searches, additions and deletions read parts of it, and follows the states back to the first.",
            "  Whether the newest state descends from the one that this device saw last, every command looks.",
            "  What cannot be found out: that a new device is shown an old state, and that two devices are shown",
            "  different ones for ever.",
        },
        footer = {"  veilgate archive verify mails"})
final class ArchiveVerifyCommand extends OpenArchiveCommand {
    ArchiveVerifyCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(Archive archive) throws Exception {
        List<String> findings = ArchiveCompactCommand.segments(archive).verify();
        findings.forEach(finding -> terminal.out().println(Printable.of(finding)));
        if (findings.isEmpty()) {
            terminal.out().println("all objects and states are as they were put");
        }
        return findings.isEmpty() ? ExitCode.OK : ExitCode.REFUSED;
    }
}
