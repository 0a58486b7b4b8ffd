package dev.veilgate.console.search;

import dev.veilgate.authority.TenantKeys;
import dev.veilgate.console.chains.ChainAlarms;
import dev.veilgate.console.chains.ChainClaims;
import dev.veilgate.console.chains.ChainClaims.Claim;
import dev.veilgate.console.chains.ChainReader;
import dev.veilgate.console.chains.SeenChains;
import dev.veilgate.console.chains.SeenChains.Seen;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.query.Intent;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.query.Filter;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Rechecks of all searches: each takes turns with the others, an envelope at a time, and waits a moment while
 * somebody's search runs. Safe for use by several threads.
 */
@Component
class Rechecks {
    private static final Logger LOG = LoggerFactory.getLogger(Rechecks.class);

    /** Chains that are looked at; of very many senders the first. */
    private static final int MOST_CHAINS = 10_000;

    /** For the gateway to say how chains stand, before a search begins. */
    private static final Duration TO_BEGIN = Duration.ofSeconds(5);

    /** How long an envelope waits for running searches. */
    private static final Duration TO_LET_PASS = Duration.ofMillis(250);

    private static final long STEP_MILLIS = 10;

    private final Custody custody;
    private final SeenChains seen;
    private final ChainClaims claims;
    private final Recheck.Means means;
    private final RecheckSettings settings;
    private final Clock clock;
    private final Semaphore turn = new Semaphore(1, true);

    Rechecks(
            Custody custody,
            SeenChains seen,
            ChainClaims claims,
            ChainReader reader,
            ChainAlarms alarms,
            RecheckSettings settings,
            Clock clock) {
        this.custody = custody;
        this.seen = seen;
        this.claims = claims;
        this.means = new Recheck.Means(reader, alarms, IndexSchemes.load(), new SecureRandom());
        this.settings = settings;
        this.clock = clock;
    }

    /** Chains as they stand before a search; taken while its trapdoors are issued. */
    static final class Begun {
        private final @Nullable CompletableFuture<ChainsBefore> taking;
        private volatile @Nullable ChainsBefore taken;

        private Begun(@Nullable CompletableFuture<ChainsBefore> taking) {
            this.taking = taking;
        }

        /** Waits for it, but not long: what is known later says nothing of a search that has begun. */
        void await() throws InterruptedException {
            if (taking == null) {
                return;
            }
            try {
                taken = taking.get(TO_BEGIN.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                LOG.warn("how chains stand before a search is not known: {}", e.toString());
            }
        }

        /** Chains as far as they were known in time. */
        Optional<ChainsBefore> taken() {
            return Optional.ofNullable(taken);
        }
    }

    /** Begins with a search that is about to begin. */
    Begun begin(Intent intent) {
        if (settings.envelopes() == 0 || intent.text().mail()) {
            return new Begun(null);
        }
        CompletableFuture<ChainsBefore> taking = new CompletableFuture<>();
        Thread.ofVirtual().name("chains-before").start(() -> {
            try {
                taking.complete(before(intent.filter()));
            } catch (Exception e) {
                taking.completeExceptionally(e);
            }
        });
        return new Begun(taking);
    }

    private ChainsBefore before(Filter filter) throws Exception {
        List<Seen> known = seen.all(MOST_CHAINS);
        Instant at = clock.instant();
        Map<String, Claim> claimed = claims.now();
        Set<String> names = new TreeSet<>();
        known.forEach(chain -> names.add(chain.sender()));
        names.addAll(claimed.keySet());
        if (!filter.senders().isEmpty()) {
            names.retainAll(filter.senders());
        }
        return custody.use(keys -> before(keys, filter, names, known, at, claimed));
    }

    private static ChainsBefore before(
            TenantKeys keys, Filter filter, Set<String> names, List<Seen> known, Instant at, Map<String, Claim> claimed)
            throws IOException {
        Map<String, SenderPublicKey> registered = new TreeMap<>();
        for (String name : names.stream().limit(MOST_CHAINS).toList()) {
            keys.sender(name).ifPresent(key -> registered.put(name, key));
        }
        Map<String, Seen> last = new TreeMap<>();
        for (Seen chain : known) {
            SenderPublicKey key = registered.get(chain.sender());
            if (key != null && key.fingerprint().equals(chain.key())) {
                last.put(chain.sender(), chain);
            }
        }
        List<String> unchecked = new ArrayList<>();
        long[] more = {0};
        keys.senders().forEach(key -> {
            boolean isAsked = filter.senders().isEmpty() || filter.senders().contains(key.sender());
            if (isAsked && !registered.containsKey(key.sender())) {
                if (unchecked.size() < RecheckState.MOST_NAMED) {
                    unchecked.add(key.sender());
                } else {
                    more[0]++;
                }
            }
        });
        return new ChainsBefore(at, registered, last, claimed, List.copyOf(unchecked), more[0]);
    }

    /**
     * Rechecks a search that has ended, if it can be, and keeps what it saw of chains.
     *
     * @param isBusy whether somebody's search runs
     */
    void run(SearchJob job, BooleanSupplier isBusy) {
        try {
            Optional<ChainsBefore> before = job.begun().taken();
            if (before.isPresent()) {
                keep(job, before.get());
            }
            Optional<RecheckState> without = without(job, before);
            job.recheck(without.isPresent() ? without.get() : recheck(job, before.orElseThrow(), isBusy));
        } catch (ProblemException e) {
            job.recheck(RecheckState.of(RecheckState.FAILED, String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            job.recheck(RecheckState.of(RecheckState.FAILED, "the console is stopping"));
        } catch (Exception e) {
            LOG.error("the recheck of a search failed", e);
            job.recheck(RecheckState.of(RecheckState.FAILED, "internal error; the console's log says more"));
        }
    }

    /** Only of senders whose key is the one of before: whose signatures the search has checked by it. */
    private void keep(SearchJob job, ChainsBefore before) throws Exception {
        Map<String, SenderPublicKey> unchanged = new TreeMap<>(before.keys());
        custody.use(keys -> {
            for (SenderPublicKey key : before.keys().values()) {
                if (!keys.sender(key.sender()).equals(Optional.of(key))) {
                    unchanged.remove(key.sender());
                }
            }
            return keys;
        });
        job.found().seen(unchanged).forEach(seen::keep);
    }

    /** Why there is no recheck of a search. */
    private Optional<RecheckState> without(SearchJob job, Optional<ChainsBefore> before) {
        if (settings.envelopes() == 0) {
            return Optional.of(RecheckState.of(RecheckState.OFF, "rechecks are off"));
        }
        if (job.intent().text().mail()) {
            return Optional.of(RecheckState.of(RecheckState.OFF, "mail has no chain"));
        }
        if (!job.isComplete()) {
            return Optional.of(RecheckState.of(RecheckState.OFF, "the search did not come to its end"));
        }
        return before.isPresent()
                ? Optional.empty()
                : Optional.of(RecheckState.of(
                        RecheckState.FAILED, "the gateway did not say how chains stood before the search"));
    }

    private RecheckState recheck(SearchJob job, ChainsBefore before, BooleanSupplier isBusy) throws Exception {
        Intent intent = job.intent();
        Filter asked = intent.asked();
        Instant from = asked.from().isPresent()
                ? asked.from().get()
                : custody.use(
                        keys -> keys.epochs().named(intent.epochs().getFirst()).from());
        Instant to = asked.to().filter(end -> end.isBefore(before.at())).orElse(before.at());
        Recheck.Subject subject = new Recheck.Subject(job.id(), prepared(job.request()), job.found(), before, from, to);
        return new Recheck(subject, means, settings, new OwnTurns(job, isBusy), clock.instant()).run(job::recheck);
    }

    private PreparedSearch prepared(SearchRequest request) {
        try {
            return PreparedSearch.of(request, means.schemes());
        } catch (MalformedEncodingException e) {
            throw new IllegalStateException("trapdoors that were issued here", e);
        }
    }

    /** Turns of one recheck, until its search is removed or its share is used up. */
    private final class OwnTurns implements Recheck.Turns {
        private final SearchJob job;
        private final BooleanSupplier isBusy;
        private long begun;
        private long nanos;
        private long bytes;

        OwnTurns(SearchJob job, BooleanSupplier isBusy) {
            this.job = job;
            this.isBusy = isBusy;
        }

        @Override
        public boolean next() throws InterruptedException {
            long until = System.nanoTime() + TO_LET_PASS.toNanos();
            while (isBusy.getAsBoolean() && !job.isForgotten() && System.nanoTime() < until) {
                Thread.sleep(STEP_MILLIS);
            }
            if (job.isForgotten() || why() != null) {
                return false;
            }
            turn.acquire();
            begun = System.nanoTime();
            return true;
        }

        @Override
        public void end(long fetched) {
            nanos += System.nanoTime() - begun;
            bytes += fetched;
            turn.release();
        }

        @Override
        public @Nullable String why() {
            if (nanos > settings.time().toNanos()) {
                return "it took as long as it may take";
            }
            return bytes > settings.bytes().toBytes() ? "it fetched as much as it may fetch" : null;
        }
    }
}
