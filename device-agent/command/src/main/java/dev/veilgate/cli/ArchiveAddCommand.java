package dev.veilgate.cli;

import dev.veilgate.archive.Archive;
import dev.veilgate.archive.DocumentAdder;
import dev.veilgate.archive.NewDocument;
import dev.veilgate.archive.source.DocumentFiles;
import dev.veilgate.archive.source.FileForm;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Adds documents to an archive. */
@Command(
        name = "add",
        header = "Add mails, text files, rows of tables and lines of logs to an archive",
        description = {
            "  Reads files, and folders with all that is in them. Mails (Maildir, *.mbox, *.eml) have their",
            "  usual fields; words of any text are in the field text; of a table (*.csv, first row: names) each",
            "  row is a document, and each column a field; of a log (*.log, *.jsonl, *.ndjson, syslog, messages,",
            "  and rotated ones such as app.log.1) each line is a document; PDF and office documents are read as",
            "  attachments of mails are, in a process of their own. A document's name is the file's",
            "  path, with #N of a mail, row or line behind it. What has not changed since it was added is passed",
            "  over, what has changed takes the old one's place. A batch becomes durable while the next one is",
            "  read: Ctrl-C, or a crash, loses the last two at most, and the same command goes on from there.",
            "  What cannot be read is named, and the others are added.",
        },
        footer = {
            "  veilgate archive add mails ~/Maildir",
            "  veilgate archive add mails notes.txt inbox.mbox customers.csv",
            "  veilgate archive add mails --csv export.dat",
            "  veilgate archive add logs --lines kernel.txt",
        })
final class ArchiveAddCommand extends OpenArchiveCommand {
    private static final int MOST_OF_BATCH = 100_000;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "FILE|FOLDER", description = "What to add.")
    private List<Path> paths = new ArrayList<>();

    @Option(names = "--csv", description = "Read the files as tables, whatever their names.")
    private boolean csv;

    @Option(names = "--lines", description = "Read the files as logs, whatever their names: each line is a document.")
    private boolean lines;

    @Option(
            names = "--batch",
            paramLabel = "N",
            description = "Most documents of a batch, which is added as a whole: 1 to 100000. Without it 32768, or ten"
                    + " seconds' work; of the schemes of the papers 100.")
    private int batch;

    @Mixin
    private Progress progress = new Progress();

    @Spec
    private CommandSpec spec;

    private long failed;

    ArchiveAddCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void checkArguments() throws CommandFailure {
        if (spec.commandLine().getParseResult().hasMatchedOption("--batch") && batch < 1 || batch > MOST_OF_BATCH) {
            throw new CommandFailure(ExitCode.USAGE, "--batch must be 1 to " + MOST_OF_BATCH);
        }
        if (csv && lines) {
            throw new CommandFailure(ExitCode.USAGE, "a file is a table or a log: give --csv or --lines");
        }
    }

    @Override
    int run(Archive archive) throws Exception {
        progress.total(FileSizes.of(paths));
        int most = batch == 0 ? archive.usualBatch() : batch;
        try (DocumentFiles files = DocumentFiles.open();
                DocumentAdder adder = new DocumentAdder(archive, most, listener())) {
            for (Path path : paths) {
                files.read(path, form(), sink(adder));
            }
            adder.flush();
            try {
                archive.maintain();
            } finally { // whatever becomes of it, they are added
                progress.end(terminal);
                print(adder, files.partlyRead());
            }
        } finally {
            progress.end(terminal);
        }
        return failed == 0 ? ExitCode.OK : ExitCode.IO;
    }

    private FileForm form() {
        return csv ? FileForm.TABLE : lines ? FileForm.LINES : FileForm.BY_NAME;
    }

    private DocumentAdder.Listener listener() {
        return new DocumentAdder.Listener() {
            @Override
            public void read(long documents, long bytes) {
                progress.at(terminal, "documents", documents, bytes);
            }

            @Override
            public void refused(String name, String why) {
                fail(name, why);
            }
        };
    }

    private DocumentFiles.Sink sink(DocumentAdder adder) {
        return new DocumentFiles.Sink() {
            @Override
            public void document(NewDocument document) throws IOException {
                adder.add(document);
            }

            @Override
            public void endOfFile(String file, long parts, BooleanSupplier asRead) throws IOException {
                adder.endOfFile(file, parts, asRead);
            }

            @Override
            public void gone(String name, BooleanSupplier asRead) throws IOException {
                adder.gone(name, asRead);
            }

            @Override
            public void partlyRead(String name, String why) {
                progress.end(terminal);
                terminal.err()
                        .println("note: found by a part of its words, or its name: " + Printable.of(name) + ": "
                                + Printable.of(why));
            }

            @Override
            public void unreadable(String name, String why) {
                fail(name, why);
            }
        };
    }

    private void fail(String name, String why) {
        progress.end(terminal);
        failed++;
        terminal.err().println("not added: " + Printable.of(name) + ": " + Printable.of(why));
    }

    private void print(DocumentAdder adder, long partly) {
        terminal.out()
                .printf(
                        "%,d added, of which %,d in place of an older form; %,d unchanged, %,d deleted,"
                                + " %,d not added%n",
                        adder.added(), adder.replaced(), adder.unchanged(), adder.removed(), failed);
        if (partly > 0) {
            terminal.err()
                    .printf("note: %,d mails have parts that cannot be read; they are not found by these%n", partly);
        }
    }
}
