package dev.veilgate.gateway.search;

import dev.veilgate.files.DurableFiles;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.http.ProblemException;
import dev.veilgate.gateway.ingest.Visibility;
import dev.veilgate.gateway.search.SearchJob.Outcome;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.store.SearchHit;
import dev.veilgate.query.PreparedSearch;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;

/** The searches of all tenants. They do not outlive the process: whoever asked asks again. */
final class SearchJobs {
    private static final Logger LOG = LoggerFactory.getLogger(SearchJobs.class);

    private final EnvelopeStore store;
    private final Visibility visibility;
    private final SearchSettings settings;
    private final Path folder;
    private final Function<SearchHit, byte[]> form;
    private final Clock clock;
    private final MeterRegistry metrics;
    private final Map<UUID, SearchJob> jobs = new ConcurrentHashMap<>();

    /**
     * @param folder for hits
     * @param form   what is kept of a hit
     */
    SearchJobs(
            EnvelopeStore store,
            Visibility visibility,
            SearchSettings settings,
            Path folder,
            Function<SearchHit, byte[]> form,
            Clock clock,
            MeterRegistry metrics)
            throws IOException {
        this.store = store;
        this.visibility = visibility;
        this.settings = settings;
        this.folder = folder;
        this.form = form;
        this.clock = clock;
        this.metrics = metrics;
        DurableFiles.createFolder(folder);
    }

    /** Starts a search; it goes on whoever watches. */
    SearchJob start(Principal owner, PreparedSearch search) throws IOException {
        SearchJob job = admit(owner);
        Thread.ofVirtual().name("search-" + job.id()).start(() -> run(job, search));
        return job;
    }

    private synchronized SearchJob admit(Principal owner) throws IOException {
        List<SearchJob> ofTenant = jobs.values().stream()
                .filter(job -> job.tenant().equals(owner.tenant()))
                .toList();
        if (ofTenant.size() >= settings.jobsPerTenant()) {
            SearchJob oldest = ofTenant.stream()
                    .filter(job -> job.state().outcome() != null)
                    .min(Comparator.comparing(SearchJob::touched))
                    .orElseThrow(() -> new ProblemException(
                            HttpStatus.TOO_MANY_REQUESTS,
                            "too-many-searches",
                            "as many searches run as the tenant may have; wait for one, or cancel it"));
            remove(oldest);
        }
        UUID id = UUID.randomUUID();
        SearchJob job = new SearchJob(id, owner, clock.instant(), new HitFile(folder, id.toString()), form);
        jobs.put(id, job);
        return job;
    }

    private void run(SearchJob job, PreparedSearch search) {
        Outcome outcome = Outcome.FAILED;
        try {
            if (!visibility.await(job.tenant(), Visibility.MOST_BEHIND)) {
                LOG.info("search {} begins before all is stored that was acknowledged", job.id());
            }
            store.search(search, job, job::isCancelled);
            outcome = job.isCancelled() ? Outcome.CANCELLED : Outcome.COMPLETE;
        } catch (IOException | RuntimeException e) {
            LOG.error("search {} failed", job.id(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            job.end(outcome);
            count(job);
        }
    }

    private void count(SearchJob job) {
        SearchJob.State state = job.state();
        String outcome = state.outcome() == null ? "" : state.outcome().label();
        metrics.timer("veilgate.search", "outcome", outcome).record(state.millis(), TimeUnit.MILLISECONDS);
        metrics.counter("veilgate.search.blocks", "answer", "tested")
                .increment(state.progress().blocksTested());
        metrics.counter("veilgate.search.blocks", "answer", "remembered")
                .increment(state.progress().blocksRemembered());
        LOG.info(
                "search {} of {}: {}, {} hits, {} blocks tested, {} remembered, {} ms",
                job.id(),
                job.tenant(),
                outcome,
                state.progress().hits(),
                state.progress().blocksTested(),
                state.progress().blocksRemembered(),
                state.millis());
    }

    /** A search of this principal; it counts as asked about. */
    Optional<SearchJob> find(Principal principal, UUID id) {
        Optional<SearchJob> found = Optional.ofNullable(jobs.get(id)).filter(job -> job.isOf(principal));
        found.ifPresent(this::touch);
        return found;
    }

    /** Somebody still reads it. */
    void touch(SearchJob job) {
        job.touch(clock.instant());
    }

    /** Cancels one that runs, whose hits so far stay; removes one that has ended. */
    void cancel(SearchJob job) {
        if (job.state().outcome() == null) {
            job.cancel();
        } else {
            remove(job);
        }
    }

    /** Those whose hits can be read, or will be. */
    int count() {
        return jobs.size();
    }

    /** Ends what nobody asks about, and what is too old. */
    void purge() {
        Instant now = clock.instant();
        for (SearchJob job : jobs.values()) {
            boolean isOver = job.touched().plus(settings.idle()).isBefore(now)
                    || job.created().plus(settings.maxAge()).isBefore(now);
            if (isOver) {
                job.cancel();
                if (job.state().outcome() != null) {
                    remove(job);
                }
            }
        }
    }

    /** Cancels all, so that streams end. */
    void stop() {
        jobs.values().forEach(SearchJob::cancel);
    }

    private void remove(SearchJob job) {
        jobs.remove(job.id());
        try {
            job.remove();
        } catch (IOException e) {
            LOG.warn("hits of search {} could not be deleted", job.id(), e);
        }
    }
}
