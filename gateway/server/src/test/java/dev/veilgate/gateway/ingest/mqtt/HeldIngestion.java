package dev.veilgate.gateway.ingest.mqtt;

import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.ingest.Ingestion;
import dev.veilgate.gateway.ingest.Receipt;
import dev.veilgate.gateway.ingest.Refusal;
import dev.veilgate.gateway.ingest.RefusedException;
import dev.veilgate.gateway.ingest.Submission;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A disk that the test turns by hand: nothing is durable before the test says so. */
final class HeldIngestion implements Ingestion {
    /** Answers by itself; null: the test answers. */
    volatile @Nullable Function<String, CompletableFuture<Receipt>> answer;

    private final BlockingQueue<Held> waiting = new LinkedBlockingQueue<>();
    private final List<String> submitted = new CopyOnWriteArrayList<>();

    record Held(Principal from, String text, CompletableFuture<Receipt> future) {
        void durable() {
            future.complete(new Receipt(Optional.empty(), false));
        }

        void refuse(Refusal refusal, String message) {
            future.completeExceptionally(new RefusedException(refusal, message));
        }
    }

    @Override
    public CompletableFuture<Receipt> submit(Submission submission) {
        Submission.OfEnvelope envelope = (Submission.OfEnvelope) submission;
        byte[] bytes = envelope.envelope();
        String text = new String(bytes, 0, Math.min(bytes.length, 64), StandardCharsets.UTF_8);
        submitted.add(text);
        Function<String, CompletableFuture<Receipt>> itself = answer;
        if (itself != null) {
            return itself.apply(text);
        }
        CompletableFuture<Receipt> future = new CompletableFuture<>();
        waiting.add(new Held(envelope.from(), text, future));
        return future;
    }

    static CompletableFuture<Receipt> durable() {
        return CompletableFuture.completedFuture(new Receipt(Optional.empty(), false));
    }

    static CompletableFuture<Receipt> refused(Refusal refusal) {
        return CompletableFuture.failedFuture(new RefusedException(refusal, "because"));
    }

    /** The next that was submitted. */
    Held next() throws InterruptedException {
        Held held = waiting.poll(60, TimeUnit.SECONDS);
        if (held == null) {
            throw new AssertionError("nothing was submitted");
        }
        return held;
    }

    boolean nothingWaits() {
        return waiting.isEmpty();
    }

    /** First characters of all that came, in order. */
    List<String> submitted() {
        return submitted;
    }

    void clear() {
        answer = null;
        waiting.clear();
        submitted.clear();
    }
}
