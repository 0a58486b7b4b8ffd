package dev.veilgate.console.search;

import dev.veilgate.abe.Label;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.client.GatewayClient;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.gateway.Gateway;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.rules.Decision;
import dev.veilgate.console.settings.ConsoleSettings;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.reading.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** All searches that are held, each its owner's alone. */
@Component
class Searches implements DisposableBean {
    private static final Logger LOG = LoggerFactory.getLogger(Searches.class);
    private static final Duration SWEEP = Duration.ofMinutes(1);
    /** A gateway looks at the grant when a search begins. */
    private static final Duration GRANT_HOLDS = Duration.ofHours(1);

    private static final Duration TO_END = Duration.ofSeconds(5);

    private final Custody custody;
    private final AuditLog log;
    private final Gateway gateway;
    private final SearchSettings settings;
    private final ScanSpeed speed;
    private final JsonMapper json;
    private final Clock clock;
    private final Path spoolFolder;
    private final SecureRandom random = new SecureRandom();
    private final Map<UUID, SearchJob> jobs = new ConcurrentHashMap<>();
    /** How many each user is starting; guarded by this. */
    private final Map<String, Integer> starting = new HashMap<>();

    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofPlatform().daemon().name("search-job-", 0).factory());

    Searches(
            Custody custody,
            AuditLog log,
            Gateway gateway,
            SearchSettings settings,
            ScanSpeed speed,
            ConsoleSettings console,
            JsonMapper json,
            Clock clock,
            TaskScheduler scheduler)
            throws IOException {
        this.custody = custody;
        this.log = log;
        this.gateway = gateway;
        this.settings = settings;
        this.speed = speed;
        this.json = json;
        this.clock = clock;
        this.spoolFolder = console.dataDir().resolve("spool");
        deleteLeftBehind();
        custody.beforeLocking(this::removeAll);
        scheduler.scheduleWithFixedDelay(this::sweep, SWEEP);
    }

    /** What a crash left; its keys are gone. */
    private void deleteLeftBehind() throws IOException {
        Files.createDirectories(spoolFolder);
        try (Stream<Path> left = Files.list(spoolFolder)) {
            for (Path file : left.toList()) {
                Files.delete(file);
            }
        }
    }

    /**
     * Issues trapdoors and starts. What is issued is in the log before anybody has it.
     *
     * @param decision by which it was allowed
     * @param began    when the user asked
     * @param limit    most rows
     */
    SearchJob start(User user, Intent intent, Decision decision, Instant began, long limit) throws Exception {
        reserve(user);
        try {
            GatewayClient client = gateway.client();
            SearchRequest request = issue(user, intent, decision);
            // who locks the keys comes before all of this, or finds the search and ends it
            SearchJob job = custody.use(keys -> {
                SearchJob made = open(user, intent, request, reading(user, intent, keys), began, limit);
                jobs.put(made.id(), made);
                return made;
            });
            threads.execute(() -> {
                job.run(client);
                speed.tookPart(job.state());
            });
            return job;
        } finally {
            release(user);
        }
    }

    private SearchJob open(User user, Intent intent, SearchRequest request, Reading reading, Instant began, long limit)
            throws Exception {
        RowSpool spool = null;
        try {
            spool = new RowSpool(spoolFolder, random);
            return new SearchJob(
                    new SearchJob.Order(
                            UUID.randomUUID(),
                            user.id(),
                            intent,
                            request,
                            reading,
                            began,
                            Duration.between(began, clock.instant()).toMillis(),
                            Math.min(limit, settings.maxRows())),
                    spool,
                    log,
                    json,
                    clock);
        } catch (Exception e) {
            reading.close();
            if (spool != null) {
                spool.close();
            }
            throw e;
        }
    }

    private SearchRequest issue(User user, Intent intent, Decision decision) throws Exception {
        return custody.issue((keys, store) -> {
            SearchRequest issued;
            try {
                issued = keys.request(
                                intent.text().scope(),
                                intent.epochs(),
                                intent.query().terms(),
                                intent.query().expression(),
                                store)
                        .with(intent.filter());
            } catch (IllegalArgumentException e) {
                throw ProblemException.malformed(String.valueOf(e.getMessage()));
            }
            List<LogDraft> entries = new ArrayList<>(Entries.trapdoors(
                    log, user.id(), decision.logNumber(), intent.query().terms(), issued, decision.hideKeywords()));
            Instant expires = clock.instant().truncatedTo(ChronoUnit.SECONDS).plus(GRANT_HOLDS);
            entries.add(Entries.grant(user.id(), decision.logNumber(), issued, expires));
            long granted = log.append(entries) + entries.size() - 1;
            return keys.granted(issued, Entries.GRANT_HOLDER, expires, granted);
        });
    }

    /** With keys for the user's own attributes in the epochs that are searched. */
    private Reading reading(User user, Intent intent, TenantKeys keys) throws Exception {
        List<ReaderKey> held = new ArrayList<>();
        if (user.attributes().isPresent()) {
            Label label = new Label.OfAttributes(user.attributes().get());
            held.addAll(keys.sessionReaderKeys(user.id(), label, intent.epochs(), random));
            LogDraft entry = Entries.attributeKey(user.id(), user.id(), label.toString(), intent.epochs());
            try {
                if (!held.isEmpty()) {
                    log.append(entry);
                }
            } catch (ProblemException e) {
                held.forEach(ReaderKey::close);
                throw e;
            }
        }
        return Reading.throughAuthority(held, keys);
    }

    /** Makes room for one more, and keeps it for who is starting one. */
    private synchronized void reserve(User user) {
        List<SearchJob> own = of(user);
        int begun = starting.getOrDefault(user.id(), 0);
        if (own.stream().filter(SearchJob::isRunning).count() + begun >= settings.running()) {
            throw ProblemException.conflict(
                    settings.running() + " of your searches are running; stop one, or wait for it");
        }
        own.stream()
                .filter(job -> !job.isRunning())
                .sorted(Comparator.comparing(SearchJob::lastAsked))
                .limit(Math.max(0, own.size() + begun - settings.perUser() + 1L))
                .forEach(this::remove);
        starting.put(user.id(), begun + 1);
    }

    private synchronized void release(User user) {
        starting.computeIfPresent(user.id(), (id, begun) -> begun > 1 ? begun - 1 : null);
    }

    /** The user's, newest first. */
    List<SearchJob> of(User user) {
        return jobs.values().stream()
                .filter(job -> job.owner().equals(user.id()))
                .sorted(Comparator.comparing((SearchJob job) -> job.state().started())
                        .reversed())
                .toList();
    }

    /**
     * One of the user's.
     *
     * @throws ProblemException 404 for others' as for those that there are not
     */
    SearchJob find(User user, UUID id) {
        SearchJob job = jobs.get(id);
        if (job == null || !job.owner().equals(user.id())) {
            throw ProblemException.notFound("the search");
        }
        job.touch();
        return job;
    }

    /** Stops and forgets. */
    void remove(SearchJob job) {
        jobs.remove(job.id());
        job.stop();
        long until = System.nanoTime() + TO_END.toNanos();
        threads.execute(() -> closeWhenEnded(job, until));
    }

    private static void closeWhenEnded(SearchJob job, long until) {
        try {
            while (job.isRunning() && System.nanoTime() < until) {
                Thread.sleep(20);
            }
            job.close();
        } catch (IOException e) {
            LOG.warn("the rows of a search could not be deleted", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void removeAll() {
        List<SearchJob> all = List.copyOf(jobs.values());
        all.forEach(SearchJob::stop);
        jobs.clear();
        long until = System.nanoTime() + TO_END.toNanos(); // for all of them together
        all.forEach(job -> closeWhenEnded(job, until));
    }

    private void sweep() {
        Instant oldest = clock.instant().minus(settings.kept());
        jobs.values().stream()
                .filter(job -> !job.isRunning() && job.lastAsked().isBefore(oldest))
                .forEach(this::remove);
    }

    @Override
    public void destroy() {
        removeAll();
        threads.shutdownNow();
    }
}
