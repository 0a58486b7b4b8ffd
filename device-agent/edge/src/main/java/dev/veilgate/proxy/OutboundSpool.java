package dev.veilgate.proxy;

import dev.veilgate.files.DurableFiles;
import dev.veilgate.service.LineLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Sealed mail that waits to be sent, on disk.
 *
 * <pre>
 * incoming/ID/   being written; thrown away at start
 * queue/ID/      acknowledged: copy-0.eml, copy-1.eml, ..., and state (whom each copy still has to reach);
 *                report.eml while its sender has to be told that it was refused
 * done/          on its way out; thrown away at start
 * failed/ID/     refused for good, and so was the report, or there was nobody to report to; kept for the operator
 * seen/KEY       submissions of the last two days, by their {@link RepetitionKey}, and the item that each became
 * </pre>
 *
 * <p>An item enters the queue by one rename, after its files and before its acknowledgement are on disk, so that a {@code kill -9} at any
 * moment loses nothing acknowledged. A client that did not get our answer sends again: the key in {@code seen} drops it. A relay whose
 * answer we did not get receives the same bytes again, with the same Message-ID and the same envelope id, by which a gateway drops
 * them. One process at a time: the folder is locked.
 */
final class OutboundSpool implements AutoCloseable {
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final Duration REMEMBER = Duration.ofDays(2);
    private static final Duration FORGET_EVERY = Duration.ofHours(1);

    private final Path root;
    private final Clock clock;
    private final FileChannel lock;
    private final LineLog log;
    private final ConcurrentHashMap<String, String> seen = new ConcurrentHashMap<>();
    private Instant forgotten = Instant.MIN;

    private OutboundSpool(Path root, Clock clock, FileChannel lock, LineLog log) {
        this.root = root;
        this.clock = clock;
        this.lock = lock;
        this.log = log;
    }

    /**
     * Opens or makes a spool.
     *
     * @throws IOException if it cannot be used, or another process uses it
     */
    static OutboundSpool open(Path root, Clock clock, LineLog log) throws IOException {
        Files.createDirectories(root, PRIVATE);
        FileChannel lock = FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean opened = false;
        try {
            if (lock.tryLock() == null) {
                throw new IOException("another process uses the spool " + root);
            }
            var spool = new OutboundSpool(root, clock, lock, log);
            spool.recover();
            opened = true;
            return spool;
        } catch (java.nio.channels.OverlappingFileLockException e) {
            throw new IOException("this process uses the spool " + root + " already", e);
        } finally {
            if (!opened) {
                lock.close();
            }
        }
    }

    private void recover() throws IOException {
        for (String part : new String[] {"incoming", "queue", "done", "failed", "seen"}) {
            Files.createDirectories(root.resolve(part), PRIVATE);
        }
        clear(root.resolve("incoming"));
        clear(root.resolve("done"));
        forgetOld();
        for (OutboundMail mail : queued()) {
            if (!mail.key().isEmpty()) {
                seen.put(mail.key(), mail.id());
            }
        }
    }

    /** Reads which submissions were seen, and forgets those of long ago. */
    private void forgetOld() throws IOException {
        Instant now = clock.instant();
        for (Path file : list(root.resolve("seen"))) {
            String key = file.getFileName().toString();
            if (Files.getLastModifiedTime(file).toInstant().isBefore(now.minus(REMEMBER))) {
                Files.deleteIfExists(file);
                seen.remove(key);
            } else {
                seen.computeIfAbsent(key, k -> idIn(file));
            }
        }
        forgotten = now;
    }

    private static String idIn(Path marker) {
        try {
            return Files.readString(marker);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A folder to write the copies of a new item into. */
    Path begin() throws IOException {
        return Files.createDirectory(
                root.resolve("incoming").resolve(UUID.randomUUID().toString()), PRIVATE);
    }

    /** Where plaintext may be kept in encrypted files without a name. */
    Path temporary() {
        return root.resolve("incoming");
    }

    /**
     * Makes an item of what was written; when this returns it is on disk.
     *
     * @param folder from {@link #begin}
     * @param key    what makes two submissions the same; empty for none
     */
    OutboundMail commit(Path folder, String key, String sender, List<SealedCopy> copies) throws IOException {
        String id = folder.getFileName().toString();
        Path place = root.resolve("queue").resolve(id);
        var mail = OutboundMail.made(place, key, sender, copies, clock.instant());
        mail.writeTo(folder);
        force(folder);
        Files.move(folder, place, StandardCopyOption.ATOMIC_MOVE);
        force(DurableFiles.folderOf(place));
        if (!key.isEmpty()) {
            seen.put(key, id);
        }
        return mail;
    }

    /** Throws away what {@link #begin} began. */
    void discard(Path folder) throws IOException {
        if (Files.exists(folder)) {
            delete(folder);
        }
    }

    /** The item that a submission of this key became, or "" if there was none. */
    String acceptedAs(String key) {
        return key.isEmpty() ? "" : seen.getOrDefault(key, "");
    }

    /** All items. */
    List<OutboundMail> queued() throws IOException {
        var mails = new ArrayList<OutboundMail>();
        for (Path folder : list(root.resolve("queue"))) {
            try {
                mails.add(OutboundMail.read(folder));
            } catch (IOException e) {
                log.warn("a damaged item of the spool is set aside: " + e.getMessage());
                Files.move(
                        folder, root.resolve("failed").resolve(folder.getFileName()), StandardCopyOption.ATOMIC_MOVE);
            }
        }
        return mails;
    }

    /** Items that could not even be reported. */
    int failed() throws IOException {
        return list(root.resolve("failed")).size();
    }

    /**
     * Removes an item that reached everybody, or whose sender was told whom it did not reach. Of the latter nothing is remembered: sent again it is a new
     * mail.
     */
    void finish(OutboundMail mail) throws IOException {
        if (mail.hasFailed()) {
            seen.remove(mail.key(), mail.id());
        } else if (!mail.key().isEmpty()) {
            Path marker = root.resolve("seen").resolve(mail.key());
            try {
                Files.writeString(marker, mail.id(), StandardOpenOption.CREATE_NEW);
            } catch (FileAlreadyExistsException e) {
                // from before a crash
            } catch (IOException e) {
                Files.deleteIfExists(marker); // an empty one would tell of no item
                throw e;
            }
            force(DurableFiles.folderOf(marker));
        }
        move(mail, "done");
        try {
            clear(root.resolve("done"));
            if (clock.instant().isAfter(forgotten.plus(FORGET_EVERY))) {
                forgetOld();
            }
        } catch (IOException | UncheckedIOException e) {
            // the item is out of the queue; what is left is removed with the next one, or at the next start
            log.warn("what is not needed any more cannot be removed from the spool: " + e);
        }
    }

    /**
     * Whether an item is in the queue no more: the operator took it away, or moving it out was not confirmed. Submitted again it is a new mail, unless it had
     * reached everybody.
     */
    boolean isGone(OutboundMail mail) {
        Path queue = root.resolve("queue");
        if (!Files.isDirectory(queue) || !Files.notExists(mail.folder())) {
            return false; // also while the disk is away
        }
        if (!mail.key().isEmpty() && Files.notExists(root.resolve("seen").resolve(mail.key()))) {
            seen.remove(mail.key(), mail.id());
        }
        return true;
    }

    /** Sets an item aside for the operator, ready to be put back into the queue. Submitted again it is a new mail. */
    void setAside(OutboundMail mail) throws IOException {
        mail.startOver();
        mail.save();
        seen.remove(mail.key(), mail.id());
        move(mail, "failed");
    }

    private void move(OutboundMail mail, String part) throws IOException {
        Path target = root.resolve(part).resolve(mail.id());
        Files.move(mail.folder(), target, StandardCopyOption.ATOMIC_MOVE);
        force(root.resolve("queue"));
        force(DurableFiles.folderOf(target));
    }

    private static List<Path> list(Path folder) throws IOException {
        var paths = new ArrayList<Path>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(paths::add);
        }
        return paths;
    }

    private static synchronized void clear(Path folder) throws IOException {
        for (Path entry : list(folder)) {
            delete(entry);
        }
    }

    private static void delete(Path path) throws IOException {
        try (Stream<Path> walk = Files.walk(path)) {
            for (Path each : walk.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (NoSuchFileException e) {
            // gone already
        }
    }

    /** Puts a folder's entries on disk. */
    static void force(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
