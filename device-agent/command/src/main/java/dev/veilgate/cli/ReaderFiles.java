package dev.veilgate.cli;

import dev.veilgate.abe.Label;
import dev.veilgate.authority.IssuedEntries;
import dev.veilgate.authority.IssuedKeys;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.PassphraseCost;
import dev.veilgate.authority.ReaderKeyFile;
import dev.veilgate.authority.SearchReach;
import dev.veilgate.authority.SearcherKey;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.enrolment.DrawnPassphrase;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.files.FileNamePart;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Files of readers' keys, made one by one and handed out together: all are sealed before anything is written, and the key folder remembers them before they are there. Used once.
 */
final class ReaderFiles {
    @SuppressWarnings("ArrayRecordComponent")
    private record Made(Path file, byte[] sealed, String line) {}

    private final Terminal terminal;
    private final KeyFolder folder;
    private final PassphraseCost cost;
    private final SecureRandom random = new SecureRandom();
    private final List<Made> made = new ArrayList<>();
    private final List<LogDraft> entries = new ArrayList<>();

    ReaderFiles(Terminal terminal, KeyFolder folder, PassphraseCost cost) {
        this.terminal = terminal;
        this.folder = folder;
        this.cost = cost;
    }

    /** Where the file of one reader among several goes. */
    static Path in(Path output, String holder) {
        return output.resolve(FileNamePart.of(holder) + ".vgr");
    }

    /**
     * One reader's, under a passphrase of its own.
     *
     * @param searches whether it gets searcher's keys, too
     */
    void add(String holder, Label label, boolean searches, List<String> epochs, Path file, byte[] passphrase)
            throws CommandFailure, MalformedEncodingException {
        add(holder, label, searches, epochs, file, passphrase, "");
    }

    /**
     * One of several readers': no two have one passphrase, for each would open all files.
     *
     * @param passphrases a folder with a file {@code NAME.txt} for each, whose first line it is; null: one is drawn, and printed once
     */
    void addOneOf(String holder, Label label, List<String> epochs, Path output, @Nullable Path passphrases)
            throws IOException, CommandFailure, MalformedEncodingException {
        Files.createDirectories(output); // or nothing is issued
        String drawn = passphrases == null ? String.valueOf(DrawnPassphrase.draw(random)) : "";
        byte[] passphrase = passphrases == null
                ? drawn.getBytes(StandardCharsets.US_ASCII)
                : new Passphrases(
                                terminal,
                                passphrases.resolve(FileNamePart.of(holder) + ".txt"),
                                ReaderKeyOptions.VARIABLE,
                                ReaderKeyOptions.PASSPHRASE_FILE,
                                "passphrase of the reader's key")
                        .chosen();
        try {
            boolean searches =
                    folder.keys().issuedTo(holder).filter(IssuedKeys::searches).isPresent();
            String more = drawn.isEmpty() ? "" : ", passphrase " + drawn;
            add(holder, label, searches, epochs, in(output, holder), passphrase, more);
        } finally {
            Arrays.fill(passphrase, (byte) 0);
        }
    }

    private void add(
            String holder,
            Label label,
            boolean searches,
            List<String> epochs,
            Path file,
            byte[] passphrase,
            String more)
            throws CommandFailure, MalformedEncodingException {
        List<ReaderKey> issued = List.of();
        List<SearcherKey> searching = List.of();
        try {
            issued = folder.keys().issueReaderKeys(holder, label, epochs, random);
            searching = searches ? searching(holder, label, epochs) : List.of();
            byte[] sealed = ReaderKeyFile.seal(issued, searching, passphrase, cost, random);
            entries.add(IssuedEntries.attributeKey(
                    CommandLog.actor(),
                    holder,
                    label.toString(),
                    epochs,
                    searching.stream().map(key -> key.index().id()).toList()));
            String what = Printable.of(holder) + ", " + Printable.of(label.toString())
                    + (searching.isEmpty() ? "" : ", searches");
            made.add(new Made(file, sealed, file + ": " + what + ", " + String.join(", ", epochs) + more));
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, e.getMessage() + " (" + Printable.of(holder) + ")", e);
        } finally {
            issued.forEach(ReaderKey::close);
            searching.forEach(SearcherKey::close);
        }
    }

    /** Says where the reader does not search with what it is issued. */
    private List<SearcherKey> searching(String holder, Label label, List<String> epochs)
            throws CommandFailure, MalformedEncodingException {
        if (!(label instanceof Label.OfAttributes of)) {
            throw new CommandFailure(ExitCode.USAGE, "--search goes with --attributes: it is attributes that search");
        }
        List<SearcherKey> keys = folder.keys().issueSearcherKeys(holder, of.attributes(), epochs, random);
        for (SearchReach.Gap gap :
                folder.keys().reach(Optional.of(of.attributes()), epochs).gaps()) {
            terminal.err().println(Printable.of("note: " + holder + " does not search " + gap));
        }
        return keys;
    }

    /** Writes the log, the key folder, and then the files, each of which is printed. */
    void handOut(List<LogDraft> before) throws IOException, CommandFailure {
        List<LogDraft> all = new ArrayList<>(before);
        all.addAll(entries);
        CommandLog.append(terminal, folder, all);
        folder.save();
        for (Made each : made) {
            ReaderKeyFile.write(each.file, each.sealed);
            terminal.out().println(each.line);
        }
    }
}
