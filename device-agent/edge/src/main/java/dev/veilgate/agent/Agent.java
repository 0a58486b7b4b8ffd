package dev.veilgate.agent;

import dev.veilgate.agent.follow.FileSource;
import dev.veilgate.agent.follow.JournalSource;
import dev.veilgate.agent.follow.Lane;
import dev.veilgate.agent.follow.Positions;
import dev.veilgate.agent.follow.Source;
import dev.veilgate.agent.follow.StreamSource;
import dev.veilgate.agent.paths.LinkRule;
import dev.veilgate.agent.paths.OwnFiles;
import dev.veilgate.agent.publish.MqttOptions;
import dev.veilgate.agent.publish.Publisher;
import dev.veilgate.agent.spool.AgentState;
import dev.veilgate.agent.spool.Spool;
import dev.veilgate.agent.spool.SpoolDisk;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.files.LockFile;
import dev.veilgate.service.LineLog;
import dev.veilgate.service.Monitor;
import dev.veilgate.settings.AgentSettings;
import dev.veilgate.settings.SourceSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The running agent: takes up where it was, reads, seals and spools until it is stopped; a second thread publishes. */
final class Agent implements AutoCloseable {
    private static final long MAX_IDLE_MILLIS = 100;

    /**
     * What differs between a process and a test.
     *
     * @param in    standard input
     * @param clock the time
     * @param disk  of the spool
     */
    record World(InputStream in, Clock clock, SpoolDisk disk, LineLog log) {}

    private final AgentSettings settings;
    private final LineLog log;
    private final StopSignal stop = new StopSignal();
    private final Counters counters = new Counters();
    private final LockFile lock;
    private final Spool spool;
    private final BatchSealer sealer;
    private final Publisher publisher;
    private final List<Source> sources = new ArrayList<>();
    private final SealingLine line;
    private final Lane ownLane;
    private final @Nullable Monitor monitor;

    /**
     * Takes up the state and begins to publish.
     *
     * @param sealer makes the sealer, given a clock and the serial of the last bundle
     * @param topic  where envelopes go
     */
    Agent(AgentSettings settings, MqttOptions mqtt, String topic, Function<Start, BatchSealer> sealer, World world)
            throws IOException {
        this.settings = settings;
        this.log = world.log();
        Path folder = settings.state();
        Files.createDirectories(folder);
        this.lock = LockFile.tryLock(folder.resolve("lock"))
                .orElseThrow(() ->
                        new IOException(folder + " is in use by another agent; a state folder belongs to one agent"));
        this.spool = Spool.open(folder.resolve("spool"), world.disk());
        AgentState state = spool.state();
        SteadyClock clock = new SteadyClock(world.clock(), state.clock());
        this.sealer = sealer.apply(new Start(clock, state.serial()));
        if (state.templates() > 0) {
            this.sealer.restoreTemplates(spool.readTemplates(state.templates()));
        }
        Positions positions = positions(state, spool);
        this.publisher = new Publisher(spool, mqtt, topic, settings.refusedAfter(), log::info);
        this.ownLane = new Lane(settings.scope(), "text/plain", "auto", settings.readers());
        Limits limits = new Limits(settings.batch(), settings.spool(), settings.heartbeat(), settings.templates());
        this.line = new SealingLine(
                spool,
                this.sealer,
                positions,
                clock,
                limits,
                counters,
                log,
                stop,
                () -> publisher.status().maximumBytes(),
                publisher::refusedForGood);
        settings.sources().forEach(source -> sources.add(source(source, positions, world.in())));
        this.monitor = settings.monitorPort() == 0
                ? null
                : Monitor.start(settings.monitorPort(), new HealthReport(counters, spool, publisher, clock));
        log.info("takes up after envelope " + (state.next().sequence() - 1) + ", " + spool.size() + " in the spool");
        publisher.start();
    }

    /** What a sealer begins with. */
    record Start(Clock clock, long bundleSerial) {}

    private static Positions positions(AgentState state, Spool spool) throws IOException {
        try {
            return state.base() == 0
                    ? Positions.decode(state.positions())
                    : Positions.decode(state.base(), spool.readPositions(state.base()), state.positions());
        } catch (MalformedEncodingException e) {
            throw new IOException("the state of the agent is damaged: " + e.getMessage());
        }
    }

    private Source source(SourceSettings source, Positions positions, InputStream in) {
        Lane lane = new Lane(source.scope(), source.mediaType(), source.format(), source.readers());
        int maxRecord = settings.batch().maxRecordBytes();
        return switch (source.kind()) {
            case STDIN -> new StreamSource(lane, in, maxRecord);
            case JOURNALD -> {
                List<String> command = new ArrayList<>(List.of(source.reader()));
                command.addAll(source.match());
                String name = "journal:" + String.join(" ", source.match());
                yield new JournalSource(lane, name, command, maxRecord, source.fromEnd(), positions);
            }
            case FILES -> {
                FileSource.Options options = new FileSource.Options(
                        source.patterns(),
                        source.exclude(),
                        source.fromEnd(),
                        maxRecord,
                        settings.linger(),
                        settings.maxFiles(),
                        LinkRule.of(source.links(), new OwnFiles(settings.ownFiles(), List.of(settings.state()))));
                yield new FileSource(lane, options, positions, () -> sealer.mostJoinedBytes(lane.format()));
            }
        };
    }

    /**
     * Reads and seals until it is stopped, or to the end of all sources.
     *
     * @param once stop when there is nothing more to read
     * @return whether all was published
     */
    boolean run(boolean once) throws IOException {
        boolean all = false;
        try {
            read(once);
            all = finish(once);
        } catch (InterruptedException e) {
            log.warn("stopped before all that was read could be sealed; it is read again at the next start");
        }
        return all;
    }

    private void read(boolean once) throws IOException, InterruptedException {
        if (once) { // one after the other, so that lines come out as the files would be printed
            for (Source source : sources) {
                source.finish(line);
            }
            return;
        }
        for (Source source : sources) { // all of them: the first that is read may have to wait for a bundle
            source.open(line);
        }
        long idle = 1;
        long looks = 0;
        while (!stop.isRequested()) {
            boolean some = false;
            for (Source source : sources) {
                some |= source.poll(line);
            }
            line.flushDue();
            line.quiet(ownLane);
            if (looks++ % 20 == 0) {
                counters.bundle = sealer.warning(Clock.systemUTC().instant());
                counters.sources = sources.stream().map(Source::describe).collect(Collectors.joining("; "));
            }
            if (!some && sources.stream().allMatch(Source::ended)) {
                return;
            }
            idle = some ? 1 : Math.min(MAX_IDLE_MILLIS, 2 * idle);
            if (!some) {
                stop.idle(line.dueIn(idle));
            }
        }
    }

    private boolean finish(boolean once) throws IOException, InterruptedException {
        for (Source source : sources) {
            source.stop(line);
        }
        line.farewell(ownLane);
        long millis = once && !stop.isRequested()
                ? Long.MAX_VALUE / 2_000_000
                : settings.shutdown().toMillis();
        long end = System.nanoTime() + millis * 1_000_000;
        boolean empty = publisher.awaitEmpty(0);
        while (!empty && System.nanoTime() - end < 0 && !(once && stop.isRequested() && stop.leftMillis() == 0)) {
            line.setAsideRefused(ownLane);
            empty = publisher.awaitEmpty(100);
        }
        log.info(empty ? "stopped; all is published" : "stopped; " + spool.size() + " envelopes stay in the spool");
        return empty;
    }

    /** Asks to stop: seals what is read, publishes for a while, keeps the rest. From any thread. */
    void stop() {
        stop.request(settings.shutdown().toMillis());
    }

    /** Envelopes that a stop still publishes; for people. From any thread. */
    String stopWaitsFor() {
        long waiting = spool.size();
        return waiting == 0 ? "" : "envelopes to be published: " + waiting;
    }

    Counters counters() {
        return counters;
    }

    Publisher publisher() {
        return publisher;
    }

    Spool spool() {
        return spool;
    }

    @Override
    public void close() throws IOException {
        Monitor open = monitor;
        if (open != null) {
            open.close();
        }
        sources.forEach(Source::close);
        publisher.close();
        sealer.close();
        lock.close();
    }
}
