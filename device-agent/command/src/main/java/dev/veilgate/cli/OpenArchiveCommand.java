package dev.veilgate.cli;

import dev.veilgate.archive.Archive;
import dev.veilgate.archive.Resumed;
import dev.veilgate.terminal.Terminal;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Parameters;

/** A command on an archive that there is: opens it, and says what was left undone and is done now. */
abstract class OpenArchiveCommand implements Callable<Integer> {
    final Terminal terminal;

    @Parameters(index = "0", paramLabel = "DIR", description = "The archive's folder.")
    Path folder = Path.of("");

    OpenArchiveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Does its work; the exit code. */
    abstract int run(Archive archive) throws Exception;

    /** Looks at the command line before anything is opened. */
    void checkArguments() throws Exception {}

    @Override
    public final Integer call() throws Exception {
        checkArguments();
        return ArchiveFailures.named(() -> {
            try (Archive archive = Archive.open(folder, ThisDevice.places(terminal), new SecureRandom())) {
                Resumed resumed = archive.resumed();
                if (resumed.isAny()) {
                    terminal.err()
                            .printf(
                                    "note: an earlier run was cut off; done now: %,d documents added, %,d deleted, %,d"
                                            + " exchanges of the scheme%n",
                                    resumed.added(), resumed.deleted(), resumed.exchanges());
                }
                return run(archive);
            }
        });
    }
}
