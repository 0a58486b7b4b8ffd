package dev.veilgate.agent.follow;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The journal of systemd, by its own reader {@code journalctl}, one JSON object a record. The journal's cursor is the place to go on from. A
 * reader that ends is started again.
 */
public final class JournalSource implements Source {
    private static final int QUEUE_RECORDS = 256;
    private static final long RESTART_NANOS = 1_000_000_000L;

    private final Lane lane;
    private final String name;
    private final List<String> command;
    private final int maxRecordBytes;
    private final boolean fromEnd;
    private final BlockingQueue<ReadRecord> queue = new ArrayBlockingQueue<>(QUEUE_RECORDS);
    private volatile @Nullable Process process;
    private @Nullable Thread reader;
    private volatile @Nullable String lastRead;
    private final AtomicLong overlongBytes = new AtomicLong();
    private final AtomicLong overlong = new AtomicLong();
    private long startAt = System.nanoTime();
    private int starts;

    /**
     * A source of the journal.
     *
     * @param name    of the source, to which the cursor belongs
     * @param command journalctl and options that choose entries; what makes it follow, and from where, is added
     */
    public JournalSource(
            Lane lane, String name, List<String> command, int maxRecordBytes, boolean fromEnd, Positions positions) {
        this.lane = lane;
        this.name = name;
        this.command = List.copyOf(command);
        this.maxRecordBytes = maxRecordBytes;
        this.fromEnd = fromEnd;
        this.lastRead = positions.cursor(name);
    }

    @Override
    public boolean poll(RecordSink sink) throws IOException, InterruptedException {
        Thread running = reader;
        if ((running == null || !running.isAlive()) && queue.isEmpty() && System.nanoTime() - startAt >= 0) {
            start(sink);
        }
        long tooLong = overlong.getAndSet(0);
        if (tooLong > 0) {
            sink.lost("journal-entry-too-long", "the journal", tooLong, overlongBytes.getAndSet(0));
        }
        boolean some = false;
        for (int i = 0; i < QUEUE_RECORDS; i++) {
            ReadRecord record = queue.poll();
            if (record == null) {
                break;
            }
            sink.accept(record);
            some = true;
        }
        return some;
    }

    private void start(RecordSink sink) {
        List<String> full = new ArrayList<>(command);
        full.addAll(List.of("--follow", "--output=json", "--all", "--quiet", "--no-pager"));
        String cursor = lastRead;
        if (cursor != null) {
            full.add("--after-cursor=" + cursor);
        } else {
            full.add(fromEnd ? "--lines=0" : "--lines=all");
        }
        startAt = System.nanoTime() + RESTART_NANOS;
        if (starts++ > 0) {
            sink.notice("the reader of the journal ended; started again");
        }
        try {
            Process started = new ProcessBuilder(full)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process = started;
            reader = Thread.ofPlatform().daemon().name("journal").start(() -> read(started));
        } catch (IOException e) {
            sink.notice("the reader of the journal cannot be started: is " + command.getFirst() + " installed?");
        }
    }

    private void read(Process from) {
        try (InputStream in = new BufferedInputStream(from.getInputStream(), 1 << 16)) {
            ByteArrayOutputStream entry = new ByteArrayOutputStream();
            long length = 0;
            for (int b = in.read(); b >= 0; b = in.read()) {
                if (b != '\n') {
                    length++;
                    if (length <= maxRecordBytes) {
                        entry.write(b);
                    }
                    continue;
                }
                if (length > maxRecordBytes) {
                    overlongBytes.addAndGet(length);
                    overlong.incrementAndGet();
                } else {
                    put(entry.toByteArray());
                }
                entry.reset();
                length = 0;
            }
        } catch (IOException | InterruptedException e) {
            // closed, or killed; poll starts another
        } finally {
            from.destroy();
        }
    }

    private void put(byte[] entry) throws InterruptedException {
        String cursor = JournalCursor.of(entry);
        if (cursor == null) {
            return; // no entry
        }
        queue.put(
                new ReadRecord(lane, JournalUnit.source(entry), entry, "", (to, record) -> to.putCursor(name, cursor)));
        lastRead = cursor;
    }

    @Override
    public void finish(RecordSink sink) throws IOException, InterruptedException {
        while (poll(sink)) {
            // what was read; the journal itself has no end
        }
    }

    @Override
    public String describe() {
        Process running = process;
        return running != null && running.isAlive() ? "journal open" : "journal closed";
    }

    @Override
    public void close() {
        Process running = process;
        Thread reading = reader;
        if (running != null) {
            running.destroy();
            try {
                if (!running.waitFor(2, TimeUnit.SECONDS)) {
                    running.destroyForcibly();
                }
            } catch (InterruptedException e) {
                running.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
        if (reading != null) {
            reading.interrupt();
        }
    }
}
