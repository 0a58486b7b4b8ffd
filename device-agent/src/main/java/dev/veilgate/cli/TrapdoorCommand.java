package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.envelope.SearchTerm;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Issues trapdoors. */
@Command(
        name = "trapdoor",
        header = "Issue the trapdoors of a search",
        description = {
            "  Writes a term: the trapdoors of the query's keywords, for each epoch and under each key. Whoever has it can search that",
            "  scope and those epochs for these keywords, and check guesses of them; it is for the gateway only. Each trapdoor is",
            "  stored in the key folder; asked again, the same one is given.",
        },
        footer = {
            "  veilgate trapdoor --scope plant-7 -o overheat.term overheat level:error",
            "  veilgate trapdoor --scope plant-7 --epoch 2026-09..2026-11 -o pump.term @query.txt",
        })
final class TrapdoorCommand extends AuthorityCommand {
    @Mixin
    private QueryOptions query = new QueryOptions();

    @Option(names = "-o", paramLabel = "FILE", description = "Where to write it; - is standard output.")
    private @Nullable String output;

    TrapdoorCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.READ);
    }

    @Override
    void checkArguments() throws CommandFailure {
        if (output == null && terminal.outIsTerminal()) {
            throw new CommandFailure(ExitCode.USAGE, "a term is binary, and this is a terminal; name a file with -o");
        }
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        SearchTerm term = query.issue(terminal, folder, query.parse(terminal, folder));
        Output.to(terminal, output, true, out -> out.write(term.encode()));
        return ExitCode.OK;
    }
}
