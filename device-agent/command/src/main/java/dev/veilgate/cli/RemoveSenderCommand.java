package dev.veilgate.cli;

import dev.veilgate.authority.TenantKeys;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Forgets senders. */
@Command(
        name = "remove-sender",
        header = "Remove registered senders",
        description =
                "  All of them are removed, in one change, or none: names that nobody is registered with are listed.",
        footer = {"  veilgate keys remove-sender press-4", "  veilgate keys remove-sender --from scrapped.txt"})
final class RemoveSenderCommand extends KeysChange {
    private static final int MOST_NAMED = 20;
    private static final int MAX_NAME_BYTES = 255;

    @Parameters(arity = "0..*", paramLabel = "NAMES", description = "The senders' names.")
    private List<String> names = new ArrayList<>();

    @Option(names = "--from", paramLabel = "FILE", description = "A file with a name a line; - for standard input.")
    private @Nullable String from;

    private SendersReport report = new SendersReport("removed");

    RemoveSenderCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void checkArguments() throws Exception {
        if (names.isEmpty() && from == null) {
            throw new CommandFailure(ExitCode.USAGE, "name a sender, or a file of names with --from");
        }
    }

    private SortedSet<String> wanted() throws IOException, CommandFailure {
        SortedSet<String> wanted = new TreeSet<>(names);
        if (from != null) {
            try (InputStream in = from.equals("-") ? terminal.in() : Files.newInputStream(Path.of(from));
                    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.length() > MAX_NAME_BYTES) {
                        throw new CommandFailure(ExitCode.REFUSED, from + ": must have a name of a sender a line");
                    }
                    if (!line.isBlank()) {
                        wanted.add(line.strip());
                    }
                }
            }
        }
        return wanted;
    }

    @Override
    String change(TenantKeys keys) throws Exception {
        report = new SendersReport("removed");
        List<String> unknown = new ArrayList<>();
        for (String name : wanted()) {
            if (keys.removeSender(name)) {
                report.changed(name, "");
            } else {
                unknown.add(Printable.of(name));
            }
        }
        if (!unknown.isEmpty()) {
            String shown = String.join(", ", unknown.subList(0, Math.min(MOST_NAMED, unknown.size())));
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "there is no such sender: " + shown
                            + (unknown.size() > MOST_NAMED ? " and " + (unknown.size() - MOST_NAMED) + " more" : "")
                            + "; nothing was changed; veilgate keys show lists them");
        }
        return report.text().lines().map(RemoveSenderCommand::removed).collect(Collectors.joining("\n"));
    }

    @Override
    List<String> entries(String done) {
        return report.entries().stream().map(RemoveSenderCommand::removed).toList();
    }

    private static String removed(String line) {
        return line.startsWith("sender ") ? "removed the " + line : line;
    }

    @Override
    String consequence(TenantKeys keys) {
        return SendersReport.CONSEQUENCE;
    }
}
