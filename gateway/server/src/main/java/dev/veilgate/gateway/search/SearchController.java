package dev.veilgate.gateway.search;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.figures.FigureCounts;
import dev.veilgate.gateway.http.ProblemException;
import dev.veilgate.gateway.http.Rights;
import dev.veilgate.gateway.tenant.Tenant;
import dev.veilgate.gateway.tenant.Tenants;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Searches: started, watched, read and cancelled. */
@RestController
@RequestMapping("/v1/tenants/{tenant}/searches")
class SearchController {
    private static final int MAX_PAGE = 1000;
    private static final String NDJSON = "application/x-ndjson";

    private final SearchJobs jobs;
    private final IndexSchemes schemes;
    private final Tenants tenants;
    private final SearchSettings settings;
    private final SearchRules rules;
    private final JsonMapper json;
    private final FigureCounts counts;

    SearchController(
            SearchJobs jobs,
            IndexSchemes schemes,
            Tenants tenants,
            SearchSettings settings,
            SearchRules rules,
            JsonMapper json,
            FigureCounts counts) {
        this.jobs = jobs;
        this.schemes = schemes;
        this.tenants = tenants;
        this.settings = settings;
        this.rules = rules;
        this.json = json;
        this.counts = counts;
    }

    /** Starts a search, which then runs by itself. */
    @PostMapping(consumes = SearchRequest.MEDIA_TYPE)
    ResponseEntity<Map<String, UUID>> start(Principal principal, @PathVariable String tenant, HttpServletRequest http)
            throws IOException, MalformedEncodingException {
        Tenant served = Rights.require(principal, Right.SEARCH, tenant, tenants);
        SearchRequest request = SearchRequest.decode(body(http));
        rules.require(principal, served, request);
        SearchJob job = jobs.start(principal, PreparedSearch.of(request, schemes));
        counts.search(tenant);
        return ResponseEntity.created(URI.create(http.getRequestURI() + "/" + job.id()))
                .body(Map.of("id", job.id()));
    }

    private byte[] body(HttpServletRequest request) throws IOException {
        int max = Math.toIntExact(settings.maxRequest().toBytes());
        byte[] bytes = request.getInputStream().readNBytes(max + 1);
        if (bytes.length > max) {
            throw new ProblemException(
                    HttpStatus.CONTENT_TOO_LARGE,
                    "too-large",
                    "a search has at most " + max + " bytes here: ask for fewer epochs or a shorter range");
        }
        return bytes;
    }

    /** How it stands. */
    @GetMapping("/{id}")
    SearchJson.Status status(Principal principal, @PathVariable String tenant, @PathVariable UUID id) {
        return SearchJson.Status.of(find(principal, tenant, id));
    }

    /** Cancels one that runs; forgets one that has ended, and its hits. */
    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void cancel(Principal principal, @PathVariable String tenant, @PathVariable UUID id) {
        jobs.cancel(find(principal, tenant, id));
    }

    /** Progress and hits as they come; a client that lost the connection goes on behind the last hit that it has. */
    @GetMapping("/{id}/events")
    void events(
            Principal principal,
            @PathVariable String tenant,
            @PathVariable UUID id,
            @RequestHeader(name = "Last-Event-ID", defaultValue = "0") long last,
            HttpServletResponse response)
            throws IOException, InterruptedException {
        SearchJob job = find(principal, tenant, id);
        requireNotNegative(last, "Last-Event-ID");
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Accel-Buffering", "no");
        response.flushBuffer();
        new HitStream(jobs, job, json, response.getOutputStream()).events(last);
    }

    /** Some of the hits so far. */
    @GetMapping(path = "/{id}/hits", produces = MediaType.APPLICATION_JSON_VALUE)
    void hits(
            Principal principal,
            @PathVariable String tenant,
            @PathVariable UUID id,
            @RequestParam(defaultValue = "0") long after,
            @RequestParam(defaultValue = "100") int limit,
            HttpServletResponse response)
            throws IOException {
        SearchJob job = find(principal, tenant, id);
        requireNotNegative(after, "after");
        if (limit < 1 || limit > MAX_PAGE) {
            throw ProblemException.malformed("limit must be 1 to " + MAX_PAGE);
        }
        SearchJob.State state = job.state();
        List<byte[]> page = job.read(after, limit);
        long next = after + page.size();
        boolean isEnd = state.outcome() != null && next >= state.hits();
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        new HitStream(jobs, job, json, response.getOutputStream()).page(page, next, isEnd);
    }

    /** All hits, whole or not at all: waits for the end. */
    @GetMapping("/{id}/export")
    void export(Principal principal, @PathVariable String tenant, @PathVariable UUID id, HttpServletResponse response)
            throws IOException, InterruptedException {
        SearchJob job = find(principal, tenant, id);
        HitStream stream = new HitStream(jobs, job, json, response.getOutputStream());
        SearchJob.Outcome outcome = stream.awaitEnd().outcome();
        if (outcome != SearchJob.Outcome.COMPLETE) {
            throw new ProblemException(
                    HttpStatus.CONFLICT, "not-complete", "the search did not complete, so that not all hits are known");
        }
        response.setContentType(NDJSON);
        stream.lines();
    }

    @ExceptionHandler
    void gone(HitStream.ClientGoneException e) {}

    private SearchJob find(Principal principal, String tenant, UUID id) {
        Rights.require(principal, Right.SEARCH, tenant, tenants);
        return jobs.find(principal, id).orElseThrow(() -> ProblemException.notFound("the search"));
    }

    private static void requireNotNegative(long number, String name) {
        if (number < 0) {
            throw ProblemException.malformed(name + " must not be negative");
        }
    }
}
