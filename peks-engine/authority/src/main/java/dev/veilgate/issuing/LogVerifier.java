package dev.veilgate.issuing;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborSequence;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.SenderPublicKey;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Verifies a log as {@link IssuingLog#export} writes it, with the authority's fingerprint alone: numbers and digests of the chain, the root at every signed head, and heads that
 * somebody kept from before.
 *
 * <p>A log without findings is one that the authority signed, every entry of it as it was then. Whoever rewrites entries, digests and all, needs the authority's key for new heads; and with the key, a log
 * that does not contradict a head that is out of his hands. A log cut at an older head shows only to who has a later one: {@link #expect}.
 *
 * <p>Memory does not grow with the log. Not safe for use by several threads; one object a log.
 */
public final class LogVerifier {
    /** Most findings of a kind that are kept; the rest is counted. */
    public static final int MAX_FINDINGS = 10_000;

    /**
     * One line of a report.
     *
     * @param first  first entry concerned; 0 if there is none
     * @param last   last entry concerned
     * @param detail for people; never what is inside an entry
     */
    public record Finding(LogProblem problem, long first, long last, String detail) {}

    private record Expected(TreeHead head, String source) {}

    private final String fingerprint;
    private final LogFindings findings = new LogFindings();
    private final SortedMap<Long, List<Expected>> expected = new TreeMap<>();
    private final MerkleFrontier tree = new MerkleFrontier();
    private byte @Nullable [] lastDigest;
    private long lastNumber;
    private Instant lastTime = Instant.EPOCH;
    private long lastHead = -1;

    /** @param fingerprint of the authority, as {@link dev.veilgate.envelope.SenderPublicKey#fingerprint} writes it */
    public LogVerifier(String fingerprint) {
        this.fingerprint = fingerprint;
    }

    /**
     * A head that the log must agree with; before {@link #read}.
     *
     * @param source where it comes from, for findings
     */
    public void expect(String source, SignedTreeHead head) {
        if (!head.isSignedBy(fingerprint)) {
            findings.add(LogProblem.BAD_HEAD, 0, 0, source + ": not signed by this authority");
            return;
        }
        List<Expected> sameSize = expected.computeIfAbsent(head.head().size(), size -> new ArrayList<>());
        for (Expected other : sameSize) {
            compare(head.head(), source, other);
        }
        sameSize.add(new Expected(head.head(), source));
    }

    /** Reads a whole log and checks it. What is wrong is found, not thrown; only the stream itself may fail. */
    public void read(InputStream log) throws IOException {
        CborSequence items = new CborSequence("issuing-log", log, LogEntry.MAX_BYTES);
        try {
            Optional<byte[]> header = items.next();
            if (!isOwnHeader(header.orElse(new byte[0]))) {
                return;
            }
            checkExpected();
            for (Optional<byte[]> item = items.next(); item.isPresent(); item = items.next()) {
                if (isHead(item.get())) {
                    head(item.get());
                } else {
                    entry(item.get());
                    checkExpected();
                }
            }
        } catch (MalformedEncodingException e) {
            findings.add(
                    LogProblem.DAMAGED,
                    lastNumber + 1,
                    lastNumber + 1,
                    e.getMessage() + "; what is behind it cannot be read");
        }
        atEnd();
    }

    private boolean isOwnHeader(byte[] header) {
        try {
            SenderPublicKey authority = LogFormat.readHeader(header);
            if (authority.fingerprint().equals(fingerprint)) {
                lastDigest = LogFormat.origin(authority);
                return true;
            }
            findings.add(LogProblem.FOREIGN, 0, 0, "the log is of another authority, " + authority.fingerprint());
        } catch (MalformedEncodingException e) {
            findings.add(LogProblem.DAMAGED, 0, 0, String.valueOf(e.getMessage()));
        }
        return false;
    }

    /** A head is an array that begins with a word; an entry begins with a number. */
    private static boolean isHead(byte[] item) {
        CborReader in = new CborReader("item", item);
        try {
            in.array("item", Integer.MAX_VALUE);
            return in.nextIsText();
        } catch (MalformedEncodingException e) {
            return false;
        }
    }

    private void entry(byte[] bytes) {
        byte[] digest = Merkle.leaf(bytes);
        tree.append(digest);
        LogEntry entry;
        try {
            entry = LogEntry.decode(bytes);
        } catch (MalformedEncodingException e) {
            lastNumber++;
            lastDigest = null;
            findings.add(LogProblem.DAMAGED, lastNumber, lastNumber, String.valueOf(e.getMessage()));
            return;
        }
        long number = entry.number();
        if (number <= lastNumber) {
            findings.add(LogProblem.OUT_OF_ORDER, number, number, "stands behind entry " + lastNumber);
            return;
        }
        if (number > lastNumber + 1) {
            findings.add(LogProblem.MISSING, lastNumber + 1, number - 1, "entry " + number + " follows");
        } else if (lastDigest != null && !MessageDigest.isEqual(lastDigest, entry.previous())) {
            notNamed(number);
        }
        if (entry.time().isBefore(lastTime)) {
            findings.add(LogProblem.BACK_IN_TIME, number, number, "is older than the entry before it");
        }
        lastNumber = number;
        lastDigest = digest;
        lastTime = entry.time();
    }

    private void notNamed(long number) {
        if (number == 1) {
            findings.add(LogProblem.FOREIGN, 1, 1, "is the first entry of another log");
        } else {
            findings.add(
                    LogProblem.ALTERED,
                    number - 1,
                    number - 1,
                    "is not the one that entry " + number + " names: one of the two was altered");
        }
    }

    private void head(byte[] bytes) {
        SignedTreeHead signed;
        try {
            signed = SignedTreeHead.decode(bytes);
        } catch (MalformedEncodingException e) {
            findings.add(LogProblem.DAMAGED, 0, 0, "a head behind entry " + lastNumber + ": " + e.getMessage());
            return;
        }
        if (!signed.isSignedBy(fingerprint)) {
            findings.add(
                    LogProblem.BAD_HEAD,
                    0,
                    0,
                    "the head behind entry " + lastNumber + " is not signed by this authority");
            return;
        }
        TreeHead head = signed.head();
        if (head.size() > lastNumber) {
            missing(head.size(), "a head behind entry " + lastNumber);
        } else if (head.size() < lastNumber) {
            findings.add(
                    LogProblem.MISPLACED_HEAD,
                    0,
                    0,
                    "a head of " + head.size() + " entries stands behind entry " + lastNumber);
        } else {
            compareRoot(head, "the head signed at " + head.time());
            lastHead = head.size();
        }
        for (Expected other : expected.getOrDefault(head.size(), List.of())) {
            compare(head, "the log's head signed at " + head.time(), other);
        }
    }

    private void compare(TreeHead head, String source, Expected other) {
        if (!MessageDigest.isEqual(head.root(), other.head.root())) {
            findings.add(
                    LogProblem.FORKED,
                    0,
                    0,
                    source + " and " + other.source + " are both signed, for " + head.size()
                            + " entries, and differ: the authority has shown two logs");
        }
    }

    private void compareRoot(TreeHead head, String source) {
        if (!MessageDigest.isEqual(head.root(), tree.root())) {
            findings.add(
                    LogProblem.REWRITTEN,
                    Math.min(covered() + 1, head.size()),
                    head.size(),
                    "are not those that were signed: " + source + " has another root");
        }
    }

    private void checkExpected() {
        for (Expected kept : expected.getOrDefault(tree.size(), List.of())) {
            compareRoot(kept.head, kept.source);
        }
    }

    private void missing(long size, String source) {
        findings.add(
                LogProblem.MISSING,
                lastNumber + 1,
                size,
                source + " was signed for " + size + " entries: the end is cut off");
    }

    private void atEnd() {
        expected.tailMap(Math.max(tree.size(), lastNumber) + 1)
                .values()
                .forEach(heads -> heads.forEach(kept -> missing(kept.head.size(), kept.source)));
        if (lastHead < lastNumber) {
            findings.add(
                    LogProblem.UNSIGNED, Math.min(covered() + 1, lastNumber), lastNumber, "no signed head covers them");
        }
    }

    /** How many entries were read. */
    public long entries() {
        return tree.size();
    }

    /** The number of the last entry that a head of the log covers. */
    public long covered() {
        return Math.max(0, lastHead);
    }

    /** What is wrong, in the order in which it was noticed. */
    public List<Finding> findings() {
        return findings.all();
    }
}
