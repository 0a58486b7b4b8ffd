package dev.veilgate.client;

import dev.veilgate.transport.Backoff;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Follows one search over connections that may break. */
final class SearchFollower {
    private static final int TRIES = 8;
    private static final Backoff BACKOFF =
            Backoff.doubling(Duration.ofMillis(500), Duration.ofSeconds(8), Backoff.Spread.NONE);
    private static final long SILENT_SECONDS = 60;

    private final GatewayClient gateway;
    private final String search;
    private final SearchEvent.Sink sink;
    private long last;
    private int failures;
    /** Answers that could not be read since the last new hit: however long it goes on, these do not get better. */
    private int unreadable;

    /** Something that the gateway sent is no event of a search. */
    private static final class UnreadableEventException extends IOException {
        private static final long serialVersionUID = 1L;

        UnreadableEventException(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    SearchFollower(GatewayClient gateway, String search, SearchEvent.Sink sink) {
        this.gateway = gateway;
        this.search = search;
        this.sink = sink;
    }

    void run() throws IOException, GatewayException, InterruptedException {
        while (true) {
            IOException why;
            try (InputStream in = gateway.events(search, last)) {
                if (readToEnd(in)) {
                    return;
                }
                why = new IOException("the gateway's connection ended before the search");
            } catch (UnreadableEventException e) {
                if (++unreadable == TRIES) {
                    throw e;
                }
                why = e;
            } catch (IOException e) {
                why = e;
            } catch (GatewayException e) {
                if (e.status() < 500) {
                    throw e;
                }
                why = new IOException(e.getMessage(), e);
            }
            if (++failures == TRIES) {
                throw why;
            }
            Thread.sleep(BACKOFF.pause(failures));
        }
    }

    /** Whether the end came. A connection on which nothing is heard, not even what keeps it alive, counts as broken. */
    private boolean readToEnd(InputStream in) throws IOException, InterruptedException {
        EventStream events = new EventStream(in);
        ExecutorService reader = Executors.newVirtualThreadPerTaskExecutor();
        try {
            while (true) {
                Optional<EventStream.Event> next = reader.submit(events::next).get(SILENT_SECONDS, TimeUnit.SECONDS);
                if (next.isEmpty()) {
                    return false;
                }
                if (hand(next.get())) {
                    return true;
                }
            }
        } catch (TimeoutException e) {
            throw new IOException("the gateway has been silent for " + SILENT_SECONDS + " seconds", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            reader.shutdownNow();
        }
    }

    /** Whether it was the end. */
    private boolean hand(EventStream.Event event) throws IOException, InterruptedException {
        Optional<SearchEvent> read = read(event);
        if (read.isEmpty()) {
            failures = 0;
            return false;
        }
        sink.event(read.get());
        failures = 0;
        if (read.get() instanceof SearchEvent.Hit hit) {
            last = hit.number();
            unreadable = 0;
        }
        return read.get() instanceof SearchEvent.End;
    }

    /** Empty for what is known already, since a gateway may repeat, and for what is of a later version. */
    private Optional<SearchEvent> read(EventStream.Event event) throws UnreadableEventException {
        try {
            JsonObject json = JsonObject.parse(event.data().getBytes(StandardCharsets.UTF_8));
            return switch (event.name()) {
                case "hit" -> {
                    long number = number(event.id());
                    yield number > last ? Optional.of(SearchEvent.Hit.of(number, json)) : Optional.empty();
                }
                case "progress" -> Optional.of(SearchEvent.Progress.of(json));
                case "end" -> Optional.of(SearchEvent.End.of(json));
                default -> Optional.empty();
            };
        } catch (IOException e) {
            throw new UnreadableEventException(e);
        }
    }

    private static long number(String id) throws IOException {
        try {
            return Long.parseLong(id);
        } catch (NumberFormatException e) {
            throw new IOException("the gateway's hits have no numbers", e);
        }
    }
}
