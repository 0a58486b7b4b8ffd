package dev.veilgate.gateway.transform;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.TransformAnswer;
import dev.veilgate.envelope.TransformAnswer.Refusal;
import dev.veilgate.envelope.TransformRequest;
import dev.veilgate.envelope.WrapTransformer;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.http.ProblemException;
import dev.veilgate.gateway.http.VisibleEnvelopes;
import dev.veilgate.gateway.store.StoredContent;
import dev.veilgate.gateway.store.StoredEnvelope;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.http.HttpStatus;

/**
 * Transforms wraps of stored envelopes on threads of its own, some requests at a time and one of each token; what comes beyond is refused and not queued. Each request has the steps of one envelope, so
 * that nobody holds a thread for longer than about half a second.
 */
final class Transforms implements AutoCloseable {
    private static final long IDLE_SECONDS = 30;

    private record Owner(Principal.Kind kind, String tenant, String name) {
        static Owner of(Principal principal) {
            return new Owner(principal.kind(), principal.tenant(), principal.name());
        }
    }

    private final VisibleEnvelopes envelopes;
    private final ThreadPoolExecutor threads;
    private final Semaphore free;
    private final boolean served;
    private final Set<Owner> running = ConcurrentHashMap.newKeySet();
    private final Counter transformed;
    private final Counter refused;

    Transforms(VisibleEnvelopes envelopes, TransformSettings settings, MeterRegistry metrics) {
        this.envelopes = envelopes;
        this.served = settings.parallel() > 0;
        this.threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE, // as many as may be free
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().daemon().name("transform-", 0).factory());
        this.free = new Semaphore(Math.max(1, settings.parallel()));
        this.transformed = metrics.counter("veilgate.transforms.wraps");
        this.refused = metrics.counter("veilgate.transforms.refused");
    }

    /**
     * Answers a request.
     *
     * @throws MalformedEncodingException if its key is none
     * @throws ProblemException           if as much is being done already as may be, or nothing is done here
     */
    List<TransformAnswer> answer(Principal principal, TransformRequest request)
            throws MalformedEncodingException, IOException, InterruptedException {
        if (!served) {
            throw ProblemException.notFound("the transformation of wraps");
        }
        Owner owner = Owner.of(principal);
        if (!running.add(owner)) {
            throw busy("a request of this token is being worked on; ask for several wraps in one");
        }
        try {
            if (!free.tryAcquire()) {
                throw busy("as many requests are being worked on as may be");
            }
            return result(begin(principal, request));
        } finally {
            running.remove(owner);
        }
    }

    /** Gives its place back before the answer is there: whoever has the answer may ask again. */
    private Future<List<TransformAnswer>> begin(Principal principal, TransformRequest request) {
        try {
            return threads.submit(() -> {
                try {
                    return transform(principal, request);
                } finally {
                    free.release();
                }
            });
        } catch (RejectedExecutionException e) {
            free.release();
            throw busy("the gateway is closing");
        }
    }

    private ProblemException busy(String detail) {
        refused.increment();
        return new ProblemException(HttpStatus.TOO_MANY_REQUESTS, "too-many-transforms", detail);
    }

    private static List<TransformAnswer> result(Future<List<TransformAnswer>> future)
            throws MalformedEncodingException, IOException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            switch (Objects.requireNonNull(e.getCause())) { // a future always says why
                case MalformedEncodingException malformed -> throw malformed;
                case IOException io -> throw io;
                default -> throw new IllegalStateException(e.getCause());
            }
        }
    }

    private List<TransformAnswer> transform(Principal principal, TransformRequest request)
            throws MalformedEncodingException, IOException, InterruptedException {
        WrapTransformer transformer = WrapTransformer.of(request);
        envelopes.awaitAcknowledged(principal);
        List<TransformAnswer> answers = new ArrayList<>(request.places().size());
        for (TransformRequest.Place place : request.places()) {
            TransformAnswer answer = transform(principal, transformer, place);
            if (answer instanceof TransformAnswer.Transformed) {
                transformed.increment();
            }
            answers.add(answer);
        }
        return answers;
    }

    private TransformAnswer transform(Principal principal, WrapTransformer transformer, TransformRequest.Place place)
            throws IOException {
        if (!transformer.mayFind()) {
            return Refusal.LATER;
        }
        Optional<StoredEnvelope> stored = envelopes.only(principal, place.envelope());
        if (stored.isEmpty()) {
            return Refusal.NOT_FOUND;
        }
        StoredContent content = stored.get().content();
        long read = stored.get().envelope().bytes().length + (content == null ? 0L : content.bytes());
        return transformer.hasRead(read) ? transformer.transform(stored.get().envelope(), place.wrap()) : Refusal.LATER;
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
