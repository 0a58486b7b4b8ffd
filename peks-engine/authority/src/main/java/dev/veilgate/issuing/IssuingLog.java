package dev.veilgate.issuing;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.secret.Secret;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The authority's log of its decisions, in a folder:
 *
 * <pre>
 *   entries.vgl    the entries, each naming the digest of the one before
 *   heads.vgl      signed tree heads (RFC 9162's Merkle tree over the entries)
 *   index.vgl      places and digests of entries; follows from them
 *   lock           held by whoever writes
 * </pre>
 *
 * <p>Gives: what {@link #append} has returned survives {@code kill -9} and loss of power; and whoever has a signed head can tell whether a log that is shown later, or a single
 * entry, belongs to what was signed. Does not give: protection against the holder of the signing key before a head was handed out, nor secrecy of what is not sealed
 * (docs/spec/issuing-log.md).
 *
 * <p><b>Threads.</b> Safe for use by several: entries of one call of {@link #append(List)} stand together, calls are one after the other, and reading does not wait for the disk's
 * writes. One instance a folder; a second one, in any process, is refused. Interrupts do no harm.
 *
 * <p>After an {@link IOException} from writing, nothing more is written if it is not known what is on disk: close the log and open it again.
 */
@Secret
public final class IssuingLog implements AutoCloseable {
    /** Most entries of one call. */
    public static final int MAX_BATCH = 100_000;

    /** Who the entries are of that the log writes itself. */
    public static final String OWN_ACTOR = "issuing-log";

    private final SigningKey authority;
    private final HeadPolicy policy;
    private final Clock clock;
    private final SecureRandom random;
    private final LogFiles files;
    private final MerkleTree tree;
    private byte[] lastLeaf;
    private long lastMillis;
    private boolean unusable;
    private volatile long size;

    private IssuingLog(SigningKey authority, HeadPolicy policy, Clock clock, SecureRandom random, LogFiles files) {
        this.authority = authority;
        this.policy = policy;
        this.clock = clock;
        this.random = random;
        this.files = files;
        this.tree = files.found().tree();
        this.lastLeaf = files.found().lastLeaf();
        this.lastMillis = files.found().lastMillis();
        this.size = tree.size();
    }

    /**
     * Opens the log in a folder, or begins one. Takes about half a second for a million entries.
     *
     * @param authority signs the heads; the log is its tenant's. The caller closes it after the log
     * @throws IssuingLogException if another process has the log, or it is not what was written
     */
    public static IssuingLog open(
            Path folder, SigningKey authority, HeadPolicy policy, Clock clock, SecureRandom random) throws IOException {
        LogFiles files = LogFiles.open(folder, authority.publicKey());
        boolean whole = false;
        try {
            IssuingLog log = new IssuingLog(authority, policy, clock, random, files);
            Optional<LogRecovery.Cut> cut = files.found().cut();
            if (cut.isPresent()) {
                log.append(LogDraft.of(EntryKind.REPAIRED, OWN_ACTOR)
                        .with(DetailName.COUNT, cut.get().bytes() + " bytes")
                        .with(DetailName.DIGEST, cut.get().sha256()));
            }
            whole = true;
            return log;
        } finally {
            if (!whole) {
                files.close();
            }
        }
    }

    /** Writes an entry, durably; its number. */
    public long append(LogDraft draft) throws IOException {
        return append(List.of(draft));
    }

    /**
     * Writes entries, durably, with one synchronisation for all.
     *
     * @param drafts 1 to {@value #MAX_BATCH}
     * @return the number of the first; the others follow
     * @throws IllegalArgumentException if one is too long; nothing is written then
     * @throws IOException              if they are not durable; act on none of them then
     */
    public synchronized long append(List<LogDraft> drafts) throws IOException {
        if (drafts.isEmpty() || drafts.size() > MAX_BATCH) {
            throw new IllegalArgumentException("a call writes 1 to " + MAX_BATCH + " entries");
        }
        requireUsable();
        Instant now = now();
        List<byte[]> leaves = new ArrayList<>(drafts.size());
        ByteArrayOutputStream frames = new ByteArrayOutputStream(512 * drafts.size());
        ByteBuffer records = ByteBuffer.allocate(IndexFile.RECORD_BYTES * drafts.size());
        byte[] previous = lastLeaf;
        for (LogDraft draft : drafts) {
            byte[] entry = LogEntry.of(authority.publicKey(), draft, size + leaves.size() + 1, previous, now, random)
                    .encode();
            previous = Merkle.leaf(entry);
            leaves.add(previous);
            IndexFile.put(records, files.entries().end() + frames.size(), previous);
            frames.writeBytes(EntryFile.frame(entry));
        }
        write(frames.toByteArray(), records.array());
        leaves.forEach(tree::append);
        lastLeaf = previous;
        lastMillis = now.toEpochMilli();
        long first = size + 1;
        size = tree.size();
        headIfDue();
        return first;
    }

    private void write(byte[] frames, byte[] records) throws IOException {
        unusable = true; // until all of it went well
        try {
            files.entries().append(frames);
        } catch (EntryFile.SyncFailedException e) {
            throw e;
        } catch (IOException e) {
            unusable = false; // it is as it was
            throw e;
        }
        files.index().append(records);
        unusable = false;
    }

    /** The present time, or that of the last entry if the clock was put back. */
    private Instant now() {
        return Instant.ofEpochMilli(Math.max(lastMillis, clock.millis()));
    }

    private void requireUsable() throws IOException {
        if (unusable) {
            throw new IOException("the issuing log is closed, or could not be written; open it again");
        }
    }

    /** How many entries there are: the number of the last one. */
    public long size() {
        return size;
    }

    /** Whose log it is. */
    public SenderPublicKey authority() {
        return authority.publicKey();
    }

    /** A signed head of all entries that there are: the last one, or a new one. */
    public synchronized SignedTreeHead head() throws IOException {
        Optional<SignedTreeHead> last = files.heads().last();
        return last.isPresent() && last.get().head().size() == size ? last.get() : signHead();
    }

    /** Signs a head if the policy wants one now. Happens with every entry; a log that is seldom written wants a timer to call it. */
    public synchronized void headIfDue() throws IOException {
        Optional<TreeHead> last = files.heads().last().map(SignedTreeHead::head);
        long since = size - last.map(TreeHead::size).orElse(0L);
        if (since >= policy.entries() || since > 0 && isOld(last)) {
            signHead();
        }
    }

    private boolean isOld(Optional<TreeHead> last) {
        return last.isEmpty() || !now().isBefore(last.get().time().plus(policy.age()));
    }

    private SignedTreeHead signHead() throws IOException {
        requireUsable();
        Instant time = now();
        TreeHead head = new TreeHead(authority.publicKey().sender(), size, tree.root(), time);
        SignedTreeHead signed = SignedTreeHead.sign(head, authority);
        files.index().force(); // so that opening after a loss of power finds it
        files.heads().append(signed);
        lastMillis = time.toEpochMilli();
        return signed;
    }

    /**
     * An entry.
     *
     * @return empty if there is none of that number yet
     * @throws IssuingLogException if it is not the one that was written
     */
    public Optional<LogEntry> entry(long number) throws IOException {
        return number < 1 || number > size ? Optional.empty() : Optional.of(read(number));
    }

    private LogEntry read(long number) throws IOException {
        IndexFile.Place place = files.index().place(number - 1);
        byte[] content = files.entries()
                .read(place.offset())
                .orElseThrow(() -> LogRecovery.problem(
                        LogProblem.DAMAGED, number, "is damaged: it is not where it was, or its checksum is wrong"));
        if (!MessageDigest.isEqual(Merkle.leaf(content), place.leaf())) {
            throw LogRecovery.problem(
                    LogProblem.ALTERED, number, "is not the one that was written: its digest differs");
        }
        return LogRecovery.decode(number, content);
    }

    /**
     * Entries from the newest down. To go on, ask for those before the last one's number.
     *
     * @param before the first number not to be in it; {@link Long#MAX_VALUE} for the newest
     * @param limit  most entries
     * @throws IssuingLogException if one is not the one that was written
     */
    public List<LogEntry> newestFirst(long before, int limit) throws IOException {
        List<LogEntry> found = new ArrayList<>();
        for (long number = Math.min(before - 1, size); number >= 1 && found.size() < limit; number--) {
            found.add(read(number));
        }
        return found;
    }

    /**
     * The proof that an entry is in the tree of a signed head.
     *
     * @param head of this log, with that entry in it
     * @throws IllegalArgumentException if it is not
     */
    public synchronized InclusionProof proveInclusion(long number, SignedTreeHead head) throws IOException {
        requireOwn(head);
        if (number < 1 || number > head.head().size()) {
            throw new IllegalArgumentException("the head speaks of no such entry");
        }
        return new InclusionProof(
                read(number), head, tree.inclusion(number - 1, head.head().size()));
    }

    /**
     * The proof that the tree of one head begins with that of the other.
     *
     * @throws IllegalArgumentException if they are not heads of this log, or in the wrong order
     */
    public synchronized ConsistencyProof proveConsistency(SignedTreeHead older, SignedTreeHead newer)
            throws IOException {
        requireOwn(older);
        requireOwn(newer);
        return new ConsistencyProof(
                older, newer, tree.consistency(older.head().size(), newer.head().size()));
    }

    private void requireOwn(SignedTreeHead signed) throws IOException {
        TreeHead head = signed.head();
        if (!signed.authority().equals(authority.publicKey())
                || head.size() > size
                || !MessageDigest.isEqual(head.root(), tree.root(head.size()))) {
            throw new IllegalArgumentException("the head is not of this log");
        }
    }

    /**
     * Writes the whole log as {@link LogVerifier} reads it: header, entries, and every signed head behind the last entry that it speaks of; the last item is a head. Others may
     * append meanwhile.
     */
    public void export(OutputStream out) throws IOException {
        out.write(LogFormat.header(authority.publicKey()));
        try (HeadFile.Reader heads = headsOfAll()) {
            long number = 1;
            for (Optional<SignedTreeHead> next = heads.next(); next.isPresent(); next = heads.next()) {
                for (; number <= next.get().head().size(); number++) {
                    out.write(read(number).encode());
                }
                out.write(next.get().encode());
            }
        } catch (MalformedEncodingException e) {
            throw new IssuingLogException(LogProblem.DAMAGED, 0, "the issuing log's heads: " + e.getMessage());
        }
    }

    private synchronized HeadFile.Reader headsOfAll() throws IOException {
        head();
        return files.heads().read();
    }

    /** Signs a last head and lets others have the log. */
    @Override
    public synchronized void close() throws IOException {
        try {
            if (!unusable
                    && size > files.heads().last().map(h -> h.head().size()).orElse(0L)) {
                signHead();
            }
        } finally {
            unusable = true;
            files.close();
        }
    }
}
