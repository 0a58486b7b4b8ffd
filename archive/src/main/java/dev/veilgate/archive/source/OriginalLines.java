package dev.veilgate.archive.source;

import dev.veilgate.archive.Answer;
import dev.veilgate.archive.Archive;
import dev.veilgate.archive.NewDocument;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of logs that a search found, where they stood when they were added. A line is shown only if the
 * archive has its name with the digest of what stands there now, so that a log that was rotated or rewritten since
 * shows no line of another number.
 */
public final class OriginalLines implements AutoCloseable {
    private final Archive archive;
    private String openName = "";
    private @Nullable FileChannel open;

    /** @param archive that was searched */
    public OriginalLines(Archive archive) {
        this.archive = archive;
    }

    /**
     * The line of each document that is one and stands where it stood, in their order; empty for others.
     *
     * @throws IOException if the archive cannot be read; a log that cannot be is as one that is gone
     */
    public List<Optional<String>> of(List<Answer.Found> found) throws IOException {
        List<Optional<String>> lines = new ArrayList<>(Collections.nCopies(found.size(), Optional.empty()));
        List<NewDocument> there = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        List<byte[]> contents = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            byte[] content = read(found.get(i));
            if (content.length > 0) {
                there.add(new NewDocument(
                        found.get(i).name(),
                        ContentDigest.of(content),
                        found.get(i).place(),
                        0,
                        _ -> {}));
                places.add(i);
                contents.add(content);
            }
        }
        boolean[] same = archive.same(there);
        for (int i = 0; i < same.length; i++) {
            if (same[i]) {
                lines.set(places.get(i), Optional.of(TextDecoding.decodeLine(contents.get(i))));
            }
        }
        return lines;
    }

    /** Tells if a document is, by its name, a line of a log. */
    public static boolean isLine(String name) {
        int sign = name.lastIndexOf('#');
        return sign > 0 && LogLines.isLog(name.substring(name.lastIndexOf('/', sign) + 1, sign));
    }

    private byte[] read(Answer.Found found) {
        int sign = found.name().lastIndexOf('#');
        if (sign < 0) {
            return new byte[0];
        }
        try {
            FileChannel channel = channel(found.name().substring(0, sign));
            channel.position(found.place());
            BoundedLines lines = new BoundedLines(Channels.newInputStream(channel), LogLines.MAX_BYTES_WITH_END);
            byte[] line = lines.next();
            return lines.isCut() ? new byte[0] : LogLines.content(line);
        } catch (IOException | InvalidPathException _) {
            return new byte[0];
        }
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
