package dev.veilgate.agent;

import dev.veilgate.agent.follow.Lane;
import dev.veilgate.agent.follow.LeftOut;
import dev.veilgate.agent.follow.Positions;
import dev.veilgate.agent.follow.ReadRecord;
import dev.veilgate.agent.follow.RecordSink;
import dev.veilgate.agent.paths.Refusal;
import dev.veilgate.agent.publish.RefusedEnvelope;
import dev.veilgate.agent.spool.AgentState;
import dev.veilgate.agent.spool.Losses;
import dev.veilgate.agent.spool.Spool;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.LossReport;
import dev.veilgate.envelope.Origin;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.service.LineLog;
import dev.veilgate.settings.AgentSettings.WhenFull;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * From records to committed envelopes. A commit is one file: the envelope, and behind it how far the sources are
 * read, so a line is in exactly one
 * committed envelope. Whatever keeps a commit from happening (no room, no disk, no bundle) makes this wait, and with
 * it the sources: nothing
 * is read that cannot be kept.
 */
final class SealingLine implements RecordSink {
    private static final long RETRY_MILLIS = 200;
    /** Whoever may write in a folder can have many files refused. */
    private static final int MOST_REFUSED_SAID = 1000;

    private static final int MOST_COPIED_SAID = 1000;

    private static final String CATALOGUE = "application/vnd.veilgate.templates+cbor";

    /** Records that wait for others. */
    private static final class Batch {
        final List<ReadRecord> records = new ArrayList<>();
        final Instant first;
        final long sinceNanos = System.nanoTime();
        long bytes;

        Batch(Instant first) {
            this.first = first;
        }
    }

    private final Spool spool;
    private final BatchSealer sealer;
    private final Positions positions;
    private final Clock clock;
    private final Limits limits;
    private final Counters counters;
    private final LineLog log;
    private final StopSignal stop;
    private final LongSupplier brokerMaximum;
    private final Supplier<List<RefusedEnvelope>> refusedForGood;
    private final Map<Lane, Batch> open = new LinkedHashMap<>();
    private List<LossReport> losses = List.of();
    private long templatesOnDisk;
    private long templatesVersion;
    private long lastCommitNanos = System.nanoTime();
    private long lastCatalogueNanos = System.nanoTime();
    private boolean farewell;
    private boolean refusalToReport;
    private final HeapTrim heap = new HeapTrim();

    SealingLine(
            Spool spool,
            BatchSealer sealer,
            Positions positions,
            Clock clock,
            Limits limits,
            Counters counters,
            LineLog log,
            StopSignal stop,
            LongSupplier brokerMaximum,
            Supplier<List<RefusedEnvelope>> refusedForGood) {
        this.spool = spool;
        this.sealer = sealer;
        this.positions = positions;
        this.clock = clock;
        this.limits = limits;
        this.counters = counters;
        this.log = log;
        this.stop = stop;
        this.brokerMaximum = brokerMaximum;
        this.refusedForGood = refusedForGood;
        this.templatesOnDisk = spool.state().templates();
        this.templatesVersion = sealer.templatesVersion();
    }

    @Override
    public void accept(ReadRecord record) throws IOException, InterruptedException {
        if (stop.leftMillis() == 0) {
            throw new InterruptedException("stopped");
        }
        if (!record.part().isEmpty()) { // an envelope of its own, whose media type says which part it is
            flush(record.lane());
            Batch part = new Batch(clock.instant());
            part.records.add(record);
            commit(record.lane(), part.records, part.first, record.part());
            return;
        }
        Batch batch = open.get(record.lane());
        if (batch != null
                && batch.bytes + record.bytes().length > limits.batch().bytes()) {
            flush(record.lane());
            batch = null;
        }
        if (batch == null) {
            batch = new Batch(clock.instant());
            open.put(record.lane(), batch);
        }
        batch.records.add(record);
        batch.bytes += record.bytes().length;
        if (batch.records.size() >= limits.batch().records()) {
            flush(record.lane());
        }
    }

    @Override
    public void settle() throws IOException, InterruptedException {
        for (Lane lane : List.copyOf(open.keySet())) {
            flush(lane);
        }
    }

    @Override
    public void lost(String reason, String source, long records, long bytes) {
        Instant now = clock.instant();
        losses = Losses.add(losses, new LossReport(reason, records, bytes, now, now));
        counters.lostRecords.addAndGet(records);
        counters.lostBytes.addAndGet(bytes);
        log.warn("lost: " + reason + ", " + source + ", "
                + (records == 0 && bytes == 0 ? "nobody knows how much" : bytes + " bytes"));
    }

    @Override
    public void repeated(String source, long bytes) {
        log.warn("perhaps read twice: up to " + bytes + " bytes of " + source + ", which was replaced");
    }

    @Override
    public void copied(String path, String other) {
        long count = counters.filesCopied.incrementAndGet();
        if (count <= MOST_COPIED_SAID) {
            log.warn("perhaps read twice: " + path + " begins with the same bytes as " + other
                    + ", which is followed, too; if it is a copy, exclude it");
        }
        if (count == MOST_COPIED_SAID) {
            log.warn("more files that may be copies are counted, in files_copied, and not named");
        }
    }

    @Override
    public void leftOut(LeftOut reason, long bytes) {
        counters.filesLeftOut.incrementAndGet();
        log.warn("a rotated file of " + bytes + " bytes was not read: " + reason.why());
        if (reason == LeftOut.UNREADABLE) { // the bytes of a copy are read where they were copied from
            lost("unreadable-file", "a rotated file", 0, bytes);
        }
    }

    @Override
    public void refused(String path, Refusal refusal) {
        long count = counters.filesRefused.incrementAndGet();
        if (count <= MOST_REFUSED_SAID) {
            log.warn("not read: " + path + ": " + refusal.why() + "; if it is to be read: " + refusal.remedy());
        }
        if (count == MOST_REFUSED_SAID) {
            log.warn("more files that are not read are counted, in files_refused, and not named");
        }
    }

    @Override
    public void notice(String what) {
        log.warn(what);
    }

    /** Seals what has waited long enough. */
    void flushDue() throws IOException, InterruptedException {
        long now = System.nanoTime();
        for (Map.Entry<Lane, Batch> entry : List.copyOf(open.entrySet())) {
            if (now - entry.getValue().sinceNanos >= limits.batch().time().toNanos()) {
                flush(entry.getKey());
            }
        }
    }

    /** Milliseconds until {@link #flushDue} has something to do, at most so many. */
    long dueIn(long most) {
        long now = System.nanoTime();
        long due = most;
        for (Batch batch : open.values()) {
            long left = limits.batch().time().toMillis() - (now - batch.sinceNanos) / 1_000_000;
            due = Math.min(due, Math.max(0, left));
        }
        return due;
    }

    /** Sets aside what the gateway refuses for good, and seals an envelope that reports it. */
    void setAsideRefused(Lane lane) throws IOException, InterruptedException {
        setAsideRefused();
        if (refusalToReport && open.isEmpty()) {
            commit(lane, List.of(), clock.instant(), "");
        }
    }

    private void setAsideRefused() {
        for (RefusedEnvelope refused : refusedForGood.get()) {
            try {
                LossReport report = spool.setAside(
                        refused.sequence(), refused.why(), limits.spool().maxBytes());
                if (report == null) {
                    continue; // done already
                }
                counters.setAside.incrementAndGet();
                counters.lostRecords.addAndGet(report.records());
                counters.lostBytes.addAndGet(report.bytes());
                log.warn("lost: " + report.reason() + ", " + report.records() + " records; envelope "
                        + refused.sequence() + " is set aside in the folder " + Spool.REFUSED + " of the state: "
                        + refused.why());
                refusalToReport = true;
            } catch (IOException _) {
                diskFailed(); // again soon
            }
        }
    }

    /** What is due in quiet times: what is refused, positions of new files, new templates, the promised envelope. */
    void quiet(Lane lane) throws IOException, InterruptedException {
        boolean early = spool.state().generation() == 0; // a checkpoint is none that others see
        setAsideRefused(lane);
        if (positions.changed()) {
            try {
                writePositions();
                spool.checkpoint(next(spool.state().next(), allLosses()));
                positions.saved();
                losses = List.of();
            } catch (IOException _) {
                diskFailed(); // again soon; until then a restart would look at the file as a new one
            }
        }
        long now = System.nanoTime();
        if (now - lastCatalogueNanos >= limits.templates().toNanos()) {
            catalogue(lane);
        }
        long promise = limits.heartbeat().toNanos();
        boolean late = promise > 0 && now - lastCommitNanos >= promise / 4 * 3;
        boolean backlog = spool.size() > 1; // it will say enough when it gets through
        if (open.isEmpty() && (early || late && !backlog || !losses.isEmpty())) {
            commit(lane, List.of(), clock.instant(), "");
            counters.heartbeats.incrementAndGet();
        }
    }

    /** The last envelope before a stop: with it nothing more is promised. */
    void farewell(Lane lane) throws IOException, InterruptedException {
        settle();
        catalogue(lane);
        farewell = true;
        commit(lane, List.of(), clock.instant(), "");
    }

    private void catalogue(Lane lane) throws IOException, InterruptedException {
        lastCatalogueNanos = System.nanoTime();
        BatchSealer.Catalogue changes = sealer.catalogueSince(spool.state().catalogue());
        if (changes == null) {
            return;
        }
        keepTemplates(); // the next catalogue is asked for by the version of this one
        List<byte[]> record = List.of(changes.record());
        SealedEnvelope sealed;
        try {
            sealed = sealWhenReady(content(lane, CATALOGUE, record, clock.instant(), List.of(), false));
        } catch (BatchSealer.LineByLineException e) {
            throw new IllegalStateException("a catalogue is no line", e);
        }
        savePositions();
        append(sealed, 0, 0, next(sealed.next(), List.of(), changes.version()));
        counters.catalogues.incrementAndGet();
    }

    private void flush(Lane lane) throws IOException, InterruptedException {
        Batch batch = open.remove(lane);
        if (batch != null) {
            commit(lane, batch.records, batch.first, "");
        }
    }

    private void commit(Lane lane, List<ReadRecord> records, Instant first, String part)
            throws IOException, InterruptedException {
        if (!room()) {
            drop(records);
            return;
        }
        String mediaType = part.isEmpty() ? lane.mediaType() : lane.mediaType() + ";part=" + part;
        List<byte[]> bytes = records.stream().map(ReadRecord::bytes).toList();
        List<Origin> origins = Origin.of(
                records.stream().map(record -> Origin.fitting(record.source())).toList());
        boolean isJoined = records.stream().anyMatch(record -> record.origin().isOfSeveral());
        SealedEnvelope sealed = null;
        try {
            sealed = sealWhenReady(content(lane, mediaType, bytes, first, origins, isJoined));
        } catch (BatchSealer.LineByLineException e) { // the rules are others than when they were joined
            List<ReadRecord> apart = new ArrayList<>();
            records.forEach(record -> apart.addAll(record.origin().apart(record)));
            commit(lane, apart, first, part);
            return;
        } catch (IllegalArgumentException e) {
            if (records.size() < 2) {
                throw e;
            }
        }
        if (records.size() > 1 && (sealed == null || sealed.bytes().length > brokerMaximum.getAsLong())) {
            int half = records.size() / 2; // nothing was committed: the sequence number is still free
            commit(lane, records.subList(0, half), first, part);
            commit(lane, records.subList(half, records.size()), first, part);
            return;
        }
        long plainBytes = 0;
        ReadRecord.advance(records, positions);
        for (ReadRecord record : records) {
            plainBytes += record.bytes().length;
        }
        saveTemplates();
        savePositions();
        SealedEnvelope whole = Objects.requireNonNull(sealed); // or else there were two, and they were halved
        append(whole, records.size(), plainBytes, next(whole.next(), List.of()));
        counters.records.addAndGet(records.size());
        counters.plainBytes.addAndGet(plainBytes);
    }

    private BatchSealer.Content content(
            Lane lane, String mediaType, List<byte[]> records, Instant first, List<Origin> origins, boolean isJoined) {
        int promise = farewell ? 0 : (int) limits.heartbeat().toSeconds();
        return new BatchSealer.Content(
                lane, mediaType, records, first, clock.instant(), allLosses(), promise, origins, isJoined);
    }

    private List<LossReport> allLosses() {
        List<LossReport> all = spool.state().loss();
        for (LossReport report : losses) {
            all = Losses.add(all, report);
        }
        return all;
    }

    private AgentState next(ChainPosition at, List<LossReport> loss) {
        return next(at, loss, spool.state().catalogue());
    }

    private AgentState next(ChainPosition at, List<LossReport> loss, long catalogue) {
        return new AgentState(
                0,
                at,
                positions.encodeChanges(),
                positions.base(),
                loss,
                clock.instant(),
                templatesOnDisk,
                catalogue,
                sealer.bundleSerial(),
                0);
    }

    private SealedEnvelope sealWhenReady(BatchSealer.Content content)
            throws InterruptedException, BatchSealer.LineByLineException {
        while (true) {
            try {
                SealedEnvelope sealed = sealer.seal(content, spool.state().next());
                ready();
                return sealed;
            } catch (BatchSealer.NotReadyException e) {
                waitFor(String.valueOf(e.getMessage()));
            }
        }
    }

    private void saveTemplates() throws InterruptedException {
        if (sealer.templatesVersion() != templatesVersion) {
            keepTemplates();
        }
    }

    private void keepTemplates() throws InterruptedException {
        while (true) {
            try {
                templatesOnDisk = spool.writeTemplates(sealer.encodeTemplates());
                templatesVersion = sealer.templatesVersion();
                return;
            } catch (IOException e) {
                diskFailed();
                waitFor(diskProblem(e));
            }
        }
    }

    /**
     * Of thousands of files an envelope's state says only what changed; all of them are in a file of their own, which
     * is written again when much has.
     */
    private void writePositions() throws IOException {
        if (positions.isSmall()) {
            positions.based(0);
        } else if (positions.needsBase()) {
            positions.based(spool.writePositions(positions.encode()));
        }
    }

    private void savePositions() throws InterruptedException {
        while (true) {
            try {
                writePositions();
                return;
            } catch (IOException e) {
                diskFailed();
                waitFor(diskProblem(e));
            }
        }
    }

    private void append(SealedEnvelope sealed, long records, long plainBytes, AgentState next)
            throws InterruptedException {
        while (true) {
            try {
                spool.append(sealed.sequence(), sealed.bytes(), records, plainBytes, next);
                break;
            } catch (IOException e) {
                diskFailed();
                waitFor(diskProblem(e));
            }
        }
        ready();
        heap.look();
        positions.saved();
        losses = List.of();
        refusalToReport = false;
        lastCommitNanos = System.nanoTime();
        counters.envelopes.incrementAndGet();
        counters.envelopeBytes.addAndGet(sealed.bytes().length);
        try {
            spool.removeAsideBut(next);
        } catch (IOException _) {
            diskFailed(); // tried again with the next
        }
    }

    /** Waits for room in the spool, or makes it. Whether there is some. */
    private boolean room() throws InterruptedException {
        while (true) {
            setAsideRefused();
            String lack = lack();
            if (lack.isEmpty()) {
                return true;
            }
            if (limits.spool().whenFull() == WhenFull.DROP_NEWEST) {
                counters.waitsFor = lack;
                return false;
            }
            if (limits.spool().whenFull() == WhenFull.DROP_OLDEST && dropOldest()) {
                continue;
            }
            waitFor(lack);
        }
    }

    private String lack() {
        if (spool.bytes() >= limits.spool().maxBytes()) {
            return "the spool is full";
        }
        try {
            if (spool.size() > 0 && spool.free() < limits.spool().freeDisk()) {
                return "the disk has less than free-disk left";
            }
        } catch (IOException _) {
            diskFailed();
        }
        return "";
    }

    private boolean dropOldest() {
        try {
            LossReport report = spool.dropOldest(Math.max(1, limits.spool().maxBytes() / 16));
            if (report != null) {
                counters.lostRecords.addAndGet(report.records());
                counters.lostBytes.addAndGet(report.bytes());
                log.warn("lost: spool-full, " + report.records() + " records");
            }
            return report != null;
        } catch (IOException _) {
            diskFailed();
            return false;
        }
    }

    /** drop-newest: what was read goes; the positions go on with the next commit. */
    private void drop(List<ReadRecord> records) {
        long bytes = 0;
        ReadRecord.advance(records, positions);
        for (ReadRecord record : records) {
            bytes += record.bytes().length;
        }
        if (!records.isEmpty()) {
            lost("spool-full", "the newest records", records.size(), bytes);
        }
    }

    private static String diskProblem(IOException e) {
        return "the disk does not take it: " + e.getMessage();
    }

    private void diskFailed() {
        counters.diskErrors.incrementAndGet();
    }

    private void waitFor(String what) throws InterruptedException {
        if (!counters.waitsFor.equals(what)) {
            log.warn("waits: " + what);
        }
        counters.waitsFor = what;
        stop.pause(RETRY_MILLIS);
    }

    private void ready() {
        if (!counters.waitsFor.isEmpty()) {
            log.info("goes on");
            counters.waitsFor = "";
        }
    }
}
