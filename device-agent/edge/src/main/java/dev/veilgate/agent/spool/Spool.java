package dev.veilgate.agent.spool;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.LossReport;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The folder of the spool. Each envelope is a file of its own with the agent's state behind it; the newest state is on disk at any moment, in the
 * newest file or in {@code checkpoint}. The sealing thread appends, the publishing thread reads and removes.
 *
 * <p>Power loss may bring removed files back: they are published again, and whoever receives them knows their id.
 */
public final class Spool {
    /** Name of the folder beside the spool for envelopes that were refused for good. */
    public static final String REFUSED = "refused";

    private static final String CHECKPOINT = "checkpoint";
    private static final String TEMPLATES = "templates-";
    private static final String POSITIONS = "positions-";

    private final Path folder;
    private final SpoolDisk disk;
    private final Set<Long> claimed = new HashSet<>();
    private final TreeMap<Long, Long> sizes = new TreeMap<>();
    private AgentState state;
    /** Generation of the newest state that is on disk outside of envelopes' files. */
    private long checkpointed;

    private long bytes;

    /** Files of the template miner and of positions, by their names; for the thread that appends. */
    private final Set<String> aside = new LinkedHashSet<>();

    private Spool(Path folder, SpoolDisk disk, AgentState state, long checkpointed) {
        this.folder = folder;
        this.disk = disk;
        this.state = state;
        this.checkpointed = checkpointed;
    }

    /**
     * Opens a spool and finds the newest state. Files that a crash left half written are removed.
     *
     * @throws IOException if the folder cannot be used, or its newest state is damaged
     */
    public static Spool open(Path folder, SpoolDisk disk) throws IOException {
        Files.createDirectories(folder);
        AgentState newest = AgentState.first();
        long checkpointed = 0;
        Path checkpoint = folder.resolve(CHECKPOINT);
        if (Files.exists(checkpoint)) {
            newest = read(checkpoint).state();
            checkpointed = newest.generation();
        }
        TreeMap<Long, Long> sizes = new TreeMap<>();
        List<String> aside = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                OptionalLong sequence = SpoolFile.sequence(file);
                if (sequence.isPresent()) {
                    sizes.put(sequence.getAsLong(), Files.size(file));
                } else if (name.endsWith(".tmp")) {
                    Files.deleteIfExists(file);
                } else if (name.startsWith(TEMPLATES) || name.startsWith(POSITIONS)) {
                    aside.add(name);
                }
            }
        }
        if (!sizes.isEmpty()) {
            AgentState last =
                    read(folder.resolve(SpoolFile.name(sizes.lastKey()))).state();
            newest = last.generation() > newest.generation() ? last : newest;
        }
        Spool spool = new Spool(folder, disk, newest, checkpointed);
        spool.aside.addAll(aside);
        spool.takeUp(sizes);
        return spool;
    }

    private void takeUp(TreeMap<Long, Long> found) throws IOException {
        for (Map.Entry<Long, Long> file : found.entrySet()) {
            if (file.getKey() <= state.dropped()) {
                Files.deleteIfExists(path(file.getKey())); // reported as dropped, then came the crash
            } else {
                sizes.put(file.getKey(), file.getValue());
                bytes += file.getValue();
            }
        }
        removeAsideBut(state);
    }

    private static SpoolFile read(Path file) throws IOException {
        try {
            return SpoolFile.read(file);
        } catch (MalformedEncodingException e) {
            throw new IOException(file + " is damaged (" + e.getMessage()
                    + "); the disk lost what it had confirmed. To start a new chain, move the state folder away and register"
                    + " the sender again");
        }
    }

    private Path path(long sequence) {
        return folder.resolve(SpoolFile.name(sequence));
    }

    /** The newest state. */
    public synchronized AgentState state() {
        return state;
    }

    /**
     * Commits an envelope with the state behind it. After an exception nothing is committed, and the same call may be made again.
     *
     * @param next state without generation, which is set here
     */
    public void append(long sequence, byte[] envelope, long records, long plainBytes, AgentState next)
            throws IOException {
        AgentState numbered = numbered(next);
        Path aside = folder.resolve("envelope.tmp");
        Path name = path(sequence);
        try {
            disk.write(aside, new SpoolFile(records, plainBytes, numbered, envelope).encode());
            disk.rename(aside, name);
            disk.forceFolder(folder);
        } catch (IOException e) {
            Files.deleteIfExists(aside);
            Files.deleteIfExists(name); // nobody was told of it, so it may go
            throw e;
        }
        synchronized (this) {
            state = numbered;
            long size = Files.size(name);
            sizes.put(sequence, size);
            bytes += size;
            notifyAll();
        }
    }

    /** Commits a state without an envelope. */
    public synchronized void checkpoint(AgentState next) throws IOException {
        write(numbered(next));
    }

    private synchronized AgentState numbered(AgentState next) {
        return new AgentState(
                state.generation() + 1,
                next.next(),
                next.positions(),
                next.base(),
                next.loss(),
                next.clock(),
                next.templates(),
                next.catalogue(),
                next.serial(),
                Math.max(next.dropped(), state.dropped()));
    }

    private synchronized void write(AgentState next) throws IOException {
        Path aside = folder.resolve("checkpoint.tmp");
        try {
            disk.write(aside, new SpoolFile(0, 0, next, new byte[0]).encode());
            disk.rename(aside, folder.resolve(CHECKPOINT));
            disk.forceFolder(folder);
        } catch (IOException e) {
            Files.deleteIfExists(aside);
            throw e;
        }
        state = next;
        checkpointed = next.generation();
    }

    /** Sequence number of the oldest envelope behind another; waits for one. */
    public synchronized OptionalLong after(long sequence, long maxMillis) throws InterruptedException {
        Long found = sizes.higherKey(sequence);
        if (found == null && maxMillis > 0) {
            wait(maxMillis);
            found = sizes.higherKey(sequence);
        }
        return found == null ? OptionalLong.empty() : OptionalLong.of(found);
    }

    /**
     * The bytes of a waiting envelope, which is on its way from now on and not dropped.
     *
     * @return null if it was dropped meanwhile
     */
    public byte @Nullable [] claim(long sequence) throws IOException {
        synchronized (this) {
            if (!sizes.containsKey(sequence)) {
                return null;
            }
            claimed.add(sequence);
        }
        return read(path(sequence)).envelope();
    }

    /** The connection is gone, and with it what was on its way. */
    public synchronized void releaseAll() {
        claimed.clear();
    }

    /** Removes an envelope that was acknowledged. The newest one leaves its state behind. */
    public synchronized void remove(long sequence) throws IOException {
        if (!sizes.containsKey(sequence)) {
            return;
        }
        if (sequence == sizes.lastKey() && checkpointed < state.generation()) {
            write(state);
        }
        Files.deleteIfExists(path(sequence));
        claimed.remove(sequence);
        bytes -= sizes.remove(sequence);
        notifyAll();
    }

    /** Sequence number of the newest envelope that waits. */
    public synchronized OptionalLong newest() {
        return sizes.isEmpty() ? OptionalLong.empty() : OptionalLong.of(sizes.lastKey());
    }

    /** Whether an envelope waits. */
    public synchronized boolean holds(long sequence) {
        return sizes.containsKey(sequence);
    }

    /**
     * Moves an envelope that is refused for good into the folder {@link #REFUSED} beside this one, with the reason in a file of its own; what it held goes into the state as loss. After
     * a crash in between it may be published, refused and reported once more. For the thread that appends.
     *
     * @param maxBytes of the folder: its oldest envelopes go, if there would be more
     * @return the loss; null if the envelope is not there any more
     */
    public synchronized @Nullable LossReport setAside(long sequence, String why, long maxBytes) throws IOException {
        if (!sizes.containsKey(sequence)) {
            return null;
        }
        SpoolFile content = read(path(sequence));
        Instant time = content.state().clock();
        new RefusedFolder(folder.resolveSibling(REFUSED), disk).keep(sequence, content.envelope(), why, maxBytes);
        LossReport report = new LossReport("refused-by-gateway", content.records(), content.plainBytes(), time, time);
        write(withLoss(Losses.add(withReportsOf(content, state.loss()), report), state.dropped()));
        Files.deleteIfExists(path(sequence));
        claimed.remove(sequence);
        bytes -= sizes.remove(sequence);
        notifyAll();
        return report;
    }

    private AgentState withLoss(List<LossReport> loss, long dropped) {
        AgentState s = state;
        return new AgentState(
                s.generation() + 1,
                s.next(),
                s.positions(),
                s.base(),
                loss,
                s.clock(),
                s.templates(),
                s.catalogue(),
                s.serial(),
                dropped);
    }

    /** What it said of earlier losses must be said again. */
    private static List<LossReport> withReportsOf(SpoolFile content, List<LossReport> loss) throws IOException {
        List<LossReport> all = loss;
        for (LossReport report : reports(content.envelope())) {
            all = Losses.add(all, report);
        }
        return all;
    }

    /**
     * Drops the oldest envelopes until some room is made; what they held goes into the state as loss, in the same commit.
     *
     * @param atLeast bytes to make
     * @return the loss; null if nothing may be dropped
     */
    public synchronized @Nullable LossReport dropOldest(long atLeast) throws IOException {
        List<Long> victims = new ArrayList<>();
        long made = 0;
        long records = 0;
        long plainBytes = 0;
        Instant from = Instant.MAX;
        Instant to = Instant.MIN;
        List<LossReport> loss = state.loss();
        for (Map.Entry<Long, Long> file : sizes.entrySet()) {
            if (made >= atLeast || file.getKey().equals(sizes.lastKey()) || claimed.contains(file.getKey())) {
                break;
            }
            SpoolFile content = read(path(file.getKey()));
            victims.add(file.getKey());
            made += file.getValue();
            records += content.records();
            plainBytes += content.plainBytes();
            loss = withReportsOf(content, loss);
            Instant time = content.state().clock();
            from = time.isBefore(from) ? time : from;
            to = time.isAfter(to) ? time : to;
        }
        if (victims.isEmpty()) {
            return null;
        }
        LossReport report = new LossReport("spool-full", records, plainBytes, from, to);
        write(withLoss(Losses.add(loss, report), victims.getLast()));
        for (long victim : victims) {
            Files.deleteIfExists(path(victim));
            bytes -= Objects.requireNonNull(sizes.remove(victim)); // each is one of its keys
        }
        return report;
    }

    private static List<LossReport> reports(byte[] envelope) throws IOException {
        try {
            return Envelope.decode(envelope).loss();
        } catch (MalformedEncodingException e) {
            throw new IOException("an envelope of the spool is damaged: " + e.getMessage());
        }
    }

    /** Writes the template miner's state; the number is for the next state that is committed. */
    public long writeTemplates(byte[] miner) throws IOException {
        return writeAside(TEMPLATES, miner);
    }

    /** Writes all positions, behind which states say what changed; the number is for the next state that is committed. */
    public long writePositions(byte[] positions) throws IOException {
        return writeAside(POSITIONS, positions);
    }

    private long writeAside(String name, byte[] content) throws IOException {
        long number = state().generation() + 1;
        Path unnamed = folder.resolve(name + "new.tmp");
        disk.write(unnamed, content);
        aside.add(name + number);
        disk.rename(unnamed, folder.resolve(name + number));
        return number;
    }

    /** The positions that were written under a number. */
    public byte[] readPositions(long number) throws IOException {
        return Files.readAllBytes(folder.resolve(POSITIONS + number));
    }

    /** The template miner's state. */
    public byte[] readTemplates(long number) throws IOException {
        return Files.readAllBytes(folder.resolve(TEMPLATES + number));
    }

    /** Removes what was written for earlier states: of the template miner, and positions. */
    public void removeAsideBut(AgentState of) throws IOException {
        for (String name : List.copyOf(aside)) {
            if (!name.equals(TEMPLATES + of.templates()) && !name.equals(POSITIONS + of.base())) {
                Files.deleteIfExists(folder.resolve(name));
                aside.remove(name);
            }
        }
    }

    /** Bytes of all files. */
    public synchronized long bytes() {
        return bytes;
    }

    /** Envelopes that wait. */
    public synchronized int size() {
        return sizes.size();
    }

    /** Waits until something was removed or appended. */
    public synchronized void awaitChange(long millis) throws InterruptedException {
        wait(millis);
    }

    /** Bytes that the disk has left. */
    public long free() throws IOException {
        return disk.free(folder);
    }
}
