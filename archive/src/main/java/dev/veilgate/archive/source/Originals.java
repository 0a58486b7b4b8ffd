package dev.veilgate.archive.source;

import dev.veilgate.archive.Answer;
import dev.veilgate.archive.Archive;
import dev.veilgate.archive.NewDocument;
import dev.veilgate.extract.mail.MailSummary;
import dev.veilgate.secret.Secret;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the documents that a search found, where they stood when they were added. One is shown only if the archive has
 * its name with the digest of what stands there now, so that a log that was rotated, or a file that was written since,
 * shows nothing else.
 */
@Secret
public final class Originals implements AutoCloseable {
    private static final int HEAD_BYTES = 8192;

    private final Archive archive;
    private String openName = "";
    private @Nullable FileChannel open;
    private byte[] head = {};
    private String tableName = "";
    private Map<Long, CsvRows.Row> table = Map.of();
    private Set<Long> tableAsked = Set.of();

    /** Content of the place of a document, with the digest that it would be added with. */
    @Secret
    private record Candidate(byte[] digest, Original original) {}

    /** @param archive that was searched */
    public Originals(Archive archive) {
        this.archive = archive;
    }

    /**
     * The document of each answer that stands where it stood, in their order; empty for others. Of a text or mail all
     * is read, so ask for few at a time.
     *
     * @throws IOException if the archive cannot be read; a file that cannot be is as one that is gone
     */
    public List<Optional<Original>> of(List<Answer.Found> found) throws IOException {
        List<Optional<Original>> originals = new ArrayList<>(Collections.nCopies(found.size(), Optional.empty()));
        List<NewDocument> there = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        List<Original> read = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            Answer.Found document = found.get(i);
            for (Candidate each : candidates(document, found)) {
                there.add(new NewDocument(document.name(), each.digest, document.place(), 0, _ -> {}));
                places.add(i);
                read.add(each.original);
            }
        }
        boolean[] same = archive.same(there);
        for (int i = 0; i < same.length; i++) {
            if (same[i]) {
                originals.set(places.get(i), Optional.of(read.get(i)));
            }
        }
        return originals;
    }

    private List<Candidate> candidates(Answer.Found document, List<Answer.Found> all) {
        String name = document.name();
        int sign = name.lastIndexOf('#');
        boolean isPart = sign > 0 && name.substring(sign + 1).matches("[0-9]{1,18}");
        try {
            if (!isPart) {
                return whole(name);
            }
            String file = name.substring(0, sign);
            long number = Long.parseLong(name.substring(sign + 1));
            FileChannel channel = channel(file);
            List<Candidate> candidates = new ArrayList<>();
            line(channel, document.place()).ifPresent(candidates::add);
            if (MboxMessages.isMbox(head)) {
                message(channel, document.place()).ifPresent(candidates::add);
            }
            if (document.place() == 0 && !LogLines.isLog(fileName(file))) { // rows have no places
                row(file, number, all).ifPresent(candidates::add);
            }
            return candidates;
        } catch (IOException | InvalidPathException _) {
            return List.of();
        }
    }

    private static String fileName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private List<Candidate> whole(String name) throws IOException {
        Path file = Path.of(name);
        if (!Files.isRegularFile(file)) { // a pipe in its place would never end
            return List.of();
        }
        byte[] bytes = DocumentFiles.whole(file);
        boolean isMail = name.toLowerCase(Locale.ROOT).endsWith(".eml")
                || MailHead.isMail(Arrays.copyOf(bytes, Math.min(bytes.length, HEAD_BYTES)))
                || isInMaildir(file);
        Original original = isMail
                ? new Original.Mail(MailSummary.of(bytes))
                : new Original.Text(DocumentHead.isDocument(bytes) ? "" : TextDecoding.decode(bytes));
        return List.of(new Candidate(ContentDigest.of(bytes), original));
    }

    private static boolean isInMaildir(Path file) {
        Path folder = file.getParent();
        if (folder == null || !folder.endsWith("cur") && !folder.endsWith("new")) {
            return false;
        }
        Path maildir = folder.getParent();
        return maildir != null && DocumentFiles.isMaildir(maildir);
    }

    private static Optional<Candidate> line(FileChannel channel, long place) throws IOException {
        channel.position(place);
        BoundedLines lines = new BoundedLines(Channels.newInputStream(channel), LogLines.MAX_BYTES_WITH_END);
        byte[] line = lines.next();
        byte[] content = LogLines.content(line);
        return lines.isCut() || content.length == 0
                ? Optional.empty()
                : Optional.of(
                        new Candidate(ContentDigest.of(content), new Original.Line(TextDecoding.decodeLine(content))));
    }

    private static Optional<Candidate> message(FileChannel channel, long place) throws IOException {
        channel.position(place);
        InputStream in = new BufferedInputStream(Channels.newInputStream(channel), 1 << 16);
        byte[] message = MboxMessages.at(in, DocumentFiles.MAX_BYTES).next();
        return Optional.ofNullable(message)
                .map(bytes -> new Candidate(ContentDigest.of(bytes), new Original.Mail(MailSummary.of(bytes))));
    }

    /** Reads a table once for all of its rows that were found. */
    private Optional<Candidate> row(String file, long number, List<Answer.Found> all) throws IOException {
        if (!file.equals(tableName) || !tableAsked.contains(number)) {
            Set<Long> wanted = new HashSet<>();
            for (Answer.Found each : all) {
                String part = each.name().startsWith(file + '#') ? each.name().substring(file.length() + 1) : "";
                if (part.matches("[0-9]{1,18}")) {
                    wanted.add(Long.parseLong(part));
                }
            }
            table = new HashMap<>(CsvRows.rows(Path.of(file), wanted));
            tableName = file;
            tableAsked = wanted;
        }
        return Optional.ofNullable(table.get(number))
                .map(row -> new Candidate(row.digest(), new Original.Row(row.names(), row.cells())));
    }

    private FileChannel channel(String name) throws IOException {
        if (open == null || !name.equals(openName)) {
            close();
            Path file = Path.of(name);
            if (!Files.isRegularFile(file)) { // a pipe in its place would never end
                throw new NoSuchFileException(name);
            }
            open = FileChannel.open(file);
            openName = name;
            head = Channels.newInputStream(open).readNBytes(HEAD_BYTES);
        }
        return open;
    }

    @Override
    public void close() throws IOException {
        if (open != null) {
            open.close();
            open = null;
        }
    }
}
