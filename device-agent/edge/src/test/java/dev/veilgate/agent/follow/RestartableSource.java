package dev.veilgate.agent.follow;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A source of files that stops and goes on from what was saved, as an agent does, with a clock of its own: a scan is
 * due whenever there is nothing to read.
 */
final class RestartableSource implements AutoCloseable {
    /** As many scans as it takes to forget a file that is gone, and some more. */
    private static final int QUIET_SCANS = 6;

    final Recorder sink = new Recorder();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong unseen = new AtomicLong();
    private FileSource.Options options;
    private FileSource source;

    RestartableSource(FileSource.Options options) {
        this.options = options;
        this.source = open();
    }

    /** With room for a hundred files, and no time for late writers. */
    static FileSource.Options following(String pattern, String... excluded) {
        return new FileSource.Options(
                List.of(pattern), List.of(excluded), false, 4096, Duration.ZERO, 100, Recorder.RULE);
    }

    private FileSource open() {
        return new FileSource(new Lane("s", "text/plain", "auto"), options, sink.positions, nanos::get, unseen::get);
    }

    /** Goes on at once with other settings; nothing is read from the disk. */
    void reopen(FileSource.Options others) {
        source.close();
        options = others;
        source = open();
    }

    /** Lets time pass. */
    void later(Duration time) {
        nanos.addAndGet(time.toNanos());
        unseen.addAndGet(time.toNanos());
    }

    boolean poll() throws Exception {
        return source.poll(sink);
    }

    /** To the end of all files. */
    void drain() throws Exception {
        for (int quiet = 0; quiet < QUIET_SCANS; ) {
            if (poll()) {
                quiet = 0;
            } else {
                quiet++;
                nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            }
        }
        sink.settle();
    }

    /** What was read and not sealed is read again. */
    void stop() {
        source.close();
        sink.open.clear();
    }

    void start() throws Exception {
        sink.positions = Positions.decode(sink.saved);
        source = open();
    }

    @Override
    public void close() {
        source.close();
    }
}
