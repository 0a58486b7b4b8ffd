package dev.veilgate.cli;

import dev.veilgate.archive.Answer;
import dev.veilgate.archive.ArchiveFolder;
import dev.veilgate.archive.CapabilityText;
import dev.veilgate.archive.words.ArchiveQuery;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Searches an archive. */
@Command(
        name = "search",
        header = "Search an archive, and print id and name of each document that is found",
        description = {
            "  Words that follow each other must all be there. subject:owl is a word of a field, owl* how a",
            "  word begins, o*l how it begins and ends; --best ranks the documents that have any of the words.",
            "  What the scheme cannot answer is refused.",
        },
        footer = {
            "  veilgate archive search mails owl",
            "  veilgate archive search mails 'from:ada@example.org subject:\"night owl\" 2026'",
            "  veilgate archive search mails 'ow*' --leakage",
            "  veilgate archive search mails --best --top 3 'owl hooting'",
        })
final class ArchiveSearchCommand extends OpenArchiveCommand {
    private static final int BEST = 10;

    @Parameters(index = "1", paramLabel = "QUERY", description = "What to search for.")
    private String query = "";

    @Option(
            names = "--top",
            paramLabel = "N",
            defaultValue = "0",
            description = "Print so many documents at most; with --best 10 by default, else all.")
    private int top;

    @Option(names = "--best", description = "Documents that say most of the words, the best first.")
    private boolean best;

    @Option(names = "--json", description = "Print a JSON object a line for each document.")
    private boolean json;

    @Option(names = "--leakage", description = "Say on standard error what the server was told by this search.")
    private boolean leakage;

    ArchiveSearchCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void checkArguments() throws CommandFailure {
        if (top < 0) {
            throw new CommandFailure(ExitCode.USAGE, "--top must be 1 or more");
        }
    }

    @Override
    int run(ArchiveFolder archive) throws Exception {
        SseExpression question = best
                ? ArchiveQuery.best(query, top == 0 ? BEST : top)
                : ArchiveQuery.parse(query, archive.capabilities().ask());
        Answer answer = archive.search(question);
        List<Answer.Found> found = answer.documents();
        List<Answer.Found> shown = top == 0 ? found : found.subList(0, Math.min(top, found.size()));
        shown.forEach(this::print);
        terminal.out().flush();
        if (shown.size() < found.size()) {
            terminal.err().printf("note: %,d more were found%n", found.size() - shown.size());
        }
        answer.findings().forEach(finding -> terminal.err().println("warning: " + Printable.of(finding)));
        if (leakage) {
            CapabilityText.ofSearch(archive.capabilities(), answer.traffic()).forEach(terminal.err()::println);
        }
        return !answer.findings().isEmpty() ? ExitCode.REFUSED : found.isEmpty() ? ExitCode.NO_MATCH : ExitCode.OK;
    }

    private void print(Answer.Found found) {
        if (json) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("id", found.id().toString());
            facts.put("name", found.name());
            if (best) {
                facts.put("score", found.score());
            }
            terminal.out().println(Json.of(facts));
            return;
        }
        String score = best ? "%.3f  ".formatted(found.score()) : "";
        terminal.out().printf("%s  %s%s%n", found.id(), score, Printable.of(found.name()));
    }
}
