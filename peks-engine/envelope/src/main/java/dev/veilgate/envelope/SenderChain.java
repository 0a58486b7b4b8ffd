package dev.veilgate.envelope;

import dev.veilgate.envelope.ChainVerifier.Finding;
import dev.veilgate.envelope.ChainVerifier.Problem;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one sender's chain: numbers 1 to {@code highest} are there except the gaps. Of each envelope a short digest is
 * kept; of one that follows a gap also the one that it names as previous, until the gap closes.
 */
final class SenderChain {
    private static final int TAG_BYTES = 16;
    /** Tags of consecutive numbers share an array; a lone number far out costs one array, less than its envelope had. */
    private static final int CHUNK = 64;

    private static final String BAD_SIGNATURE = ": the signature is not this sender's";

    /** Numbers that are not there; {@code opened} counts the sender's envelopes when it was noticed. */
    private record Gap(long to, long opened) {}

    private final String sender;
    private final int window;
    private final byte[] tagKey;
    private final FindingLog log;
    private final List<SenderPublicKey.Verifier> keys = new ArrayList<>();

    private final Map<Long, byte[]> tags = new HashMap<>();
    private final TreeMap<Long, Gap> gaps = new TreeMap<>();
    private final Map<Long, byte[]> previousOf = new HashMap<>();
    private final Set<Long> forked = new HashSet<>();
    /** Claimed number and source of what nobody signed. */
    private final TreeMap<Long, String> unsigned = new TreeMap<>();

    private long highest;
    private long arrivals;
    private @Nullable Instant promised;

    SenderChain(String sender, int window, byte[] tagKey, FindingLog log) {
        this.sender = sender;
        this.window = window;
        this.tagKey = tagKey;
        this.log = log;
    }

    String sender() {
        return sender;
    }

    void addKey(SenderPublicKey.Verifier key) {
        keys.add(key);
    }

    /** Whether it is a new envelope that the sender signed. */
    boolean add(String source, Envelope envelope) {
        long sequence = envelope.sequence();
        if (keys.stream().noneMatch(envelope::signedBy)) {
            if (unsigned.size() >= ChainVerifier.MAX_FINDINGS || unsigned.putIfAbsent(sequence, source) != null) {
                log.add(Problem.BAD_SIGNATURE, sender, sequence, source + BAD_SIGNATURE);
            }
            return false;
        }
        byte[] tag = tag(envelope.digest());
        if (isThere(sequence)) {
            again(source, sequence, tag);
            return false;
        }
        place(source, sequence);
        byte[] chunk = tags.computeIfAbsent(sequence / CHUNK, at -> new byte[CHUNK * TAG_BYTES]);
        System.arraycopy(tag, 0, chunk, offset(sequence), TAG_BYTES);
        link(source, sequence, tag(envelope.previousDigest()));
        for (LossReport loss : envelope.loss()) {
            log.add(Problem.LOSS_REPORTED, sender, sequence, source + ": " + describe(loss));
        }
        if (sequence == highest) {
            promised = envelope.heartbeatSeconds() == 0
                    ? null
                    : envelope.sealed().plusSeconds(envelope.heartbeatSeconds());
        }
        return true;
    }

    private static String describe(LossReport loss) {
        return loss.reason() + ", " + loss.records() + " records, " + loss.bytes() + " bytes, " + loss.from() + " to "
                + loss.to();
    }

    private boolean isThere(long sequence) {
        if (sequence > highest) {
            return false;
        }
        Map.Entry<Long, Gap> gap = gaps.floorEntry(sequence);
        return gap == null || gap.getValue().to < sequence;
    }

    private void again(String source, long sequence, byte[] tag) {
        if (MessageDigest.isEqual(tag, tagOf(sequence))) {
            log.add(Problem.REPEATED, sender, sequence, source);
        } else {
            forked.add(sequence);
            log.add(Problem.FORKED, sender, sequence, source + ": another envelope of this number is signed, too");
        }
    }

    /** Closes a part of a gap, or moves the highest number on. */
    private void place(String source, long sequence) {
        arrivals++;
        if (sequence > highest) {
            if (sequence > highest + 1) {
                gaps.put(highest + 1, new Gap(sequence - 1, arrivals));
            }
            highest = sequence;
            return;
        }
        Map.Entry<Long, Gap> entry = gaps.floorEntry(sequence);
        long from = entry.getKey();
        Gap gap = entry.getValue();
        gaps.remove(from);
        if (from < sequence) {
            gaps.put(from, new Gap(sequence - 1, gap.opened));
        }
        if (sequence < gap.to) {
            gaps.put(sequence + 1, gap);
        }
        if (arrivals - 1 - gap.opened >= window) {
            log.add(Problem.REORDERED, sender, sequence, source);
        }
    }

    /** Compares what neighbours say of each other. */
    private void link(String source, long sequence, byte[] previous) {
        if (sequence > 1) {
            if (isThere(sequence - 1)) {
                requireLinked(source, sequence - 1, previous);
            } else {
                previousOf.put(sequence, previous);
            }
        }
        byte[] next = sequence == Long.MAX_VALUE ? null : previousOf.remove(sequence + 1);
        if (next != null) {
            requireLinked(source, sequence, next);
        }
    }

    private void requireLinked(String source, long sequence, byte[] claimed) {
        if (!MessageDigest.isEqual(tagOf(sequence), claimed) && forked.add(sequence)) {
            String detail = source + ": the next envelope follows another one of this number";
            log.add(new Finding(Problem.FORKED, sender, sequence, sequence, detail));
        }
    }

    /** Adds what only the whole shows: gaps, places where something altered stands, a silent tail. */
    void report(Instant now, FindingLog open) {
        TreeMap<Long, String> left = new TreeMap<>(unsigned);
        gaps.forEach((from, gap) -> {
            if (arrivals - gap.opened >= window) {
                reportGap(from, gap.to, left, open);
            }
        });
        long next = highest;
        for (String source = take(left, ++next); source != null; source = take(left, ++next)) {
            altered(open, next, source);
        }
        left.forEach((sequence, source) -> open.add(Problem.BAD_SIGNATURE, sender, sequence, source + BAD_SIGNATURE));
        if (promised != null && now.isAfter(promised)) {
            open.add(Problem.SILENT_TAIL, sender, highest + 1, "promised by " + promised);
        }
    }

    private void reportGap(long from, long to, TreeMap<Long, String> left, FindingLog open) {
        long at = from;
        for (Long bad = left.ceilingKey(at); bad != null && bad <= to; bad = left.ceilingKey(at)) {
            missing(open, at, bad - 1);
            altered(open, bad, Objects.requireNonNull(left.remove(bad))); // it is one of its keys
            at = bad + 1;
        }
        missing(open, at, to);
    }

    private static @Nullable String take(TreeMap<Long, String> left, long sequence) {
        return left.remove(sequence);
    }

    private void altered(FindingLog open, long sequence, String source) {
        open.add(Problem.ALTERED, sender, sequence, source + ": not what the sender signed");
    }

    private void missing(FindingLog open, long from, long to) {
        if (from <= to) {
            open.add(new Finding(Problem.MISSING, sender, from, to, "no envelope of this number"));
        }
    }

    private byte[] tag(byte[] digest) {
        MessageDigest sha = Hashes.sha256();
        sha.update(tagKey);
        return Arrays.copyOf(sha.digest(digest), TAG_BYTES);
    }

    private byte[] tagOf(long sequence) {
        byte[] chunk = tags.get(sequence / CHUNK);
        int at = offset(sequence);
        return Arrays.copyOfRange(chunk, at, at + TAG_BYTES);
    }

    private static int offset(long sequence) {
        return (int) (sequence % CHUNK) * TAG_BYTES;
    }
}
