package dev.veilgate.gateway.credential;

import dev.veilgate.gateway.access.ForeignAccessException;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Principal.Kind;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.access.TenantAccess;
import dev.veilgate.gateway.http.ProblemException;
import dev.veilgate.gateway.http.Rights;
import dev.veilgate.gateway.tenant.Tenants;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Who may send for one's own tenant. */
@RestController
@RequestMapping("/v1/tenants/{tenant}/access")
class AccessController {
    private static final Logger LOG = LoggerFactory.getLogger(AccessController.class);

    private final TenantAccess access;
    private final Tenants tenants;

    AccessController(TenantAccess access, Tenants tenants) {
        this.access = access;
        this.tenants = tenants;
    }

    /**
     * Somebody who has access.
     *
     * @param kind   device, mail or token
     * @param rights of a token; for the others ingest
     * @param scopes the only ones that its searches, routes and holds may name; empty: all
     * @param topics that a device may subscribe to
     */
    record Holder(String kind, String name, List<String> rights, List<String> scopes, List<String> topics) {
        static Holder of(Principal principal) {
            return new Holder(
                    label(principal.kind()),
                    principal.name(),
                    principal.rights().stream().map(Right::label).sorted().toList(),
                    principal.scopes().stream().sorted().toList(),
                    principal.topics().stream().sorted().toList());
        }
    }

    record NewAccess(@Nullable String kind, @Nullable String name) {}

    record Granted(String kind, String name, String secret) {
        @Override
        public String toString() {
            return "Granted[" + kind + ' ' + name + ']';
        }
    }

    @GetMapping
    List<Holder> list(Principal principal, @PathVariable String tenant) {
        Rights.require(principal, Right.ACCESS, tenant, tenants);
        return access.list(tenant).stream().map(Holder::of).toList();
    }

    /** A new secret; the one that the name had before is good no more. */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    Granted grant(Principal principal, @PathVariable String tenant, @RequestBody NewAccess wanted) {
        Rights.require(principal, Right.ACCESS, tenant, tenants);
        Kind kind = kind(wanted.kind());
        String name = name(wanted.name());
        try {
            String secret = access.grant(kind, name, tenant);
            LOG.info("access: {} gave a {} a new secret", principal.name(), label(kind));
            return new Granted(label(kind), name, secret);
        } catch (ForeignAccessException e) {
            throw taken(e);
        } catch (IOException e) {
            throw unchanged(e);
        }
    }

    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revoke(
            Principal principal,
            @PathVariable String tenant,
            @RequestParam(required = false) @Nullable String kind,
            @RequestParam(required = false) @Nullable String name) {
        Rights.require(principal, Right.ACCESS, tenant, tenants);
        Kind of = kind(kind);
        try {
            if (!access.revoke(of, name(name), tenant)) {
                throw ProblemException.notFound("access of this kind and name");
            }
            LOG.info("access: {} took that of a {} away", principal.name(), label(of));
        } catch (ForeignAccessException e) {
            throw taken(e);
        } catch (IOException e) {
            throw unchanged(e);
        }
    }

    private static Kind kind(@Nullable String label) {
        return Arrays.stream(Kind.values())
                .filter(kind -> label(kind).equals(label))
                .findFirst()
                .orElseThrow(() -> ProblemException.malformed("kind must be device, mail or token"));
    }

    private static String label(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private static String name(@Nullable String name) {
        if (name == null || !TenantAccess.isName(name)) {
            throw ProblemException.malformed(
                    "name must have 1 to " + TenantAccess.MAX_NAME + " characters, none a control character");
        }
        return name;
    }

    private static ProblemException taken(ForeignAccessException e) {
        return new ProblemException(HttpStatus.CONFLICT, "conflict", String.valueOf(e.getMessage()));
    }

    private static ProblemException unchanged(IOException e) {
        LOG.error("the access file cannot be changed", e);
        return new ProblemException(
                HttpStatus.SERVICE_UNAVAILABLE,
                "access-file",
                "the gateway cannot change its access file for now; its log says why");
    }
}
