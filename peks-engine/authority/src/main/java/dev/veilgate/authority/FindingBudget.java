package dev.veilgate.authority;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.secret.Exercises;
import dev.veilgate.secret.Power;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Bound of what answers about indexes tell a sender who makes blocks of a stranger's ({@code docs/spec/ntru-peks.md},
 * section 8). Each finding, an answer that something is not as it should be, is counted; after {@value
 * #MOST_OF_SENDER} of a sender nothing of that sender is looked into any more, and after {@value #MOST_OF_DAY} of all
 * in a day nothing of anybody, until a keeper says so.
 *
 * <p>Durable: kept in the key folder, and counted before the answer is given, so that no crash or restart gives a
 * finding back. A folder that is restored from shares begins anew; a keeper's work, too. Safe for use by several
 * threads.
 */
public final class FindingBudget {
    /** Findings of one sender. */
    public static final int MOST_OF_SENDER = 16;

    /** Findings of all senders in a day of UTC. */
    public static final int MOST_OF_DAY = 256;

    static final String FILE = "index-findings";
    private static final int VERSION = 1;
    private static final int MOST_SENDERS = 1 << 16;

    private final Path folder;
    private final Clock clock;
    private final SortedMap<String, Integer> ofSenders = new TreeMap<>();
    private long day;
    private int ofDay;

    private FindingBudget(Path folder, Clock clock) {
        this.folder = folder;
        this.clock = clock;
    }

    /** Reads what was counted; nothing, if there is no file. */
    static FindingBudget open(Path folder, Clock clock) throws IOException, MalformedEncodingException {
        FindingBudget budget = new FindingBudget(folder, clock);
        try {
            budget.read(Files.readAllBytes(folder.resolve(FILE)));
        } catch (NoSuchFileException e) {
            return budget; // no finding yet
        }
        return budget;
    }

    private void read(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("index-findings", encoded);
        in.expect("version", VERSION);
        day = ByteBuffer.wrap(in.bytes("day", Long.BYTES)).getLong();
        ofDay = ByteBuffer.wrap(in.bytes("of-day", Short.BYTES)).getShort();
        while (in.remaining() > 0) {
            int count = in.uint8("count");
            String sender = in.shortString("sender");
            if (count < 1 || count > MOST_OF_SENDER || ofSenders.put(sender, count) != null) {
                throw new MalformedEncodingException(
                        "index-findings.sender", "must have 1 to " + MOST_OF_SENDER + " findings, once");
            }
        }
        if (ofDay < 0 || ofDay > MOST_OF_DAY) {
            throw new MalformedEncodingException("index-findings.of-day", "must be 0 to " + MOST_OF_DAY);
        }
    }

    /** Tells whether envelopes of a sender may be looked into. */
    public synchronized boolean allows(String sender) {
        return ofDay() < MOST_OF_DAY
                && ofSenders.getOrDefault(sender, 0) < MOST_OF_SENDER
                && (ofSenders.containsKey(sender) || ofSenders.size() < MOST_SENDERS);
    }

    /** Findings of the present day; of an earlier one if there were too many then, which a new day does not mend. */
    private int ofDay() {
        return ofDay < MOST_OF_DAY && today() > day ? 0 : ofDay;
    }

    private long today() {
        return Math.floorDiv(
                clock.instant().getEpochSecond(), Duration.ofDays(1).toSeconds());
    }

    /**
     * Counts a finding, durably. To be called before anybody is told of it.
     *
     * @throws IOException           if it cannot be written: then nobody is to be told
     * @throws IllegalStateException if the sender is not {@link #allows allowed} one
     */
    public synchronized void count(String sender) throws IOException {
        if (!allows(sender)) {
            throw new IllegalStateException("there were as many findings as may be");
        }
        ofDay = ofDay() + 1;
        day = Math.max(day, today());
        ofSenders.merge(sender, 1, Integer::sum);
        save();
    }

    /** Lets a sender be looked into again, whose findings a keeper has seen. */
    @Exercises(Power.CHANGE_KEYS)
    public synchronized void allow(String sender) throws IOException {
        if (ofSenders.remove(sender) != null) {
            save();
        }
    }

    /** Begins the day anew, after a keeper has seen why there were so many findings. The counts of senders stay. */
    @Exercises(Power.CHANGE_KEYS)
    public synchronized void allowDay() throws IOException {
        ofDay = 0;
        save();
    }

    /** Tells whether there were so many findings in a day that nothing is looked into. */
    public synchronized boolean isDayUsedUp() {
        return ofDay() >= MOST_OF_DAY;
    }

    /** How many findings there were, by sender; only senders with some. */
    public synchronized SortedMap<String, Integer> findings() {
        return Collections.unmodifiableSortedMap(new TreeMap<>(ofSenders));
    }

    /** Senders of whom nothing is looked into. */
    public synchronized SortedSet<String> stopped() {
        SortedSet<String> stopped = new TreeSet<>();
        ofSenders.forEach((sender, count) -> {
            if (count >= MOST_OF_SENDER) {
                stopped.add(sender);
            }
        });
        return stopped;
    }

    private void save() throws IOException {
        ByteWriter out = new ByteWriter(32 + 32 * ofSenders.size())
                .uint8(VERSION)
                .int64(day)
                .bytes(ByteBuffer.allocate(Short.BYTES).putShort((short) ofDay).array());
        ofSenders.forEach((sender, count) -> out.uint8(count).shortString(sender));
        DurableFiles.replace(folder, FILE, null, out.toByteArray());
    }
}
