package dev.veilgate.console.search;

import dev.veilgate.application.command.StopWaits;
import dev.veilgate.authority.PendingRequest;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.client.GatewayClient;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.gateway.Gateway;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.SessionEnded;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.rows.RowMemory;
import dev.veilgate.console.rules.Decision;
import dev.veilgate.console.settings.ConsoleSettings;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.extract.mail.CostlyAttachments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** All searches that are held, each its owner's alone. */
@Component
class Searches implements DisposableBean, StopWaits {
    private static final Logger LOG = LoggerFactory.getLogger(Searches.class);
    private static final Duration SWEEP = Duration.ofMinutes(1);
    private static final Duration TO_END = Duration.ofSeconds(3);

    private final Custody custody;
    private final AuditLog log;
    private final Gateway gateway;
    private final SearchSettings settings;
    private final ScanSpeed speed;
    private final Rechecks rechecks;
    private final JsonMapper json;
    private final Clock clock;
    private final Path spoolFolder;
    private final SecureRandom random = new SecureRandom();
    private final CostlyAttachments costly = new CostlyAttachments();
    private final RowMemory memory = RowMemory.ofHeap();
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
            Rechecks rechecks,
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
        this.rechecks = rechecks;
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
     * Starts a search, on a thread of its own; there its trapdoors are issued, too.
     *
     * @param session  that it goes with
     * @param decision by which it was allowed
     * @param began    when the user asked
     * @param limit    most rows
     * @throws ProblemException 409 if the user has as many as may run, 423 if the keys are locked, 400 for too many
     *                          trapdoors
     */
    SearchJob start(User user, UUID session, Intent intent, Decision decision, Instant began, long limit)
            throws Exception {
        reserve(user);
        try {
            GatewayClient client = gateway.client();
            // who locks the keys comes before all of this, or finds the search and ends it
            SearchJob job = custody.use(keys -> {
                SearchJob.Owner owner = new SearchJob.Owner(user.id(), session);
                SearchJob made = open(
                        owner,
                        intent,
                        issuing(user, intent, decision, keys),
                        began,
                        limit,
                        AskedSearch.earlier(intent, keys));
                jobs.put(made.id(), made);
                return made;
            });
            threads.execute(() -> {
                job.run(client);
                speed.tookPart(job.state());
                rechecks.run(job, this::isAnyRunning);
            });
            return job;
        } finally {
            release(user);
        }
    }

    private Issuing issuing(User user, Intent intent, Decision decision, TenantKeys keys)
            throws MalformedEncodingException {
        try {
            PendingRequest pending = keys.pendingFor(
                    user.attributes(),
                    intent.text().scope(),
                    intent.epochs(),
                    intent.query().terms(),
                    intent.query().expression());
            return new Issuing(custody, log, clock, random, user, intent, decision, pending);
        } catch (IllegalArgumentException e) {
            throw ProblemException.malformed(String.valueOf(e.getMessage()));
        }
    }

    private SearchJob open(
            SearchJob.Owner owner, Intent intent, Issuing issuing, Instant began, long limit, List<String> earlier)
            throws IOException {
        SearchJob.Order order = new SearchJob.Order(
                UUID.randomUUID(),
                owner,
                intent,
                issuing,
                began,
                Math.min(limit, settings.maxRows()),
                earlier,
                costly,
                rechecks.begin(intent));
        return new SearchJob(order, new RowSpool(spoolFolder, random), memory, log, json, clock);
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

    private boolean isAnyRunning() {
        return jobs.values().stream().anyMatch(SearchJob::isRunning);
    }

    /** Names of the fields of the records of a scope that the user has opened in searches that are held. */
    Set<String> fieldsSeen(User user, String scope) {
        Set<String> seen = new TreeSet<>();
        jobs.values().stream()
                .filter(job -> job.owner().equals(user.id())
                        && scope.equals(job.intent().text().scope()))
                .forEach(job -> seen.addAll(job.fields()));
        return seen;
    }

    /** Stops and forgets. */
    void remove(SearchJob job) {
        jobs.remove(job.id());
        job.forget();
        long until = System.nanoTime() + TO_END.toNanos();
        threads.execute(() -> closeWhenEnded(job, until));
    }

    /** What a session searched and opened goes with it. */
    @EventListener
    void on(SessionEnded end) {
        jobs.values().stream()
                .filter(job -> job.session().equals(end.session()))
                .forEach(this::remove);
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

    /** Those that wait for the keys end at once: whoever locks the keys has them. */
    private void removeAll() {
        removeAll(System.nanoTime() + TO_END.toNanos()); // for all of them together
    }

    private void removeAll(long until) {
        List<SearchJob> all = List.copyOf(jobs.values());
        all.forEach(SearchJob::forget);
        jobs.clear();
        all.forEach(job -> closeWhenEnded(job, until));
    }

    private void sweep() {
        Instant oldest = clock.instant().minus(settings.kept());
        jobs.values().stream()
                .filter(job -> !job.isRunning() && job.lastAsked().isBefore(oldest))
                .forEach(this::remove);
    }

    @Override
    public String stopWaitsFor() {
        long running = jobs.values().stream().filter(SearchJob::isRunning).count();
        return running == 0 ? "" : "searches that end: " + running;
    }

    @Override
    public void destroy() throws InterruptedException {
        long until = System.nanoTime() + TO_END.toNanos();
        removeAll(until);
        threads.shutdown();
        threads.awaitTermination(until - System.nanoTime(), TimeUnit.NANOSECONDS); // what is issued now is logged, too
        threads.shutdownNow();
    }
}
