package dev.veilgate.console.chains;

import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.chains.ChainAlarms.Alarm;
import dev.veilgate.console.chains.ChainAlarms.Evidence;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.http.WholeZip;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.LogDraft;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.zip.ZipEntry;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows keepers what a gateway kept back of senders' chains, and hands the evidence out. */
@RestController
@RequestMapping("/api/senders/alarms")
class AlarmController {
    private static final int MOST = 1_000;

    private final ChainAlarms alarms;
    private final AuditLog log;

    AlarmController(ChainAlarms alarms, AuditLog log) {
        this.alarms = alarms;
        this.log = log;
    }

    /**
     * All alarms.
     *
     * @param total  how many there are
     * @param alarms the newest of them
     */
    record Alarms(long total, List<Alarm> alarms) {}

    @GetMapping
    Alarms list(User user) {
        user.require(Role.KEEPER);
        return new Alarms(alarms.count(), alarms.newest(MOST));
    }

    /** A ZIP of the envelope and the request; who has the request can search with it, so that it is an entry first. */
    @GetMapping("/{id}/evidence")
    ResponseEntity<byte[]> evidence(User user, @PathVariable UUID id) throws IOException {
        user.require(Role.KEEPER);
        Evidence evidence =
                alarms.evidence(id).orElseThrow(() -> ProblemException.notFound("evidence that is kept of this alarm"));
        log.append(LogDraft.of(EntryKind.EXPORT, user.id())
                .with(Entries.ACTION, "evidence of what a gateway kept back, with trapdoors")
                .with(Entries.NAME, id.toString()));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (WholeZip zip = new WholeZip(out)) {
            add(zip, "envelope.cbor", evidence.envelope());
            add(zip, "request.cbor", evidence.request());
            zip.finish();
        }
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType("application/zip"))
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"evidence-" + id + ".zip\"")
                .body(out.toByteArray());
    }

    private static void add(WholeZip zip, String name, byte[] bytes) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(bytes);
        zip.closeEntry();
    }
}
