package dev.veilgate.issuing;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Brings the files of a log together when it is opened. The index must give the root of the last signed head; entries behind that head are each read and checked; what the index lacks is made
 * from the entries. Bytes at the end that are no whole entry, and that neither the index nor a head knows of, are what a crash left of an entry nobody was told of.
 *
 * <p>Entries before the last head are not read here: they are checked against the index when they are.
 */
final class LogRecovery {
    private static final String NEW_INDEX = IndexFile.NAME + ".new";

    private final Path folder;
    private final SenderPublicKey authority;
    private final EntryFile entries;
    private final Optional<TreeHead> head;
    private IndexFile index;
    private MerkleTree tree;
    private byte[] lastLeaf;
    private long lastMillis;
    private Optional<Cut> cut = Optional.empty();

    /** What was cut off. */
    record Cut(long bytes, String sha256) {}

    /** The index does not go with the entries; it may be the one that is wrong. */
    private static final class IndexUnusable extends Exception {
        private static final long serialVersionUID = 1L;
    }

    LogRecovery(Path folder, SenderPublicKey authority, EntryFile entries, Optional<TreeHead> head) throws IOException {
        this.folder = folder;
        this.authority = authority;
        this.entries = entries;
        this.head = head;
        this.lastLeaf = LogFormat.origin(authority);
        Files.deleteIfExists(folder.resolve(NEW_INDEX));
        this.index = IndexFile.open(folder.resolve(IndexFile.NAME));
        this.tree = new MerkleTree(place -> index.place(place).leaf());
    }

    void run() throws IOException {
        boolean whole = false;
        try {
            try {
                useIndex();
            } catch (IndexUnusable e) {
                makeIndex();
            }
            whole = true;
        } finally {
            if (!whole) {
                index.close();
            }
        }
    }

    private long covered() {
        return head.map(TreeHead::size).orElse(0L);
    }

    private void useIndex() throws IOException, IndexUnusable {
        long known = index.count();
        long[] place = {0};
        index.forEachLeaf(leaf -> {
            tree.append(leaf);
            place[0]++;
        });
        if (known >= covered() && !isHead(tree.root(covered()))) {
            throw new IndexUnusable();
        }
        for (long number = Math.max(1, Math.min(covered(), known)); number <= known; number++) {
            checkUncovered(number);
        }
        scan(known == 0 ? headerEnd() : endOf(known), known, index);
    }

    /** The entry, which no head vouches for yet, is the one of which the index kept the digest. */
    private void checkUncovered(long number) throws IOException, IndexUnusable {
        IndexFile.Place place = index.place(number - 1);
        Optional<byte[]> content = entries.read(place.offset());
        if (content.isEmpty() || !MessageDigest.isEqual(Merkle.leaf(content.get()), place.leaf())) {
            throw new IndexUnusable();
        }
        lastLeaf = place.leaf();
        lastMillis = decode(number, content.get()).time().toEpochMilli();
    }

    private long headerEnd() {
        return (long) EntryFile.FRAME_BYTES + LogFormat.header(authority).length;
    }

    private long endOf(long number) throws IOException, IndexUnusable {
        long offset = index.place(number - 1).offset();
        byte[] last = entries.read(offset).orElseThrow(IndexUnusable::new);
        return offset + EntryFile.FRAME_BYTES + last.length;
    }

    private boolean isHead(byte[] root) {
        return head.isEmpty() || MessageDigest.isEqual(head.get().root(), root);
    }

    /** Reads every entry. The present index stays until all of them are good: it is what shows that entries are gone. */
    private void makeIndex() throws IOException {
        long acknowledged = index.count();
        lastLeaf = LogFormat.origin(authority);
        lastMillis = 0;
        Path file = folder.resolve(NEW_INDEX);
        try (IndexFile made = IndexFile.open(file)) {
            tree = new MerkleTree(place -> made.place(place).leaf());
            scan(headerEnd(), acknowledged, made);
            made.force();
            requireSame(acknowledged, made);
        }
        index.close();
        Files.move(file, folder.resolve(IndexFile.NAME), StandardCopyOption.ATOMIC_MOVE);
        DurableFiles.forceFolder(folder);
        index = IndexFile.open(folder.resolve(IndexFile.NAME));
        MerkleTree remade = new MerkleTree(place -> index.place(place).leaf());
        index.forEachLeaf(remade::append);
        tree = remade;
    }

    /** Behind the last head only the index says what the entries were; before it the head does. */
    private void requireSame(long acknowledged, IndexFile made) throws IOException {
        for (long i = covered(); i < acknowledged; i++) {
            if (!Arrays.equals(index.place(i).leaf(), made.place(i).leaf())) {
                throw problem(LogProblem.ALTERED, i + 1, "is not the one that the index beside it knows");
            }
        }
    }

    /** @param acknowledged how many entries are known to have been durable */
    private void scan(long from, long acknowledged, IndexFile into) throws IOException {
        try (EntryFile.Scan scan = entries.scan(from)) {
            while (true) {
                long offset = scan.offset();
                long number = tree.size() + 1;
                Optional<byte[]> content = scan.next();
                if (content.isEmpty()) {
                    atEnd(offset, number, acknowledged);
                    return;
                }
                check(number, content.get());
                ByteBuffer record = ByteBuffer.allocate(IndexFile.RECORD_BYTES);
                IndexFile.put(record, offset, lastLeaf);
                into.append(record.array());
                tree.append(lastLeaf);
                if (number == covered() && !isHead(tree.root())) {
                    throw new IssuingLogException(
                            LogProblem.REWRITTEN, 1, "entries 1 to " + number + " are not those that were signed");
                }
            }
        }
    }

    private void check(long number, byte[] content) throws IssuingLogException {
        LogEntry entry = decode(number, content);
        if (entry.number() != number) {
            throw problem(
                    LogProblem.OUT_OF_ORDER, number, "is not there: entry " + entry.number() + " is in its place");
        }
        if (!MessageDigest.isEqual(entry.previous(), lastLeaf)) {
            throw number == 1
                    ? problem(LogProblem.FOREIGN, 1, "belongs to another log")
                    : problem(LogProblem.ALTERED, number - 1, "is not the one that entry " + number + " names");
        }
        lastLeaf = Merkle.leaf(content);
        lastMillis = entry.time().toEpochMilli();
    }

    private void atEnd(long offset, long number, long acknowledged) throws IOException {
        long rest = entries.end() - offset;
        long known = Math.max(covered(), acknowledged);
        if (number <= known) {
            throw rest == 0
                    ? problem(LogProblem.MISSING, number, "and those behind it, up to " + known + ", are missing")
                    : problem(LogProblem.DAMAGED, number, "is damaged: its checksum is wrong");
        }
        if (rest > 0) {
            cut = Optional.of(new Cut(rest, digest(offset, rest)));
            entries.cut(offset);
        }
    }

    private String digest(long offset, long rest) throws IOException {
        MessageDigest sha = Merkle.sha256();
        try (var in = Files.newInputStream(folder.resolve(EntryFile.NAME))) {
            in.skipNBytes(offset);
            byte[] buffer = new byte[1 << 16];
            for (long left = rest; left > 0; ) {
                int read = in.readNBytes(buffer, 0, (int) Math.min(left, buffer.length));
                sha.update(buffer, 0, read);
                left -= read;
            }
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    static LogEntry decode(long number, byte[] content) throws IssuingLogException {
        try {
            return LogEntry.decode(content);
        } catch (MalformedEncodingException e) {
            throw problem(LogProblem.DAMAGED, number, "is no entry: " + e.getMessage());
        }
    }

    static IssuingLogException problem(LogProblem problem, long number, String what) {
        return new IssuingLogException(problem, number, "the issuing log's entry " + number + " " + what);
    }

    IndexFile index() {
        return index;
    }

    MerkleTree tree() {
        return tree;
    }

    byte[] lastLeaf() {
        return lastLeaf;
    }

    long lastMillis() {
        return lastMillis;
    }

    Optional<Cut> cut() {
        return cut;
    }
}
