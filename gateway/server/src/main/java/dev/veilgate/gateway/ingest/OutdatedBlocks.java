package dev.veilgate.gateway.ingest;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.gateway.store.Arrival;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Index blocks of a form that only earlier versions sealed, whose senders could choose what they match. Devices may
 * have some in their spools when a gateway is updated: those of registered senders are taken for a time, and are found
 * by searches, but not by routes. What was stored or journaled by the earlier version was checked by it, and is found
 * as before.
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class OutdatedBlocks {
    private static final Logger LOG = LoggerFactory.getLogger(OutdatedBlocks.class);
    private static final String FILE = "index-form-3-since";

    private final Instant since;
    private final Instant until;
    private final IndexSchemes schemes;

    /**
     * @param since when this gateway first ran a version that refuses them
     * @param taken for how long from then on those of registered senders are taken
     * @throws DateTimeException if that ends behind all time
     */
    public OutdatedBlocks(Instant since, Duration taken, IndexSchemes schemes) {
        this.since = since;
        this.until = since.plus(taken);
        this.schemes = schemes;
    }

    /** The policy from the time that is written in a data folder; it is written there at the first start. */
    static OutdatedBlocks of(Path dataFolder, Duration taken, IndexSchemes schemes, Clock clock) throws IOException {
        Path file = dataFolder.resolve(FILE);
        if (!Files.exists(file)) {
            warnOfUnchecked(dataFolder);
            Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
            DurableFiles.replace(dataFolder, FILE, null, now.toString().getBytes(StandardCharsets.US_ASCII));
        }
        try {
            return new OutdatedBlocks(Instant.parse(Files.readString(file).strip()), taken, schemes);
        } catch (DateTimeException e) {
            throw new IOException(file + " must hold a time such as 2026-12-01T00:00:00Z", e);
        }
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

    /** Tells if those of registered senders are taken at this time. */
    boolean areTaken(Instant now) {
        return now.isBefore(until);
    }

    /** Until when. */
    Instant until() {
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
