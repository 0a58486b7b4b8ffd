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
import java.util.List;
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
        long deleted = 0;
        int missing = 0;
        for (String document : documents) {
            int there = archive.deleteNamed(List.of(nameOf(archive, document)));
            if (there == 0) {
                there = archive.deleteNamed(
                        List.of(Path.of(document).toAbsolutePath().normalize().toString()));
            }
            deleted += there;
            if (there == 0) {
                missing++;
                terminal.err().println("not in the archive: " + Printable.of(document));
            }
        }
        archive.maintain();
        terminal.out().printf("%,d deleted%n", deleted);
        return missing == 0 ? ExitCode.OK : ExitCode.NO_MATCH;
    }

    private static String nameOf(Archive archive, String document) throws IOException {
        if (archive instanceof ArchiveFolder folder
                && folder.named(document).isEmpty()
                && document.matches("[0-9a-f]{1,16}")) {
            return folder.withId(new DocumentId(Long.parseUnsignedLong(document, 16)))
                    .map(StoredDocument::name)
                    .orElse(document);
        }
        return document;
    }
}
