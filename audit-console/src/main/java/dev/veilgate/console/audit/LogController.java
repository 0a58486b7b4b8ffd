package dev.veilgate.console.audit;

import dev.veilgate.console.http.BrokenAnswerException;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.LogEntry;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class LogController {
    private static final int MAX_PAGE = 200;

    private final AuditLog log;
    private final SealedEntries sealed;

    LogController(AuditLog log, SealedEntries sealed) {
        this.log = log;
        this.sealed = sealed;
    }

    @GetMapping("/api/log")
    LogPages.Page page(
            User user,
            @RequestParam(required = false) @Nullable String kind,
            @RequestParam(required = false) @Nullable String actor,
            @RequestParam(required = false) @Nullable Long before,
            @RequestParam(defaultValue = "50") int limit) {
        user.require(Role.KEEPER, Role.APPROVER, Role.AUDITOR);
        if (limit < 1 || limit > MAX_PAGE || before != null && before < 1) {
            throw ProblemException.malformed("limit is 1 to " + MAX_PAGE + ", and before is a number of an entry");
        }
        boolean seesAll = user.is(Role.KEEPER, Role.APPROVER);
        Predicate<LogEntry> wanted =
                entry -> (kind == null || LogPages.kind(entry).equals(kind))
                        && (actor == null || entry.actor().equals(actor))
                        && (seesAll || entry.actor().equals(user.id()));
        long from = before == null ? Long.MAX_VALUE : before;
        return log.read(opened -> LogPages.page(opened, wanted, from, limit, seesAll));
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
            send(opened, response.getOutputStream());
            return true;
        });
    }

    /** What cannot be sent is no fault of the log; and what cannot be read has no other answer when a part was sent. */
    private static void send(IssuingLog log, OutputStream to) {
        try {
            export(log, to);
        } catch (IOException e) {
            throw new BrokenAnswerException("the issuing log could not be read to its end for an export", e);
        }
    }

    private static void export(IssuingLog log, OutputStream to) throws IOException {
        log.export(new FilterOutputStream(to) {
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
        });
    }
}
