package dev.veilgate.gateway.retention;

import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.http.ProblemException;
import dev.veilgate.gateway.http.Rights;
import dev.veilgate.gateway.store.EnvelopeName;
import dev.veilgate.gateway.tenant.Tenants;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Map;
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

/** Legal holds, and what is left of deleted envelopes. */
@RestController
@RequestMapping("/v1/tenants/{tenant}")
class HoldController {
    private static final int MAX_PAGE = 1000;

    private final Retention retention;
    private final RetentionLedger ledger;
    private final Tenants tenants;
    private final Clock clock;

    HoldController(Retention retention, RetentionLedger ledger, Tenants tenants, Clock clock) {
        this.retention = retention;
        this.ledger = ledger;
        this.tenants = tenants;
        this.clock = clock;
    }

    /**
     * A new hold.
     *
     * @param scope    or the envelope, one of the two
     * @param envelope its id
     * @param digest   of its bytes, SHA-256 in hexadecimal; null: all envelopes of the id are held
     * @param reason   for people, at most 500 characters
     */
    record NewHold(
            @Nullable String scope,
            @Nullable UUID envelope,
            @Nullable String digest,
            @Nullable String reason) {}

    /** Once this is answered, nothing is deleted that the hold speaks of. */
    @PostMapping("/holds")
    ResponseEntity<Map<String, UUID>> place(
            Principal principal, @PathVariable String tenant, @RequestBody NewHold wanted, HttpServletRequest http) {
        Rights.require(principal, Right.RETENTION, tenant, tenants);
        if ((wanted.scope == null) == (wanted.envelope == null)) {
            throw ProblemException.malformed("a hold names a scope or an envelope");
        }
        if (wanted.digest != null && (wanted.envelope == null || !EnvelopeName.isDigest(wanted.digest))) {
            throw ProblemException.malformed("a digest is that of an envelope: 64 hexadecimal digits in lower case");
        }
        String reason = wanted.reason == null ? "" : wanted.reason;
        if (reason.length() > 500 || wanted.scope != null && wanted.scope.length() > 255) {
            throw ProblemException.malformed("a reason has at most 500 characters and a scope 255");
        }
        requireVisible(principal, wanted.scope);
        UUID id = UUID.randomUUID();
        retention.place(
                tenant,
                new Hold(id, wanted.scope, wanted.envelope, wanted.digest, reason, clock.instant(), principal.name()));
        return ResponseEntity.created(URI.create(http.getRequestURI() + "/" + id))
                .body(Map.of("id", id));
    }

    /** A token for some scopes has nothing to say on others, nor on envelopes, which may be of others. */
    private static void requireVisible(Principal principal, @Nullable String scope) {
        if (!maySee(principal, scope)) {
            throw ProblemException.forbidden("the token may not hold or release this");
        }
    }

    private static boolean maySee(Principal principal, @Nullable String scope) {
        return scope == null ? principal.scopes().isEmpty() : principal.maySee(scope);
    }

    @GetMapping("/holds")
    List<Hold> holds(Principal principal, @PathVariable String tenant) {
        Rights.require(principal, Right.RETENTION, tenant, tenants);
        return ledger.holds(tenant).stream()
                .filter(hold -> maySee(principal, hold.scope()))
                .toList();
    }

    /** What it held may be deleted again by the next run. */
    @DeleteMapping("/holds/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void lift(Principal principal, @PathVariable String tenant, @PathVariable UUID id) {
        Rights.require(principal, Right.RETENTION, tenant, tenants);
        Hold hold = ledger.holds(tenant).stream()
                .filter(some -> some.id().equals(id) && maySee(principal, some.scope()))
                .findFirst()
                .orElseThrow(() -> ProblemException.notFound("the hold"));
        ledger.lift(tenant, hold.id());
    }

    /** Deleted envelopes of a sender, in the order of its chain. */
    @GetMapping("/tombstones")
    List<Tombstone> tombstones(
            Principal principal,
            @PathVariable String tenant,
            @RequestParam(defaultValue = "") String sender,
            @RequestParam(defaultValue = "-1") long after,
            @RequestParam(defaultValue = "100") int limit) {
        Rights.require(principal, Right.RETENTION, tenant, tenants);
        if (limit < 1 || limit > MAX_PAGE) {
            throw ProblemException.malformed("limit must be 1 to " + MAX_PAGE);
        }
        return ledger.tombstones(tenant, sender, after, limit);
    }
}
