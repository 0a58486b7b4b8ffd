package dev.veilgate.console.search;

import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.BrokenAnswerException;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Hands all hits of a search out as evidence. */
@RestController
class ExportController {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Searches searches;
    private final RunningExports running;
    private final FoundContent content;
    private final Custody custody;
    private final AuditLog log;
    private final JsonMapper json;
    private final Clock clock;

    ExportController(
            Searches searches,
            RunningExports running,
            FoundContent content,
            Custody custody,
            AuditLog log,
            JsonMapper json,
            Clock clock) {
        this.searches = searches;
        this.running = running;
        this.content = content;
        this.custody = custody;
        this.log = log;
        this.json = json;
        this.clock = clock;
    }

    @GetMapping("/api/searches/{id}/export")
    void export(User user, @PathVariable UUID id, @RequestParam String format, HttpServletResponse response)
            throws IOException {
        user.require(Role.AUDITOR);
        if (custody.isLocked()) {
            throw ProblemException.locked();
        }
        ExportFormat as = ExportFormat.of(format);
        Export export = new Export(custody, log, json, new JobSource(searches.find(user, id), content), as, user);
        try (RunningExports.Place _ = running.take(user)) {
            send(export, as, response);
        }
    }

    private void send(Export export, ExportFormat as, HttpServletResponse response) throws IOException {
        Instant now = clock.instant();
        long begun = export.begin();
        response.setContentType("application/zip");
        response.setHeader(
                HttpHeaders.CONTENT_DISPOSITION,
                "attachment; filename=\"export-" + TIME.format(now) + "-" + as.label() + ".zip\"");
        response.flushBuffer(); // from here on nothing but a whole archive is an answer
        try {
            export.write(response.getOutputStream(), begun, now);
        } catch (Exception e) {
            throw new BrokenAnswerException("an export was broken off", e);
        }
    }

    private record JobSource(SearchJob job, FoundContent content) implements Export.Source {
        private static final long LOOK = 1000;

        @Override
        public SearchState state() {
            return job.state();
        }

        @Override
        public @Nullable List<String> senders() {
            return job.intent().text().senders();
        }

        @Override
        public Intent intent() {
            return job.intent();
        }

        @Override
        public SearchEvidence evidence() {
            return job.evidence();
        }

        @Override
        public byte[] row(long number) throws IOException {
            if (number % LOOK == 0) {
                job.touch(); // so that it is not forgotten as one that nobody looks at
            }
            return job.spool().row(Math.toIntExact(number));
        }

        @Override
        public byte[] message(Row row) {
            return content.mail(job, row).message();
        }
    }
}
