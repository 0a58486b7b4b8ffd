package dev.veilgate.cli;

import dev.veilgate.archive.Archive;
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
            "  Names, and the ids that some schemes have, are those that search prints. What the archive has not",
            "  is named, and the others are deleted.",
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
    int run(Archive archive) throws Exception {
        Set<String> names = new LinkedHashSet<>();
        int missing = 0;
        for (String document : documents) {
            String name = nameOf(archive, document);
            if (archive.has(name)) {
                names.add(name);
            } else {
                missing++;
                terminal.err().println("not in the archive: " + Printable.of(document));
            }
        }
        int deleted = names.isEmpty() ? 0 : archive.deleteNamed(names);
        archive.maintain();
        terminal.out().printf("%,d deleted%n", deleted);
        return missing == 0 ? ExitCode.OK : ExitCode.NO_MATCH;
    }

    private static String nameOf(Archive archive, String document) throws IOException {
        if (archive.has(document)) {
            return document;
        }
        if (archive instanceof ArchiveFolder folder && document.matches("[0-9a-f]{1,16}")) {
            Optional<StoredDocument> found = folder.withId(new DocumentId(Long.parseUnsignedLong(document, 16)));
            if (found.isPresent()) {
                return found.get().name();
            }
        }
        return Path.of(document).toAbsolutePath().normalize().toString();
    }
}
