package dev.veilgate.console.search;

import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.Sessions;
import dev.veilgate.console.identity.User;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** The state of a search as it changes, on the thread of the client that watches. */
@RestController
class StateStream {
    private static final long TICK_MILLIS = 100;
    /** A client that is gone is noticed when something is written to it. */
    private static final int TICKS_OF_SILENCE = 100;
    /** At most four a second. */
    private static final int TICKS_BETWEEN = 3;

    private final Searches searches;
    private final Sessions sessions;
    private final JsonMapper json;

    StateStream(Searches searches, Sessions sessions, JsonMapper json) {
        this.searches = searches;
        this.sessions = sessions;
        this.json = json;
    }

    /** The client closed the connection: nobody is left to tell. */
    private static final class ClientGoneException extends IOException {
        private static final long serialVersionUID = 1L;

        ClientGoneException(IOException cause) {
            super("the client is gone", cause);
        }
    }

    @GetMapping("/api/searches/{id}/events")
    void events(User user, HttpSession session, @PathVariable UUID id, HttpServletResponse response)
            throws IOException, InterruptedException {
        user.require(Role.AUDITOR);
        SearchJob job = searches.find(user, id);
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Accel-Buffering", "no");
        OutputStream out = response.getOutputStream();
        SearchState last = null;
        for (int silent = 0; !sessions.isOver(session); ) {
            boolean isEnd = !job.isRunning(); // asked before the state: what it says then is the end
            SearchState now = job.state();
            boolean isFirstRow = last != null && last.rows() == 0 && now.rows() > 0;
            boolean isNews = last == null || differs(last, now) && (silent >= TICKS_BETWEEN || isFirstRow);
            if (isNews || isEnd) {
                write(out, "event: state\ndata: " + json.writeValueAsString(now) + "\n\n");
                last = now;
                silent = 0;
            } else if (++silent % TICKS_OF_SILENCE == 0) {
                write(out, ": waiting\n\n");
            }
            if (isEnd) {
                return;
            }
            job.touch();
            Thread.sleep(TICK_MILLIS);
        }
    }

    private static boolean differs(SearchState one, SearchState other) {
        return one.rows() != other.rows()
                || one.issued() != other.issued()
                || one.envelopesDone() != other.envelopesDone()
                || one.envelopes() != other.envelopes()
                || !one.state().equals(other.state())
                || other.millis() - one.millis() > 1000;
    }

    private static void write(OutputStream out, String text) throws ClientGoneException {
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            throw new ClientGoneException(e);
        }
    }

    @ExceptionHandler
    void gone(ClientGoneException e) {}
}
