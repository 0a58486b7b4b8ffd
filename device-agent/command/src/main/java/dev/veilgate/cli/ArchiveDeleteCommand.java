package dev.veilgate.cli;

import dev.veilgate.archive.ArchiveFolder;
import dev.veilgate.archive.StoredDocument;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Deletes documents of an archive. */
@Command(
        name = "delete",
        header = "Delete documents of an archive: they are found no more",
        description = {
            "  Ids and names are those that search prints. What the archive has not is named, and the others",
            "  are deleted.",
        },
        footer = {
            "  veilgate archive delete mails 4c1f09a27be35d80",
            "  veilgate archive delete mails notes.txt customers.csv#17",
        })
final class ArchiveDeleteCommand extends OpenArchiveCommand {
    @Parameters(index = "1..*", arity = "1..*", paramLabel = "ID|NAME", description = "What to delete.")
    private List<String> documents = new ArrayList<>();

    ArchiveDeleteCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(ArchiveFolder archive) throws Exception {
        Set<DocumentId> ids = new LinkedHashSet<>();
        int missing = 0;
        for (String document : documents) {
            Optional<StoredDocument> found = find(archive, document);
            if (found.isPresent()) {
                ids.add(found.get().id());
            } else {
                missing++;
                terminal.err().println("not in the archive: " + Printable.of(document));
            }
        }
        if (!ids.isEmpty()) {
            archive.delete(ids);
        }
        terminal.out().printf("%,d deleted%n", ids.size());
        return missing == 0 ? ExitCode.OK : ExitCode.NO_MATCH;
    }

    private static Optional<StoredDocument> find(ArchiveFolder archive, String document) throws IOException {
        Optional<StoredDocument> named = archive.named(document);
        if (named.isEmpty() && document.matches("[0-9a-f]{1,16}")) {
            named = archive.withId(new DocumentId(Long.parseUnsignedLong(document, 16)));
        }
        return named.isPresent()
                ? named
                : archive.named(Path.of(document).toAbsolutePath().normalize().toString());
    }
}
