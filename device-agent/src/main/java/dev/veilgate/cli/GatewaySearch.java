package dev.veilgate.cli;

import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.GatewayException;
import dev.veilgate.client.SearchEvent;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A search on a gateway: its hits come in order, some envelopes are fetched at a time, and each is opened here. At the end, early or not, the gateway is
 * told to forget it: nothing goes on for nobody, and no hits are kept there.
 */
final class GatewaySearch {
    private static final int FETCHES = 4;
    private static final int AHEAD = 32;
    private static final long POLL_MILLIS = 100;

    private final Terminal terminal;
    private final GatewayClient gateway;
    private final SearchRequest request;
    private final HitOpener opener;
    private final FoundPrinter printer;
    private final Progress progress;
    private final Explanation explanation;
    private long refused;

    /**
     * What was fetched for a hit.
     *
     * @param content of a mail
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Fetched(byte[] envelope, byte @Nullable [] content) {}

    /** An event, and for a hit what is being fetched. */
    private record Step(SearchEvent event, @Nullable Future<Fetched> fetch) {}

    GatewaySearch(
            Terminal terminal,
            GatewayClient gateway,
            SearchRequest request,
            HitOpener opener,
            FoundPrinter printer,
            Progress progress,
            Explanation explanation) {
        this.terminal = terminal;
        this.gateway = gateway;
        this.request = request;
        this.opener = opener;
        this.printer = printer;
        this.progress = progress;
        this.explanation = explanation;
    }

    /** Runs it; how many envelopes were refused. */
    long run() throws Exception {
        String id = gateway.search(request);
        Thread interrupted = new Thread(() -> forget(id));
        Runtime.getRuntime().addShutdownHook(interrupted); // Ctrl-C
        try (ExecutorService threads = Executors.newFixedThreadPool(
                FETCHES + 1, Thread.ofPlatform().daemon().factory())) {
            try {
                printAll(id, threads);
            } finally {
                threads.shutdownNow();
            }
        } finally {
            progress.end(terminal);
            unhook(interrupted);
            forget(id);
        }
        return refused;
    }

    private static void unhook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // it is running
        }
    }

    private Fetched fetch(SearchEvent.Hit hit) throws IOException, GatewayException, InterruptedException {
        byte[] envelope = gateway.envelope(hit.envelope());
        return new Fetched(envelope, hit.detached() ? gateway.content(hit.envelope()) : null);
    }

    /** Until the search's end or the limit. */
    private void printAll(String id, ExecutorService threads) throws Exception {
        BlockingQueue<Step> steps = new ArrayBlockingQueue<>(AHEAD);
        Future<Void> follower = threads.submit(() -> {
            gateway.follow(id, event -> {
                Future<Fetched> fetch = event instanceof SearchEvent.Hit hit ? threads.submit(() -> fetch(hit)) : null;
                steps.put(new Step(event, fetch));
            });
            return null;
        });
        while (!printer.isFull()) {
            Step step = steps.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
            if (step == null) {
                if (follower.isDone() && steps.isEmpty()) {
                    result(follower); // throws what ended it before the search's end
                    throw new IllegalStateException("the search has no end");
                }
                continue;
            }
            switch (step.event) {
                case SearchEvent.Hit hit -> print(hit, Objects.requireNonNull(step.fetch));
                case SearchEvent.Progress done ->
                    progress.at(terminal, "of " + done.envelopes() + " envelopes", done.envelopesDone());
                case SearchEvent.End end -> {
                    explanation.ended(end);
                    requireComplete(end);
                    return;
                }
            }
            if (terminal.out().checkError()) { // flushes; who read it has seen enough
                throw new CommandFailure(ExitCode.IO, "");
            }
        }
        terminal.err().println("note: stopped at the limit; there may be more");
    }

    private void print(SearchEvent.Hit hit, Future<Fetched> fetch) throws Exception {
        explanation.hit(hit);
        try {
            Fetched fetched = result(fetch);
            Envelope envelope = Envelope.decode(fetched.envelope);
            boolean asked = envelope.id().equals(hit.envelope())
                    && envelope.tenant().equals(request.tenant())
                    && hit.records().last() < envelope.recordCount()
                    && envelope.detachedDigest().isPresent() == hit.detached();
            if (!asked) {
                throw new UnopenableEnvelopeException("the gateway sent something else than it found");
            }
            if (fetched.content != null) {
                opener.mail(envelope, fetched.content);
            } else {
                opener.records(hit.envelope().toString(), envelope, hit.records());
            }
        } catch (MalformedEncodingException | UnopenableEnvelopeException e) {
            sayRefused(hit, e);
        } catch (GatewayException e) {
            if (e.status() != 404) {
                throw e;
            }
            sayRefused(hit, e); // deleted since it was found
        }
    }

    private void sayRefused(SearchEvent.Hit hit, Exception why) {
        refused++;
        terminal.err().println(hit.envelope() + ": refused: " + why.getMessage());
    }

    private static void requireComplete(SearchEvent.End end) throws CommandFailure {
        if (!end.outcome().equals("complete")) {
            throw new CommandFailure(
                    ExitCode.IO,
                    end.outcome().equals("cancelled")
                            ? "the search was cancelled at the gateway; what is printed is not all"
                            : "the search failed at the gateway; what is printed is not all");
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

    private void forget(String id) {
        try {
            gateway.remove(id);
        } catch (IOException | GatewayException e) {
            // nobody is there, or the gateway forgot it already
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
