package dev.veilgate.gateway.ingest;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.query.IndexAdmission;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Index blocks of a form that only earlier versions sealed, whose senders could choose what they match. Devices may
 * have some in their spools when a gateway is updated: those of registered senders are taken for a time, and are found
 * by searches, but not by routes. What was stored or journaled by the earlier version was checked by it, and is found
 * as before.
 *
 * <p>The time counts from the newest envelope with such blocks that the store held when this gateway first ran a
 * version that refuses them. A store that held none has no such devices, and takes none. What is taken since does not
 * count, or whoever sends one in time would have the next one taken too.
 *
 * <p>Safe for use by several threads.
 */
public final class OutdatedBlocks {
    private static final Logger LOG = LoggerFactory.getLogger(OutdatedBlocks.class);
    private static final String SINCE = "index-form-3-since";
    private static final String NEWEST = "index-form-2-newest";
    private static final String NONE = "none";

    private final Instant since;
    private final Optional<Instant> until;
    private final IndexSchemes schemes;
    /** The latest time that is known to have been: the clock may be set back. */
    private final AtomicReference<Instant> latest;

    /**
     * @param since  when this gateway first ran a version that refuses them
     * @param until  when those of registered senders are no longer taken; empty if they never are
     * @param latest a time that has been, whatever the clock says later
     */
    public OutdatedBlocks(Instant since, Optional<Instant> until, Instant latest, IndexSchemes schemes) {
        this.since = since;
        this.until = until;
        this.latest = new AtomicReference<>(latest);
        this.schemes = schemes;
    }

    /**
     * The policy of a data folder and its store. Since when, and from what arrival it counts, is written to the folder
     * at the first start: retention may delete that envelope.
     *
     * @param taken for how long
     */
    static OutdatedBlocks of(Path dataFolder, EnvelopeStore store, Duration taken, IndexSchemes schemes, Clock clock)
            throws IOException {
        if (!Files.exists(dataFolder.resolve(SINCE))) {
            warnOfUnchecked(dataFolder);
            write(
                    dataFolder,
                    SINCE,
                    clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
        }
        Instant since = time(dataFolder.resolve(SINCE));
        if (!Files.exists(dataFolder.resolve(NEWEST))) {
            Optional<Instant> newest = store.newest(since, envelope -> IndexAdmission.isOutdated(envelope, schemes));
            write(dataFolder, NEWEST, newest.map(Instant::toString).orElse(NONE));
        }
        Path newest = dataFolder.resolve(NEWEST);
        Optional<Instant> until = Files.readString(newest).strip().equals(NONE)
                ? Optional.empty()
                : Optional.of(earlier(time(newest), since).plus(taken));
        Instant stored = store.newestArrival().orElse(Instant.EPOCH);
        return new OutdatedBlocks(since, until, stored, schemes);
    }

    private static void write(Path folder, String name, String text) throws IOException {
        DurableFiles.replace(folder, name, null, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static Instant time(Path file) throws IOException {
        try {
            Instant time = Instant.parse(Files.readString(file).strip());
            if (time.isAfter(Instant.MAX.minus(IngestSettings.MOST_OUTDATED))) {
                throw new IOException(file + " holds a time that cannot be counted from");
            }
            return time;
        } catch (DateTimeException e) {
            throw new IOException(file + " must hold a time such as 2026-12-01T00:00:00Z", e);
        }
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    /**
     * Envelopes that versions before took were checked by them once more after 2026-11-26; this one can tell nothing of
     * their blocks.
     */
    private static void warnOfUnchecked(Path dataFolder) throws IOException {
        Path folder = dataFolder.resolve("forged");
        Path done = folder.resolve("rules-checked");
        boolean isChecked = Files.exists(done) && Files.readString(done).strip().equals("3");
        if (Files.exists(folder) && !isChecked) {
            LOG.warn("what is stored here was not checked for forged index blocks by the version before: start that one"
                    + " once, until it says that all stored envelopes are checked, and then this one again");
        }
    }

    /** Tells if an envelope has any. */
    boolean areIn(Envelope envelope) {
        return IndexAdmission.isOutdated(envelope, schemes);
    }

    /** Tells if those of registered senders are taken at this time; once they were not, they are not again. */
    boolean areTaken(Instant now) {
        Instant time = latest.accumulateAndGet(now, (known, read) -> read.isAfter(known) ? read : known);
        return until.isPresent() && time.isBefore(until.get());
    }

    /** Until when; empty if they never were. */
    Optional<Instant> until() {
        return until;
    }

    /** The arrival as routes see it: without outdated blocks that came since this version runs. */
    public Arrival forRoutes(Arrival arrival) {
        if (arrival.arrived().isBefore(since) || !areIn(arrival.envelope())) {
            return arrival;
        }
        List<Optional<StoredBlock>> blocks = new ArrayList<>(arrival.blocks());
        for (int i = 0; i < blocks.size(); i++) {
            if (IndexAdmission.isOutdated(arrival.envelope().index().get(i), schemes)) {
                blocks.set(i, Optional.empty());
            }
        }
        return new Arrival(arrival.envelope(), blocks, arrival.content(), arrival.arrived());
    }
}
