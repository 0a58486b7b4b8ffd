package dev.veilgate.cli;

import dev.veilgate.archive.Answer;
import dev.veilgate.archive.Archive;
import dev.veilgate.archive.ArchiveFolder;
import dev.veilgate.archive.CapabilityText;
import dev.veilgate.archive.SegmentFolder;
import dev.veilgate.archive.source.OriginalLines;
import dev.veilgate.archive.words.QueryMarks;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Searches an archive. */
@Command(
        name = "search",
        header = "Search an archive, and print the name of each document that is found",
        description = {
            "  Words that follow each other must all be there. OR, NOT and brackets combine them; subject:owl is",
            "  a word of a field, owl* how a word begins, *owl* what is in it, o?l any letter. The documents that",
            "  were added last come first; with --best those that say most of the words. Of a log's line its text",
            "  is shown too, read from the log, if it still stands there as it was added.",
            "  The schemes of the papers have no OR, NOT, brackets and ?, one star a word, and of --best the",
            "  documents with any of the words. What a scheme cannot answer is refused.",
        },
        footer = {
            "  veilgate archive search mails owl",
            "  veilgate archive search mails '(owl OR lark) NOT subject:report'",
            "  veilgate archive search mails 'from:ada@example.org subject:\"night owl\" 2026'",
            "  veilgate archive search mails 'ow*' --leakage",
            "  veilgate archive search mails --best --top 3 'owl hooting'",
        })
final class ArchiveSearchCommand extends OpenArchiveCommand {
    private static final int BEST = 10;
    private static final int FIRST = 20;
    /** Each has 1 MiB at most. */
    private static final int LINES_AT_A_TIME = 50;

    private static final int LONG_LINE = 500;
    private static final String MARK = "\u001b[1;31m";
    private static final String UNMARK = "\u001b[0m";

    @Parameters(index = "1", paramLabel = "QUERY", description = "What to search for.")
    private String query = "";

    @Option(
            names = "--top",
            paramLabel = "N",
            defaultValue = "-1",
            description = "Print so many documents at most, 0 for all. Without it 20, with --best 10, and all with"
                    + " --json alone.")
    private int top = -1;

    @Option(names = "--best", description = "Documents that say most of the words, the best first.")
    private boolean best;

    @Option(names = "--json", description = "Print a JSON object a line for each document.")
    private boolean json;

    @Option(names = "--names", description = "Print names only, no lines of logs.")
    private boolean names;

    @Option(names = "--leakage", description = "Say on standard error what the server was told by this search.")
    private boolean leakage;

    ArchiveSearchCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void checkArguments() throws CommandFailure {
        if (top < -1) {
            throw new CommandFailure(ExitCode.USAGE, "--top must be 0 or more");
        }
    }

    @Override
    int run(Archive archive) throws Exception {
        Answer answer = archive.search(query, most(), best);
        print(archive, answer.documents());
        terminal.out().flush();
        if (answer.documents().size() < answer.count()) {
            terminal.err()
                    .printf(
                            "note: %,d more were found%n",
                            answer.count() - answer.documents().size());
        }
        answer.findings().forEach(finding -> terminal.err().println("warning: " + Printable.of(finding)));
        if (leakage) {
            leakage(archive, answer).forEach(terminal.err()::println);
        }
        return !answer.findings().isEmpty() ? ExitCode.REFUSED : answer.count() == 0 ? ExitCode.NO_MATCH : ExitCode.OK;
    }

    private int most() {
        if (top > 0) {
            return top;
        }
        if (top == 0 || json && !best) {
            return Integer.MAX_VALUE;
        }
        return best ? BEST : FIRST;
    }

    private static List<String> leakage(Archive archive, Answer answer) {
        return switch (archive) {
            case ArchiveFolder sides -> CapabilityText.ofSearch(sides.capabilities(), answer.traffic());
            case SegmentFolder _ -> CapabilityText.OF_SEGMENTS;
        };
    }

    private void print(Archive archive, List<Answer.Found> documents) throws IOException {
        QueryMarks marks = new QueryMarks(query);
        try (OriginalLines originals = new OriginalLines(archive)) {
            for (int from = 0; from < documents.size(); from += LINES_AT_A_TIME) {
                List<Answer.Found> some = documents.subList(from, Math.min(documents.size(), from + LINES_AT_A_TIME));
                List<Optional<String>> lines =
                        names ? Collections.nCopies(some.size(), Optional.empty()) : originals.of(some);
                for (int i = 0; i < some.size(); i++) {
                    if (json) {
                        printJson(some.get(i), lines.get(i));
                    } else {
                        print(some.get(i), lines.get(i), marks);
                    }
                }
            }
        }
    }

    private void printJson(Answer.Found found, Optional<String> line) {
        Map<String, Object> facts = new LinkedHashMap<>();
        found.id().ifPresent(id -> facts.put("id", id.toString()));
        facts.put("name", found.name());
        if (best) {
            facts.put("score", found.score());
        }
        line.ifPresent(text -> facts.put("line", text));
        terminal.out().println(Json.of(facts));
    }

    private void print(Answer.Found found, Optional<String> line, QueryMarks marks) {
        String id = found.id().map(each -> each + "  ").orElse("");
        String score = best ? "%.3f  ".formatted(found.score()) : "";
        String text = line.map(each -> ": " + shown(each, marks))
                .orElse(!names && OriginalLines.isLine(found.name()) ? ": (not in the log as it was added)" : "");
        terminal.out().printf("%s%s%s%s%n", id, score, Printable.of(found.name()), text);
    }

    private static boolean isInsidePair(String line, int at) {
        return at > 0 && at < line.length() && Character.isSurrogatePair(line.charAt(at - 1), line.charAt(at));
    }

    /** A line, of a long one what is around the first word that is asked for; on a terminal with the words marked. */
    private String shown(String line, QueryMarks marks) {
        List<QueryMarks.Mark> all = marks.in(line);
        int first = all.isEmpty() ? 0 : all.getFirst().from();
        int from = line.length() <= LONG_LINE
                ? 0
                : Math.max(0, Math.min(first - LONG_LINE / 2, line.length() - LONG_LINE));
        int to = Math.min(line.length(), from + LONG_LINE);
        from += isInsidePair(line, from) ? 1 : 0;
        to -= isInsidePair(line, to) ? 1 : 0;
        StringBuilder shown = new StringBuilder(from > 0 ? "..." : "");
        int at = from;
        if (terminal.outIsTerminal() && terminal.variable("NO_COLOR") == null) {
            for (QueryMarks.Mark mark : all) {
                if (mark.from() >= at && mark.to() <= to) {
                    shown.append(Printable.of(line.substring(at, mark.from())))
                            .append(MARK)
                            .append(Printable.of(line.substring(mark.from(), mark.to())))
                            .append(UNMARK);
                    at = mark.to();
                }
            }
        }
        return shown.append(Printable.of(line.substring(at, to)))
                .append(to < line.length() ? "..." : "")
                .toString();
    }
}
