package dev.veilgate.console.audit;

import dev.veilgate.authority.AuthorityLog;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.issuing.LogEntry;
import java.util.SortedMap;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** What rules have sealed in entries of the issuing log, opened with the tenant's keys. */
@Component
final class SealedEntries {
    private final AuditLog log;
    private final Custody custody;

    SealedEntries(AuditLog log, Custody custody) {
        this.log = log;
        this.custody = custody;
    }

    /**
     * Opens the sealed details of an entry. That somebody asked for them is in the log before they are opened.
     *
     * @param actor for whom
     * @throws ProblemException 404 if there is no such entry or nothing sealed in it, 423 if the keys are locked
     */
    SortedMap<String, String> open(String actor, long number) throws Exception {
        LogEntry entry = log.read(opened -> opened.entry(number))
                .filter(found -> found.sealed().length > 0)
                .orElseThrow(() -> new ProblemException(
                        HttpStatus.NOT_FOUND,
                        "not-found",
                        "the log has no entry " + number + " with something sealed in it"));
        log.append(Entries.unsealed(actor, entry));
        return custody.use(keys -> AuthorityLog.unseal(keys, entry))
                .orElseThrow(() -> new ProblemException(
                        HttpStatus.NOT_FOUND,
                        "not-found",
                        "what is sealed in entry " + number + " does not open with any key of this key folder"));
    }
}
