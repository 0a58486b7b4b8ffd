package dev.veilgate.archive;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.sse.segments.HeadMemory;
import dev.veilgate.sse.segments.SeenHead;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The newest state of an archive that a device has seen, in a file:
 * {@code [ "veilgate-archive-head", 1, version, tag ]}. Processes of the device share it, under a lock.
 */
final class HeadFile implements HeadMemory {
    private static final String MAGIC = "veilgate-archive-head";
    private static final int FORMAT = 1;
    private static final int TAG_BYTES = 32;
    private static final int MAX_BYTES = 256;
    private static final Object IN_PROCESS = new Object();

    private final Path folder;
    private final String name;

    /** @param folder is made when something is written */
    HeadFile(Path folder, String name) {
        this.folder = folder;
        this.name = name;
    }

    @Override
    public Optional<SeenHead> last() throws IOException {
        Path file = folder.resolve(name);
        byte[] bytes;
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw damaged(file);
            }
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        try {
            CborReader in = new CborReader("head", bytes);
            if (in.array("head", 4) != 4
                    || !in.text("magic", MAGIC.length()).equals(MAGIC)
                    || in.uint("format", Integer.MAX_VALUE) != FORMAT) {
                throw damaged(file);
            }
            SeenHead head = new SeenHead(in.unsigned("version", Long.MAX_VALUE), in.fixedBytes("tag", TAG_BYTES));
            in.end();
            return Optional.of(head);
        } catch (MalformedEncodingException e) {
            throw damaged(file);
        }
    }

    private static IOException damaged(Path file) {
        return new UnusableArchiveException(file + " is damaged: it should say which state of the archive this device"
                + " has seen. Remove it to believe what the archive's folder shows");
    }

    @Override
    public void saw(SeenHead head) throws IOException {
        if (last().filter(head::equals).isEmpty()) {
            write(head, false);
        }
    }

    @Override
    public void accept(SeenHead head) throws IOException {
        write(head, true);
    }

    private void write(SeenHead head, boolean always) throws IOException {
        DurableFiles.createFolder(folder);
        synchronized (IN_PROCESS) {
            try (FileChannel channel = FileChannel.open(
                            folder.resolve(name + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock _ = channel.lock()) {
                if (always
                        || last().filter(newer -> newer.version() >= head.version())
                                .isEmpty()) {
                    byte[] bytes = new CborWriter(MAX_BYTES)
                            .array(4)
                            .text(MAGIC)
                            .integer(FORMAT)
                            .integer(head.version())
                            .bytes(head.tag())
                            .toByteArray();
                    DurableFiles.replace(folder, name, null, bytes);
                }
            }
        }
    }
}
