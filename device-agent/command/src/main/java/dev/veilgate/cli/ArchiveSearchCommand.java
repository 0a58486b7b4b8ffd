package dev.veilgate.cli;

import dev.veilgate.archive.Answer;
import dev.veilgate.archive.Archive;
import dev.veilgate.archive.ArchiveFolder;
import dev.veilgate.archive.CapabilityText;
import dev.veilgate.archive.SegmentFolder;
import dev.veilgate.archive.source.Original;
import dev.veilgate.archive.source.Originals;
import dev.veilgate.archive.words.QueryMarks;
import dev.veilgate.archive.words.TimedQuery;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
            "  were added last come first; with --best those that say most of the words. Numbers and times lie",
            "  between others: status:500..599, bytes:>=1000, time:2026-11-01..2026-11-15, level:>=warn.",
            "  Behind each name stands what was found: of a log its line, of a mail who wrote it when about what,",
            "  of a text the line with a word, of a table the row. It is read from where it was added, and shown",
            "  if it still stands there as it was.",
            "  The schemes of the papers have no OR, NOT, brackets and ?, one star a word, and of --best the",
            "  documents with any of the words. What a scheme cannot answer is refused.",
        },
        footer = {
            "  veilgate archive search mails owl",
            "  veilgate archive search mails '(owl OR lark) NOT subject:report'",
            "  veilgate archive search mails 'from:ada@example.org subject:\"night owl\" 2026'",
            "  veilgate archive search logs 'level:>=error host:press-* status:500..' --from 12h",
            "  veilgate archive search mails 'ow*' --leakage",
            "  veilgate archive search mails --best --top 3 'owl hooting'",
        })
final class ArchiveSearchCommand extends OpenArchiveCommand {
    private static final int BEST = 10;
    private static final int FIRST = 20;
    /** Each may have 64 MiB. */
    private static final int AT_A_TIME = 8;

    private static final int LONG_LINE = 500;
    private static final int LONGEST_MARKED = 1 << 16;
    private static final int DAY = "2026-11-27".length();
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

    @Option(names = "--names", description = "Print names only, not what was found.")
    private boolean names;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "Only documents of that time or later: 2026-11-21, 2026-11-21T12:23, with Z or an offset (UTC"
                    + " without), or 90m, 12h, 7d ago. Lines of logs have a time if one stands in them, mails their"
                    + " day; to the minute.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "Only documents before that time.")
    private @Nullable String to;

    private Optional<Instant> begin = Optional.empty();
    private Optional<Instant> end = Optional.empty();

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
        Instant now = Instant.now();
        begin = QueryOptions.moment("--from", from, now);
        end = QueryOptions.moment("--to", to, now);
    }

    @Override
    int run(Archive archive) throws Exception {
        Answer answer = archive.search(TimedQuery.of(query, begin, end), most(), best);
        print(archive, answer.documents());
        terminal.out().flush();
        if (answer.documents().size() < answer.count()) {
            terminal.err()
                    .printf(
                            "note: %,d more were found%n",
                            answer.count() - answer.documents().size());
        }
        if (archive instanceof SegmentFolder segments) {
            for (String field : segments.unknownFields(query)) {
                terminal.err().println("note: no document of this archive has a field " + Printable.of(field));
            }
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
        boolean onlyNames =
                names || !(archive instanceof SegmentFolder); // which alone knows where parts of files stand
        try (Originals originals = new Originals(archive)) {
            for (int from = 0; from < documents.size(); from += AT_A_TIME) {
                List<Answer.Found> some = documents.subList(from, Math.min(documents.size(), from + AT_A_TIME));
                List<Optional<Original>> there =
                        onlyNames ? Collections.nCopies(some.size(), Optional.empty()) : originals.of(some);
                for (int i = 0; i < some.size(); i++) {
                    if (json) {
                        printJson(some.get(i), there.get(i), marks);
                    } else {
                        print(some.get(i), there.get(i), onlyNames, marks);
                    }
                }
            }
        }
    }

    private void printJson(Answer.Found found, Optional<Original> original, QueryMarks marks) {
        Map<String, Object> facts = new LinkedHashMap<>();
        found.id().ifPresent(id -> facts.put("id", id.toString()));
        facts.put("name", found.name());
        if (best) {
            facts.put("score", found.score());
        }
        original.ifPresent(each -> {
            switch (each) {
                case Original.Line line -> facts.put("line", line.text());
                case Original.Mail mail -> {
                    mail.summary().date().ifPresent(date -> facts.put("date", date.toString()));
                    facts.put("from", mail.summary().from());
                    facts.put("subject", mail.summary().subject());
                }
                case Original.Row row -> facts.put("row", row.text());
                case Original.Text text ->
                    facts.put("excerpt", excerpt(text, marks).line());
            }
        });
        terminal.out().println(Json.of(facts));
    }

    private static Original.Text.Numbered excerpt(Original.Text text, QueryMarks marks) {
        return text.first(
                line -> line.length() <= LONGEST_MARKED && !marks.in(line).isEmpty());
    }

    private void print(Answer.Found found, Optional<Original> original, boolean onlyNames, QueryMarks marks) {
        String id = found.id().map(each -> each + "  ").orElse("");
        String score = best ? "%.3f  ".formatted(found.score()) : "";
        String text = original.map(each -> shown(each, marks)).orElse(onlyNames ? "" : ": (not there as it was added)");
        terminal.out().printf("%s%s%s%s%n", id, score, Printable.of(found.name()), text);
    }

    /** Text behind a name. */
    private String shown(Original original, QueryMarks marks) {
        return switch (original) {
            case Original.Line line -> ": " + shown(line.text(), marks);
            case Original.Row row -> ": " + shown(row.text(), marks);
            case Original.Mail mail -> {
                String day = mail.summary()
                        .date()
                        .map(date -> date.toString().substring(0, DAY))
                        .orElse("-");
                String from = mail.summary().from();
                yield ": " + day + "  " + (from.isEmpty() ? "-" : shown(from, marks)) + ": "
                        + shown(mail.summary().subject(), marks);
            }
            case Original.Text text -> {
                Original.Text.Numbered first = excerpt(text, marks);
                yield first.line().isEmpty() ? "" : ":" + first.number() + ": " + shown(first.line(), marks);
            }
        };
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
