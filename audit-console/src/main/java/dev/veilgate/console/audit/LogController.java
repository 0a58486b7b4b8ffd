package dev.veilgate.console.audit;

import dev.veilgate.console.http.BrokenAnswerException;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.issuing.LogEntry;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

@RestController
class LogController {
    private static final int MAX_PAGE = 200;
    private static final int PAGE = 50;

    private final AuditLog log;
    private final SealedEntries sealed;
    private final LogLines lines;

    LogController(AuditLog log, SealedEntries sealed, JsonMapper json) {
        this.log = log;
        this.sealed = sealed;
        this.lines = new LogLines(json);
    }

    @GetMapping("/api/log")
    LogPages.Page page(
            User user,
            @RequestParam(required = false) @Nullable String kind,
            @RequestParam(required = false) @Nullable String actor,
            @RequestParam(required = false) @Nullable Long before,
            @RequestParam(defaultValue = "" + PAGE) int limit) {
        return page(user, new LogFilter(kind, actor, null, null, null, null), before, limit);
    }

    /** Entries that are looked for. */
    record LogSearch(
            @Nullable String kind,
            @Nullable String actor,
            @Nullable String scope,
            @Nullable String text,
            @Nullable Instant from,
            @Nullable Instant to,
            @Nullable Long before,
            @Nullable Integer limit) {
        LogFilter filter() {
            return new LogFilter(kind, actor, scope, text, from, to);
        }

        @Override
        public String toString() {
            return "LogSearch[hidden]";
        }
    }

    /** Text that is looked for is in no address, since proxies write addresses down. */
    @PostMapping("/api/log/search")
    LogPages.Page search(User user, @RequestBody LogSearch wanted) {
        user.require(Role.KEEPER, Role.APPROVER, Role.AUDITOR);
        return page(user, wanted.filter(), wanted.before(), wanted.limit() == null ? PAGE : wanted.limit());
    }

    private LogPages.Page page(User user, LogFilter asked, @Nullable Long before, int limit) {
        user.require(Role.KEEPER, Role.APPROVER, Role.AUDITOR);
        if (limit < 1 || limit > MAX_PAGE || before != null && before < 1) {
            throw ProblemException.malformed("limit is 1 to " + MAX_PAGE + ", and before is a number of an entry");
        }
        boolean seesAll = user.is(Role.KEEPER, Role.APPROVER);
        Predicate<LogEntry> wanted = entry -> (seesAll || entry.actor().equals(user.id())) && asked.test(entry);
        long newest = before == null ? Long.MAX_VALUE : before;
        return log.read(opened -> LogPages.page(opened, wanted, newest, limit, seesAll));
    }

    @PostMapping("/api/log/{number}/details")
    List<LogPages.NamedValue> details(User user, @PathVariable long number) throws Exception {
        user.require(Role.APPROVER);
        return LogPages.NamedValue.of(sealed.open(user.id(), number));
    }

    /** To be kept by somebody else: what was logged before it cannot be rewritten unseen any more. */
    @GetMapping("/api/log/head")
    ResponseEntity<byte[]> head(User user) {
        user.require(Role.KEEPER, Role.APPROVER);
        byte[] head = log.read(opened -> opened.head().encode());
        return ResponseEntity.ok()
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"issuing-log.vgh\"")
                .body(head);
    }

    @GetMapping("/api/log/export")
    void export(User user, HttpServletResponse response) {
        user.require(Role.KEEPER, Role.APPROVER);
        log.read(opened -> {
            opened.head(); // what fails, fails before the first byte
            response.setContentType(MediaType.APPLICATION_OCTET_STREAM_VALUE);
            response.setHeader(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"issuing-log.vgl\"");
            OutputStream to = response.getOutputStream();
            send(() -> opened.export(unbroken(to)));
            return true;
        });
    }

    /** For programs that read logs: the entries that are asked for, a line each; it proves nothing by itself. */
    @GetMapping("/api/log/lines")
    void lines(
            User user,
            @RequestParam(required = false) @Nullable String kind,
            @RequestParam(required = false) @Nullable String actor,
            @RequestParam(required = false) @Nullable String scope,
            @RequestParam(required = false) @Nullable Instant from,
            @RequestParam(required = false) @Nullable Instant to,
            HttpServletResponse response) {
        user.require(Role.KEEPER, Role.APPROVER);
        LogFilter asked = new LogFilter(kind, actor, scope, null, from, to);
        log.read(opened -> {
            response.setContentType("application/jsonl");
            response.setHeader(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"issuing-log.jsonl\"");
            OutputStream out = new BufferedOutputStream(unbroken(response.getOutputStream()));
            send(() -> {
                lines.write(opened, asked, out);
                out.flush();
            });
            return true;
        });
    }

    /** Something that reads the log and sends it. */
    @FunctionalInterface
    private interface Sending {
        void send() throws IOException;
    }

    /** What cannot be sent is no fault of the log; and what cannot be read has no other answer when a part was sent. */
    private static void send(Sending sending) {
        try {
            sending.send();
        } catch (IOException e) {
            throw new BrokenAnswerException("the issuing log could not be read to its end for an export", e);
        }
    }

    private static OutputStream unbroken(OutputStream to) {
        return new FilterOutputStream(to) {
            @Override
            public void write(int value) {
                write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
                try {
                    out.write(bytes, from, length);
                } catch (IOException e) {
                    throw new BrokenAnswerException("an export of the issuing log was broken off", e);
                }
            }
        };
    }
}
