package dev.veilgate.client;

import dev.veilgate.abe.AttributeBlindedKey;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.OpeningHelp;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.envelope.TransformAnswer;
import dev.veilgate.envelope.TransformAnswer.Refusal;
import dev.veilgate.envelope.TransformRequest;
import dev.veilgate.envelope.TransformRequest.Place;
import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A gateway that does a reader's pairings. Envelopes are announced ahead; a thread of its own asks for several at a time, since each request carries a whole key, or for what there is when the reader waits
 * for one of them; one request at a time, with halves of the reader's keys that are drawn for this run alone. Whatever the gateway does not answer, or answers wrong, is left to the reader; after a wrong answer, or a failure, it is not asked again.
 */
@Secret
public final class GatewayTransforms implements OpeningHelp, AutoCloseable {
    /** Announced wraps that are kept until somebody asks for them: more than are announced ahead of what is opened, so that the oldest are of envelopes that nobody opened. */
    private static final int MOST_ANNOUNCED = 1024;

    /** So many are worth a request though nobody waits: half of what a search announces ahead, so that the gateway works while the reader does. */
    private static final int WORTH_ASKING = 16;

    private final GatewayClient gateway;
    private final SecureRandom random;
    private final Thread thread;

    // guarded by itself
    private final IdentityHashMap<ReaderKey, AttributeBlindedKey> blinded = new IdentityHashMap<>();

    // guarded by this
    private final List<Asked> waiting = new LinkedList<>();
    private final LinkedHashMap<Place, Asked> all = new LinkedHashMap<>();
    private @Nullable Asked wanted;
    private boolean stopped;
    private Optional<String> failure = Optional.empty();
    private long transformed;
    private long left;
    private long notThere;

    /** One wrap whose answer somebody will ask for. */
    private record Asked(Place place, ReaderKey key, CompletableFuture<TransformAnswer> answer) {}

    /** @param random each key that is used draws a seed of 32 bytes */
    public GatewayTransforms(GatewayClient gateway, SecureRandom random) {
        this.gateway = gateway;
        this.random = random;
        this.thread = Thread.ofPlatform().daemon().name("transforms").start(this::ask);
    }

    /** Why the gateway is not asked any more; empty if nothing was wrong. */
    public synchronized Optional<String> failure() {
        return failure;
    }

    /** How many wraps the gateway transformed, rightly. */
    public synchronized long transformed() {
        return transformed;
    }

    /** How many the reader was left with, though they were announced. */
    public synchronized long left() {
        return left;
    }

    /** Of those that were left, how many the gateway does not have. */
    public synchronized long notThere() {
        return notThere;
    }

    /** Announces an envelope that will be opened. Does not wait. */
    public void ahead(Envelope envelope, EnvelopeOpener opener) {
        synchronized (this) {
            if (stopped) {
                return;
            }
        }
        Optional<EnvelopeOpener.Satisfied> satisfied = opener.satisfied(envelope);
        if (satisfied.isEmpty() || !satisfied.get().key().isWorthBlinding()) {
            return;
        }
        Place place = new Place(envelope.id(), satisfied.get().wrap());
        Asked asked = new Asked(place, satisfied.get().key(), new CompletableFuture<>());
        synchronized (this) {
            if (!stopped && all.putIfAbsent(place, asked) == null) {
                if (all.size() > MOST_ANNOUNCED) {
                    all.pollFirstEntry();
                }
                waiting.add(asked);
                notifyAll();
            }
        }
    }

    @Override
    public Optional<Answer> answer(Envelope envelope, int wrap, ReaderKey key) {
        Asked asked;
        synchronized (this) {
            asked = all.remove(new Place(envelope.id(), wrap));
        }
        if (asked == null || asked.key != key) {
            return Optional.empty();
        }
        want(asked);
        TransformAnswer found = result(asked.answer);
        synchronized (this) {
            switch (found) {
                case TransformAnswer.Transformed done -> {
                    transformed++;
                    return Optional.of(new Answer(blinded(key).retrievalKey(), done.element()));
                }
                case Refusal refusal -> {
                    left++;
                    notThere += refusal == Refusal.NOT_FOUND ? 1 : 0;
                    return Optional.empty();
                }
            }
        }
    }

    private synchronized void want(Asked asked) {
        wanted = asked;
        notifyAll();
    }

    private static TransformAnswer result(CompletableFuture<TransformAnswer> answer) {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Refusal.LATER;
        }
    }

    @Override
    public void wasWrong(Envelope envelope) {
        synchronized (this) {
            transformed--;
            left++;
        }
        stop("the gateway answered wrong for " + envelope.id()
                + ", which was opened without it; whoever runs it should know");
    }

    private AttributeBlindedKey blinded(ReaderKey key) {
        synchronized (blinded) {
            return blinded.computeIfAbsent(key, made -> made.blind(random));
        }
    }

    /** The thread's work. */
    private void ask() {
        try {
            for (List<Asked> batch = batch(); !batch.isEmpty(); batch = batch()) {
                answer(batch);
            }
        } catch (GatewayException e) {
            stop(
                    e.status() == 404
                            ? "the gateway does not transform wraps for this tenant: it is older, or has veilgate.transforms.parallel 0"
                            : String.valueOf(e.getMessage()));
        } catch (IOException | IllegalArgumentException e) { // a key that is too large to be sent
            stop(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            stop("");
        } catch (RuntimeException | Error e) {
            stop("internal error: " + e);
            throw e;
        }
    }

    /** Waits until enough was announced or somebody waits for an answer; all that is for one key. Empty at the end. */
    private synchronized List<Asked> batch() throws InterruptedException {
        while (waiting.size() < WORTH_ASKING && !isWanted() && !stopped) {
            wait();
        }
        List<Asked> batch = new ArrayList<>();
        if (wanted != null && waiting.remove(wanted)) { // first, so that it has all of the request's work
            batch.add(wanted);
        }
        Iterator<Asked> each = waiting.iterator();
        while (each.hasNext() && batch.size() < TransformRequest.MAX_WRAPS) {
            Asked next = each.next();
            if (batch.isEmpty() || batch.getFirst().key == next.key) {
                batch.add(next);
                each.remove();
            }
        }
        return batch;
    }

    private boolean isWanted() {
        return wanted != null && waiting.contains(wanted);
    }

    private void answer(List<Asked> batch) throws IOException, GatewayException, InterruptedException {
        List<TransformAnswer> answers;
        try {
            AttributeBlindedKey key = blinded(batch.getFirst().key);
            answers = gateway.transform(TransformRequest.of(
                    key.transformKey(), batch.stream().map(Asked::place).toList()));
        } catch (IOException | GatewayException | InterruptedException | RuntimeException | Error e) {
            batch.forEach(asked -> asked.answer.complete(Refusal.LATER));
            throw e;
        }
        List<Asked> later = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            Asked asked = batch.get(i);
            if (answers.get(i) == Refusal.LATER && i > 0) { // the first has all of a request's work
                later.add(asked);
            } else {
                asked.answer.complete(answers.get(i));
            }
        }
        again(later);
    }

    /** They were announced before those that came meanwhile. */
    private synchronized void again(List<Asked> later) {
        if (stopped) {
            later.forEach(asked -> asked.answer.complete(Refusal.LATER));
        } else {
            waiting.addAll(0, later);
        }
    }

    private synchronized void stop(String why) {
        if (!stopped && !why.isEmpty()) {
            failure = Optional.of(why);
        }
        stopped = true;
        waiting.forEach(asked -> asked.answer.complete(Refusal.LATER));
        waiting.clear();
        notifyAll();
    }

    /** Ends the thread, and erases what was drawn. */
    @Override
    public void close() {
        stop("");
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (blinded) {
            blinded.values().forEach(key -> key.retrievalKey().close());
            blinded.clear();
        }
    }
}
