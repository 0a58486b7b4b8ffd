package dev.veilgate.client;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A search on a gateway: its hits come in order, some envelopes are fetched at a time and ahead. Closed, early or not, the gateway is told to forget it: nothing goes on for
 * nobody, and no hits are kept there.
 */
public final class RunningSearch implements AutoCloseable {
    private static final int FETCHES = 4;
    private static final int AHEAD = 32;
    /** How much is fetched and not looked at yet: envelopes, of which a mail counts as some. It bounds the memory that large ones take. */
    private static final int HELD = 16;

    private static final int HELD_BY_A_MAIL = 4;
    private static final long POLL_MILLIS = 100;

    private final GatewayClient gateway;
    private final SearchRequest request;
    private final String id;
    private final Semaphore held = new Semaphore(HELD);

    /**
     * What was fetched for a hit; it is the envelope that was found.
     *
     * @param content the sealed mail beside it, where there is one; not copied
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Found(SearchEvent.Hit hit, Envelope envelope, byte @Nullable [] content) {}

    /** Takes what comes, on the thread that runs the search. */
    public interface Visitor {
        /** Whether to go on. Asked often. */
        boolean wantsMore() throws Exception;

        /**
         * Something was fetched, and will be looked at when its turn comes; on any thread.
         *
         * @param envelope untrusted
         */
        default void fetched(byte[] envelope) {}

        /** What was found. */
        void found(Found found) throws Exception;

        /** A hit whose envelope is not to be had, or is not what was found. */
        void refused(SearchEvent.Hit hit, String why) throws Exception;

        /** How far it is. */
        void progress(SearchEvent.Progress progress) throws Exception;
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Fetched(byte[] envelope, byte @Nullable [] content) {}

    /** An event, and for a hit what is being fetched. */
    private record Step(SearchEvent event, @Nullable Future<Fetched> fetch) {}

    private RunningSearch(GatewayClient gateway, SearchRequest request, String id) {
        this.gateway = gateway;
        this.request = request;
        this.id = id;
    }

    /** Starts one. */
    public static RunningSearch start(GatewayClient gateway, SearchRequest request)
            throws IOException, GatewayException, InterruptedException {
        return new RunningSearch(gateway, request, gateway.search(request));
    }

    /**
     * Hands everything to a visitor until the search's end, or until the visitor wants no more.
     *
     * @return the end; empty if the visitor wanted no more
     * @throws Exception what ended it before its end, or what the visitor threw
     */
    public Optional<SearchEvent.End> run(Visitor visitor) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(
                FETCHES + 1, Thread.ofPlatform().daemon().name("search-", 0).factory())) {
            try {
                return run(visitor, threads);
            } finally {
                threads.shutdownNow();
            }
        }
    }

    private Optional<SearchEvent.End> run(Visitor visitor, ExecutorService threads) throws Exception {
        BlockingQueue<Step> steps = new ArrayBlockingQueue<>(AHEAD);
        Future<Void> follower = threads.submit(() -> {
            gateway.follow(id, event -> {
                Future<Fetched> fetch = null;
                if (event instanceof SearchEvent.Hit hit) {
                    held.acquire(
                            share(hit)); // in the order of the hits, so that the next one to be looked at has its share
                    fetch = threads.submit(() -> fetch(hit, visitor));
                }
                steps.put(new Step(event, fetch));
            });
            return null;
        });
        while (visitor.wantsMore()) {
            Step step = steps.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
            if (step == null) {
                if (follower.isDone() && steps.isEmpty()) {
                    result(follower); // throws what ended it before the search's end
                    throw new IllegalStateException("the search has no end");
                }
                continue;
            }
            switch (step.event) {
                case SearchEvent.Hit hit -> {
                    visit(hit, Objects.requireNonNull(step.fetch), visitor);
                    held.release(share(hit));
                }
                case SearchEvent.Progress done -> visitor.progress(done);
                case SearchEvent.End end -> {
                    return Optional.of(end);
                }
            }
        }
        return Optional.empty();
    }

    private static int share(SearchEvent.Hit hit) {
        return hit.detached() ? HELD_BY_A_MAIL : 1;
    }

    private Fetched fetch(SearchEvent.Hit hit, Visitor visitor)
            throws IOException, GatewayException, InterruptedException {
        byte[] envelope = gateway.envelope(hit.which());
        visitor.fetched(envelope);
        return new Fetched(envelope, hit.detached() ? gateway.content(hit.which()) : null);
    }

    private void visit(SearchEvent.Hit hit, Future<Fetched> fetch, Visitor visitor) throws Exception {
        Envelope envelope;
        Fetched fetched;
        try {
            while (!isDone(fetch)) {
                if (!visitor.wantsMore()) {
                    return;
                }
            }
            fetched = result(fetch);
            envelope = Envelope.decode(fetched.envelope);
        } catch (MalformedEncodingException e) {
            visitor.refused(hit, String.valueOf(e.getMessage()));
            return;
        } catch (GatewayException e) {
            if (e.status() != 404) {
                throw e;
            }
            visitor.refused(hit, String.valueOf(e.getMessage())); // deleted since it was found
            return;
        }
        boolean asked = hit.which().means(envelope)
                && request.admits(envelope)
                && hit.records().last() < envelope.recordCount()
                && envelope.detachedDigest().isPresent() == hit.detached();
        if (asked) {
            visitor.found(new Found(hit, envelope, fetched.content));
        } else {
            visitor.refused(hit, "the gateway sent something else than it found");
        }
    }

    private static boolean isDone(Future<?> future) throws InterruptedException {
        try {
            future.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true;
        }
    }

    private static <T> T result(Future<T> future) throws Exception {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** Has the gateway end and forget it. */
    @Override
    public void close() {
        try {
            gateway.remove(id);
        } catch (IOException | GatewayException e) {
            // nobody is there, or the gateway forgot it already
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
