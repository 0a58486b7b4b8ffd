package dev.veilgate.cli;

import dev.veilgate.archive.ArchiveFolder;
import dev.veilgate.archive.ArchiveStatistics;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Sizes of an archive. */
@Command(
        name = "stats",
        header = "Print how many documents an archive has, and how large both of its sides are",
        description = {
            "  The owner's side has the sealed names and words too. Bytes are those of the files, free space in",
            "  them among it.",
        },
        footer = {"  veilgate archive stats mails", "  veilgate archive stats --json mails | jq .documents"})
final class ArchiveStatsCommand extends OpenArchiveCommand {
    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    ArchiveStatsCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(ArchiveFolder archive) {
        ArchiveStatistics statistics = archive.statistics();
        if (json) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("scheme", archive.scheme().id());
            facts.put("documents", statistics.documents());
            facts.put("owner", facts(statistics.owner()));
            facts.put("server", facts(statistics.server()));
            terminal.out().println(Json.of(facts));
            return ExitCode.OK;
        }
        terminal.out().printf("scheme     %s%n", archive.scheme().id());
        terminal.out().printf("documents  %,d%n", statistics.documents());
        terminal.out().printf("owner      %s%n", text(statistics.owner()));
        terminal.out().printf("server     %s%n", text(statistics.server()));
        return ExitCode.OK;
    }

    private static Map<String, Object> facts(ArchiveStatistics.Side side) {
        return Map.of("cells", side.cells(), "bytes", side.bytes());
    }

    private static String text(ArchiveStatistics.Side side) {
        return "%,d cells, %,d bytes".formatted(side.cells(), side.bytes());
    }
}
