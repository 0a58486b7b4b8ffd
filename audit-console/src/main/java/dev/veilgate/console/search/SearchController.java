package dev.veilgate.console.search;

import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.Sessions;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.query.QueryReader;
import dev.veilgate.console.query.QueryText;
import dev.veilgate.console.rules.Approvals;
import dev.veilgate.console.rules.Authorizer;
import dev.veilgate.console.rules.Decision;
import dev.veilgate.extract.MalformedQueryException;
import jakarta.servlet.http.HttpSession;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Searches: authorised, started, watched, read and stopped. */
@RestController
@RequestMapping("/api/searches")
class SearchController {
    private static final int MAX_BUCKETS = 400;

    private final Searches searches;
    private final QueryReader reader;
    private final Authorizer authorizer;
    private final Approvals approvals;
    private final Custody custody;
    private final Sessions sessions;
    private final Clock clock;

    SearchController(
            Searches searches,
            QueryReader reader,
            Authorizer authorizer,
            Approvals approvals,
            Custody custody,
            Sessions sessions,
            Clock clock) {
        this.searches = searches;
        this.reader = reader;
        this.authorizer = authorizer;
        this.approvals = approvals;
        this.custody = custody;
        this.sessions = sessions;
        this.clock = clock;
    }

    /** What is asked for; a query and how to go about it. */
    record StartSearch(
            String query,
            String scope,
            boolean mail,
            @Nullable Instant from,
            @Nullable Instant to,
            @Nullable List<String> senders,
            @Nullable List<String> signed,
            @Nullable String reason,
            @Nullable Long limit) {
        QueryText text() {
            return new QueryText(query, scope, mail, from, to, senders, signed);
        }

        @Override
        public String toString() {
            return "StartSearch[hidden]";
        }
    }

    /** @param widthMillis of a bar; the last one may be shorter */
    record Histogram(Instant from, Instant to, long widthMillis, long[] counts) {
        @Override
        public String toString() {
            return "Histogram[" + counts.length + "]";
        }
    }

    @GetMapping
    List<SearchState> list(User user) {
        user.require(Role.AUDITOR);
        return searches.of(user).stream().map(SearchJob::state).toList();
    }

    @PostMapping
    ResponseEntity<?> start(User user, HttpSession session, @RequestBody StartSearch wanted) throws Exception {
        Instant began = clock.instant();
        user.require(Role.AUDITOR);
        if (wanted.limit() != null && wanted.limit() < 1) {
            throw ProblemException.malformed("limit must be 1 or more");
        }
        Intent intent;
        try {
            intent = reader.read(user, wanted.text(), Intent.Purpose.SEARCH, 0);
        } catch (MalformedQueryException e) {
            throw ProblemException.malformed(String.valueOf(e.getMessage()));
        }
        Decision decision = authorizer.authorise(user, intent, wanted.reason() == null ? "" : wanted.reason(), "");
        return switch (decision.outcome()) {
            case REFUSED -> throw decision.refusal();
            case NEEDS_APPROVAL ->
                ResponseEntity.status(HttpStatus.ACCEPTED)
                        .body(approvals
                                .find(user, decision.approval().orElseThrow())
                                .orElseThrow());
            case ALLOWED -> {
                long limit = wanted.limit() == null ? Long.MAX_VALUE : wanted.limit();
                SearchJob job = searches.start(user, sessions.id(session), intent, decision, began, limit);
                if (sessions.isOver(session)) { // while it was started: nobody is told any more that it goes
                    searches.remove(job);
                }
                yield ResponseEntity.status(HttpStatus.CREATED).body(job.state());
            }
        };
    }

    @GetMapping("/{id}")
    SearchState state(User user, @PathVariable UUID id) {
        return find(user, id).state();
    }

    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(User user, @PathVariable UUID id) {
        searches.remove(find(user, id));
    }

    @PostMapping("/{id}/stop")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void stop(User user, @PathVariable UUID id) {
        find(user, id).stop();
    }

    @GetMapping("/{id}/histogram")
    Histogram histogram(User user, @PathVariable UUID id, @RequestParam(defaultValue = "60") int buckets) {
        SearchJob job = find(user, id);
        if (buckets < 1 || buckets > MAX_BUCKETS) {
            throw ProblemException.malformed("buckets must be 1 to " + MAX_BUCKETS);
        }
        long[] span = job.spool().span();
        QueryText text = job.intent().text();
        long from = text.from() == null ? span[0] : text.from().toEpochMilli();
        long end = text.to() != null
                ? text.to().toEpochMilli()
                : text.from() == null ? span[1] : Math.max(span[1], clock.millis());
        long to = Math.max(end, from + 1); // a search of what is to come, and of nothing
        long width = Math.ceilDiv(to - from, (long) buckets);
        return new Histogram(
                Instant.ofEpochMilli(from),
                Instant.ofEpochMilli(to),
                width,
                job.spool().histogram(from, to, width));
    }

    private SearchJob find(User user, UUID id) {
        user.require(Role.AUDITOR);
        if (custody.isLocked()) {
            throw ProblemException.locked();
        }
        return searches.find(user, id);
    }
}
