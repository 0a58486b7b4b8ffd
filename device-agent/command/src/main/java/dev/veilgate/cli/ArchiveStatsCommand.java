package dev.veilgate.cli;

import dev.veilgate.archive.Archive;
import dev.veilgate.archive.ArchiveFolder;
import dev.veilgate.archive.ArchiveStatistics;
import dev.veilgate.archive.SegmentFolder;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Sizes of an archive. */
@Command(
        name = "stats",
        header = "Print how many documents an archive has, and how large it is",
        description = {
            "  Of segments, bytes are those of the objects that count: what was merged or deleted is in the",
            "  folder's trash for seven days more. The schemes of the papers have two sides, of which the",
            "  owner's has the sealed names and words too; their bytes are those of files with free space.",
        },
        footer = {"  veilgate archive stats mails", "  veilgate archive stats --json mails | jq .documents"})
final class ArchiveStatsCommand extends OpenArchiveCommand {
    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    ArchiveStatsCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(Archive archive) throws Exception {
        return switch (archive) {
            case ArchiveFolder sides -> print(sides);
            case SegmentFolder segments -> print(segments);
        };
    }

    private int print(SegmentFolder archive) throws Exception {
        SegmentFolder.Sizes sizes = archive.sizes();
        Path key = SegmentFolder.keyFile(ThisDevice.places(terminal), archive.id());
        if (json) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("scheme", archive.schemeName());
            facts.put("documents", sizes.documents());
            facts.put("deleted", sizes.deleted());
            facts.put("segments", sizes.segments());
            facts.put("bytes", sizes.bytes());
            facts.put("parts", sizes.parts());
            facts.put("key", key.toString());
            terminal.out().println(Json.of(facts));
            return ExitCode.OK;
        }
        terminal.out().printf("scheme     %s%n", archive.schemeName());
        terminal.out().printf("documents  %,d, and %,d deleted%n", sizes.documents(), sizes.deleted());
        terminal.out().printf("segments   %,d, %,d bytes%n", sizes.segments(), sizes.bytes());
        sizes.parts().forEach((part, bytes) -> terminal.out().printf("           %,15d %s%n", bytes, part));
        terminal.out().printf("key        %s%n", Printable.of(key.toString()));
        return ExitCode.OK;
    }

    private int print(ArchiveFolder archive) {
        ArchiveStatistics statistics = archive.statistics();
        if (json) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("scheme", archive.schemeName());
            facts.put("documents", statistics.documents());
            facts.put("owner", facts(statistics.owner()));
            facts.put("server", facts(statistics.server()));
            terminal.out().println(Json.of(facts));
            return ExitCode.OK;
        }
        terminal.out().printf("scheme     %s%n", archive.schemeName());
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
