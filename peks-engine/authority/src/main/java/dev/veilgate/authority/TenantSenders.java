package dev.veilgate.authority;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.RefusedRegistryException;
import dev.veilgate.envelope.RegisteredSenders;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SenderRegistry;
import dev.veilgate.envelope.SenderRegistryHead;
import dev.veilgate.envelope.SenderRegistryReader;
import dev.veilgate.envelope.SenderRegistryWriter;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.secret.Exercises;
import dev.veilgate.secret.Power;
import dev.veilgate.secret.Secret;
import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The registered senders of an authority: those of the registry that was written last, which is in a file, and what changed since, which is in memory. The key file knows that registry's serial, count
 * and digest, so that nobody else can put another into its place. The file is read when it is needed. For one thread.
 */
@Secret
public final class TenantSenders {
    /** Most changes that are not written yet: some 450 MB. */
    public static final int MAX_CHANGES = 200_000;

    /** Pattern of the names of registries in a key folder, and of what was to become one. */
    static final String ALL_FILES = "{senders-*.vgs,.senders-*.vgs~*.tmp}";

    private static final int BUFFER_BYTES = 1 << 16;

    /** What is done with each sender. */
    @FunctionalInterface
    public interface Each {
        /** In ascending order of names. */
        void sender(SenderPublicKey sender) throws IOException;
    }

    private final SigningKey authority;
    private @Nullable SenderRegistryHead written;
    private @Nullable Path file;
    private @Nullable SenderRegistry open;
    private SortedMap<String, Optional<SenderPublicKey>> changes = byName();
    private long serial;
    private long above;

    TenantSenders(SigningKey authority) {
        this.authority = authority;
    }

    private static SortedMap<String, Optional<SenderPublicKey>> byName() {
        return new TreeMap<>((a, b) -> Arrays.compareUnsigned(ByteWriter.utf8(a), ByteWriter.utf8(b)));
    }

    /** Serial of the registry that was written last; 0 if there was none. */
    public long serial() {
        return serial;
    }

    /** Where the registry that was written last is, for whoever hands it on; empty if there is none, or something changed since. */
    public Optional<Path> file() {
        return isWritten() ? Optional.ofNullable(file) : Optional.empty();
    }

    /** The next registry that is written has a higher serial than this one; it is written even if no sender changes, unless the last one has. */
    void raiseSerial(long seen) {
        above = Math.max(above, seen);
    }

    private boolean isWritten() {
        SenderRegistryHead kept = written;
        return kept != null && changes.isEmpty() && kept.serial() > above;
    }

    private long nextSerial() {
        return Math.max(serial, above) + 1;
    }

    /** The key of a sender; empty if it is not registered. */
    public Optional<SenderPublicKey> find(String name) throws IOException {
        Optional<SenderPublicKey> changed = changes.get(name);
        if (changed != null) {
            return changed;
        }
        return written == null ? Optional.empty() : open().keysOf(name).stream().findFirst();
    }

    /**
     * Registers a sender, or replaces the one of its name.
     *
     * @throws IllegalArgumentException for more than {@link #MAX_CHANGES} at once
     */
    @Exercises(Power.CHANGE_KEYS)
    public void put(SenderPublicKey sender) {
        if (sender.version() != 1) {
            throw new IllegalArgumentException("the key of an authority is no sender's");
        }
        change(sender.sender(), Optional.of(sender));
    }

    /** Removes a sender; whether there was one. */
    @Exercises(Power.CHANGE_KEYS)
    public boolean remove(String name) throws IOException {
        if (find(name).isEmpty()) {
            return false;
        }
        change(name, Optional.empty());
        return true;
    }

    private void change(String name, Optional<SenderPublicKey> to) {
        if (changes.size() >= MAX_CHANGES && !changes.containsKey(name)) {
            throw new IllegalArgumentException(
                    "at most " + MAX_CHANGES + " senders are added or removed at once; do it in several parts");
        }
        changes.put(name, to);
    }

    /** How many there are. */
    public int count() throws IOException {
        SenderRegistryHead kept = written;
        int count = kept == null ? 0 : kept.count();
        for (Map.Entry<String, Optional<SenderPublicKey>> change : changes.entrySet()) {
            boolean was = kept != null && !open().keysOf(change.getKey()).isEmpty();
            count += (change.getValue().isPresent() ? 1 : 0) - (was ? 1 : 0);
        }
        return count;
    }

    /** Gives them all, one at a time. */
    public void forEach(Each each) throws IOException {
        Iterator<Map.Entry<String, Optional<SenderPublicKey>>> changed =
                changes.entrySet().iterator();
        Map.Entry<String, Optional<SenderPublicKey>> next = changed.hasNext() ? changed.next() : null;
        if (written != null) {
            try (InputStream in = new BufferedInputStream(Files.newInputStream(requireFile()), BUFFER_BYTES)) {
                SenderRegistryReader reader = reader(in);
                for (SenderPublicKey key = reader.next(); key != null; key = reader.next()) {
                    while (next != null && changes.comparator().compare(next.getKey(), key.sender()) < 0) {
                        give(next, each);
                        next = changed.hasNext() ? changed.next() : null;
                    }
                    if (next != null && next.getKey().equals(key.sender())) {
                        give(next, each);
                        next = changed.hasNext() ? changed.next() : null;
                    } else {
                        each.sender(key);
                    }
                }
            } catch (NoSuchFileException | MalformedEncodingException | RefusedRegistryException e) {
                throw damaged(e);
            }
        }
        for (; next != null; next = changed.hasNext() ? changed.next() : null) {
            give(next, each);
        }
    }

    private static void give(Map.Entry<String, Optional<SenderPublicKey>> change, Each each) throws IOException {
        if (change.getValue().isPresent()) {
            each.sender(change.getValue().get());
        }
    }

    /** All of them, for a few: they are in memory then. */
    public List<SenderPublicKey> list() throws IOException {
        List<SenderPublicKey> all = new ArrayList<>();
        forEach(all::add);
        return all;
    }

    /** These senders as they are now, for several threads; later changes are not in it. */
    public RegisteredSenders snapshot() throws IOException {
        RegisteredSenders kept = written == null ? name -> List.of() : open();
        Map<String, Optional<SenderPublicKey>> since = Map.copyOf(changes);
        return name -> {
            Optional<SenderPublicKey> changed = since.get(name);
            return changed == null ? kept.keysOf(name) : changed.map(List::of).orElse(List.of());
        };
    }

    /** Reads the registry to its end and compares it with what the key file says. */
    void check() throws IOException {
        forEach(sender -> {});
    }

    /**
     * Writes a signed registry of these senders into a file, for whoever verifies envelopes. If something changed since the last one was written it has the next serial: save these keys
     * before it is handed out, so that no serial is used twice.
     */
    @Exercises(Power.PUBLISH)
    public void publish(Path target) throws IOException {
        Path absolute = target.toAbsolutePath();
        if (!isWritten()) {
            long next = nextSerial();
            write(DurableFiles.folderOf(absolute), absolute.getFileName().toString(), next);
            serial = next;
            return;
        }
        DurableFiles.replace(
                DurableFiles.folderOf(absolute),
                absolute.getFileName().toString(),
                out -> copyTo(Channels.newOutputStream(out)));
    }

    /**
     * Copies the signed registry of these senders, for whoever verifies envelopes.
     *
     * @throws IllegalStateException if something changed since it was written: save these keys first
     */
    public void copyTo(OutputStream out) throws IOException {
        if (!isWritten()) {
            throw new IllegalStateException("the senders have changed and are not saved");
        }
        check(); // what is handed out is what was signed
        Files.copy(requireFile(), out);
    }

    private SenderRegistryHead write(Path folder, String name, long number) throws IOException {
        return SenderRegistryWriter.write(folder, name, number, authority, registry -> forEach(registry::add));
    }

    private SenderRegistry open() throws IOException {
        SenderRegistry opened = open;
        SenderRegistryHead expected = written;
        if (opened == null && expected != null) {
            try {
                opened = SenderRegistry.open(
                        requireFile(),
                        new SenderRegistry.Expected(
                                authority.publicKey().fingerprint(), expected.tenant(), expected.serial()));
            } catch (FileNotFoundException | MalformedEncodingException | RefusedRegistryException e) {
                throw damaged(e);
            }
            if (!opened.head().equals(expected)) {
                opened.close();
                throw damaged(null);
            }
            open = opened;
        }
        return Objects.requireNonNull(opened);
    }

    private SenderRegistryReader reader(InputStream in)
            throws IOException, MalformedEncodingException, RefusedRegistryException {
        SenderRegistryReader reader =
                new SenderRegistryReader(in, authority.publicKey().fingerprint());
        if (!reader.head().equals(written)) {
            throw damaged(null);
        }
        return reader;
    }

    private Path requireFile() {
        return Objects.requireNonNull(file);
    }

    private IOException damaged(@Nullable Exception cause) {
        boolean isMissing = cause instanceof NoSuchFileException || cause instanceof FileNotFoundException;
        String why = cause == null || isMissing ? "" : " (" + cause.getMessage() + ")";
        return new IOException(
                file + " is missing or is not what these keys wrote" + why
                        + "; restore it from a backup of the whole folder, or copy the"
                        + " published sender registry with serial " + serial
                        + " to that name. If the keys were changed just now, try again",
                cause);
    }

    /** The registry that the key file is to name. */
    Optional<SenderRegistryHead> written() {
        return Optional.ofNullable(written);
    }

    /** Changes that are in no registry yet. */
    SortedMap<String, Optional<SenderPublicKey>> changes() {
        return changes;
    }

    /** A registry that the key file names, before anything has changed. */
    void setWritten(SenderRegistryHead head) {
        written = head;
        serial = head.serial();
    }

    /** Where {@link #written} is: in the key folder. */
    void setFolder(Path folder) {
        if (written != null) {
            file = folder.resolve(fileName(serial));
        }
    }

    static String fileName(long serial) {
        return "senders-" + serial + ".vgs";
    }

    /** Writes what is not written yet into the key folder; what the key file is to name then. Nothing changes here before {@link #adopt}. */
    SenderRegistryHead save(Path folder) throws IOException {
        SenderRegistryHead kept = written;
        if (kept != null && isWritten()) {
            return kept;
        }
        return write(folder, fileName(nextSerial()), nextSerial());
    }

    /** The key file names it now. */
    void adopt(SenderRegistryHead head, Path folder) {
        if (!head.equals(written)) {
            open = null; // not closed: a snapshot may read it; the collector closes it
            changes = byName();
            setWritten(head);
        }
        setFolder(folder);
    }

    /** What {@link #restore} takes. */
    SortedMap<String, Optional<SenderPublicKey>> copyOfChanges() {
        SortedMap<String, Optional<SenderPublicKey>> copy = byName();
        copy.putAll(changes);
        return copy;
    }

    void restore(SortedMap<String, Optional<SenderPublicKey>> before) {
        changes = before;
    }
}
