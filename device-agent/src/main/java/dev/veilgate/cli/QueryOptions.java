package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.envelope.SearchTerm;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.MalformedQueryException;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A search, and where it looks. */
final class QueryOptions {
    @Option(names = "--scope", paramLabel = "SCOPE", description = "Where to search; VEILGATE_SCOPE.")
    private @Nullable String scope;

    @Option(
            names = "--epoch",
            paramLabel = "EPOCHS",
            description = "Epochs to search: one, a list 2026-09,2026-11, a range 2026-09..2026-11; the present one.")
    private @Nullable String epochs;

    @Parameters(
            index = "0",
            paramLabel = "QUERY",
            description =
                    "Terms with spaces between them, all of which must hold: overheat, level:error, 10.0.0.1, temperature:70..90. With @FILE it is read"
                            + " from a file, with @- from standard input: arguments are seen by other users and kept by the shell.")
    private String query = "";

    private static final int MAX_QUERY_BYTES = 4 * KeywordQuery.MAX_CHARACTERS;

    /** The parsed query. */
    KeywordQuery parse(Terminal terminal, KeyFolder folder) throws Exception {
        terminal.given(scope, "--scope", "VEILGATE_SCOPE");
        String text = query;
        if (query.startsWith("@")) {
            byte[] bytes = KeysChange.read(terminal, query.substring(1));
            if (bytes.length > MAX_QUERY_BYTES) {
                throw new CommandFailure(ExitCode.USAGE, "the query is too long");
            }
            text = new String(bytes, StandardCharsets.UTF_8).strip();
        }
        try {
            return KeywordQuery.parse(
                    text, ExtractorProfile.decode(folder.keys().profile()));
        } catch (MalformedQueryException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    /** Its trapdoors, issued and stored. */
    SearchTerm issue(Terminal terminal, KeyFolder folder, KeywordQuery parsed) throws Exception {
        List<String> names;
        try {
            names = epochs == null
                    ? List.of(folder.keys()
                            .epochs()
                            .at(terminal.clock().instant())
                            .name())
                    : folder.keys().epochs().parse(epochs);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--epoch: " + e.getMessage(), e);
        }
        try (FileTrapdoorStore store = KeyFolderOptions.trapdoors(folder)) {
            return folder.keys().term(terminal.given(scope, "--scope", "VEILGATE_SCOPE"), names, parsed.allOf(), store);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }
}
