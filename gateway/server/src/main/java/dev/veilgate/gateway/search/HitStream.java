package dev.veilgate.gateway.search;

import dev.veilgate.gateway.search.SearchJob.State;
import dev.veilgate.gateway.store.SearchProgress;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Writes a job to one client, on that client's thread, for as long as both last. */
final class HitStream {
    private static final int CHUNK = 256;
    /** A client that is gone is noticed when something is written to it. */
    private static final long SIGN_OF_LIFE_SECONDS = 15;

    private static final byte[] LINE_END = ascii("\n");
    private static final byte[] SIGN_OF_LIFE = ascii(": waiting\n\n");

    /** The client closed the connection: nobody is left to tell. */
    static final class ClientGoneException extends IOException {
        private static final long serialVersionUID = 1L;

        ClientGoneException(IOException cause) {
            super("the client is gone", cause);
        }
    }

    private final SearchJobs jobs;
    private final SearchJob job;
    private final JsonMapper json;
    private final OutputStream out;

    HitStream(SearchJobs jobs, SearchJob job, JsonMapper json, OutputStream out) {
        this.jobs = jobs;
        this.job = job;
        this.json = json;
        this.out = out;
    }

    /**
     * Server-sent events up to the end.
     *
     * @param after number of the last hit that the client has
     */
    void events(long after) throws IOException, InterruptedException {
        long sent = after;
        SearchProgress progress = null;
        while (true) {
            State state = job.await(sent, progress, SIGN_OF_LIFE_SECONDS);
            jobs.touch(job);
            boolean isNews = state.hits() > sent;
            sent = hits(sent, state.hits());
            if (state.outcome() != null) {
                event("end", 0, json(SearchJson.End.of(state, state.outcome())));
                flush();
                return;
            }
            if (!state.progress().equals(progress)) {
                progress = state.progress();
                event("progress", 0, json(progress));
            } else if (!isNews) {
                write(SIGN_OF_LIFE);
            }
            flush();
        }
    }

    private long hits(long from, long to) throws IOException {
        long sent = from;
        while (sent < to) {
            for (byte[] hit : job.read(sent, CHUNK)) {
                event("hit", ++sent, hit);
            }
        }
        return sent;
    }

    private void event(String name, long id, byte[] data) throws IOException {
        write(ascii("event: " + name + "\n" + (id == 0 ? "" : "id: " + id + "\n") + "data: "));
        write(data);
        write(ascii("\n\n"));
    }

    /** Every hit on a line of its own. */
    void lines() throws IOException {
        long sent = 0;
        for (List<byte[]> some = job.read(sent, CHUNK); !some.isEmpty(); some = job.read(sent, CHUNK)) {
            for (byte[] hit : some) {
                write(hit);
                write(LINE_END);
            }
            sent += some.size();
            jobs.touch(job);
        }
        flush();
    }

    /**
     * Some hits as one JSON object; each is JSON already.
     *
     * @param last  number of the last of them
     * @param isEnd whether no more will come
     */
    void page(List<byte[]> hits, long last, boolean isEnd) throws IOException {
        write(ascii("{\"hits\":["));
        String between = "";
        for (byte[] hit : hits) {
            write(ascii(between));
            write(hit);
            between = ",";
        }
        write(ascii("],\"last\":" + last + ",\"end\":" + isEnd + "}"));
        flush();
    }

    /** The state at the end. */
    State awaitEnd() throws InterruptedException {
        @Nullable SearchProgress seen = null;
        while (true) {
            State state = job.await(Long.MAX_VALUE, seen, SIGN_OF_LIFE_SECONDS);
            jobs.touch(job);
            if (state.outcome() != null) {
                return state;
            }
            seen = state.progress();
        }
    }

    private void write(byte[] bytes) throws ClientGoneException {
        try {
            out.write(bytes);
        } catch (IOException e) {
            throw new ClientGoneException(e);
        }
    }

    private void flush() throws ClientGoneException {
        try {
            out.flush();
        } catch (IOException e) {
            throw new ClientGoneException(e);
        }
    }

    private byte[] json(Object value) {
        return json.writeValueAsBytes(value);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
