package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Issues trapdoors. */
@Command(
        name = "trapdoor",
        header = "Issue the trapdoors of a search",
        description = {
            "  Writes a search request: the trapdoors of the query's keywords, for each epoch and under each key, and how they belong",
            "  together. Whoever has it can search that scope and those epochs for these keywords, and check guesses of them; it is for the",
            "  gateway only. Each trapdoor is stored in the key folder; asked again, the same one is given.",
            "  With --reader-key a reader whose file has searcher's keys makes them, without the key folder and without anybody's log.",
        },
        footer = {
            "  veilgate trapdoor --scope plant-7 -o overheat.search overheat level:error",
            "  veilgate trapdoor --scope plant-7 --epoch 2026-09..2026-11 -o pump.search @query.txt",
            "  veilgate trapdoor --reader-key ada.vgr --scope plant-7 -o pump.search pump",
            "  veilgate trapdoor --scope plant-7 --grant-to auditor --grant-days 7 -o audit.search 'user:root AND NOT host:press-4'",
        })
final class TrapdoorCommand extends AuthorityCommand {
    @Mixin
    private QueryOptions options = new QueryOptions();

    @Parameters(index = "0", paramLabel = "QUERY", description = QueryOptions.DESCRIPTION)
    private String query = "";

    @Option(names = "-o", paramLabel = "FILE", description = "Where to write it; - is standard output.")
    private @Nullable String output;

    @Mixin
    private ReaderKeyOptions reader = new ReaderKeyOptions();

    @Mixin
    private BundleOptions bundle = new BundleOptions();

    TrapdoorCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.READ);
    }

    @Override
    void checkArguments() throws CommandFailure {
        if (output == null && terminal.outIsTerminal()) {
            throw new CommandFailure(
                    ExitCode.USAGE, "a request is binary, and this is a terminal; name a file with -o");
        }
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        return write(options.issue(
                terminal,
                folder,
                options.parse(terminal, folder, query, QueryOptions.Purpose.REQUEST)
                        .asked(),
                QueryOptions.Purpose.REQUEST));
    }

    @Override
    boolean needsKeyFolder() {
        return !reader.isGiven();
    }

    @Override
    int runAsReader() throws Exception {
        try (Searcher searcher = Searcher.of(terminal, reader, bundle)) {
            return write(options.issue(
                    terminal,
                    searcher,
                    options.parse(terminal, searcher, query, QueryOptions.Purpose.REQUEST)
                            .asked(),
                    QueryOptions.Purpose.REQUEST));
        }
    }

    private int write(SearchRequest request) throws Exception {
        Output.to(terminal, output, true, out -> out.write(request.encode()));
        return ExitCode.OK;
    }
}
