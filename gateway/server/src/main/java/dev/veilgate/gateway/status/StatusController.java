package dev.veilgate.gateway.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.http.Rights;
import dev.veilgate.gateway.ingest.IngestStatus;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.store.EnvelopeStore.Holdings;
import dev.veilgate.gateway.tenant.Tenant;
import dev.veilgate.gateway.tenant.Tenants;
import dev.veilgate.pq.PostQuantum;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class StatusController {
    private static final Holdings NOTHING = new Holdings(0, 0, 0);

    private static final String VERSION =
            Objects.requireNonNullElse(StatusController.class.getPackage().getImplementationVersion(), "development");

    private final EnvelopeStore store;
    private final IngestStatus ingest;
    private final Tenants tenants;
    private final Clock clock;

    StatusController(EnvelopeStore store, IngestStatus ingest, Tenants tenants, Clock clock) {
        this.store = store;
        this.ingest = ingest;
        this.tenants = tenants;
        this.clock = clock;
    }

    /**
     * What is held of a tenant, and how the gateway is.
     *
     * @param version      of the software
     * @param postQuantum  which library computes the post-quantum algorithms
     * @param bundleSerial of the bundle in use
     * @param bundleEnds   when senders refuse it
     * @param machine      how the gateway as a whole is
     */
    record TenantStatus(
            String tenant,
            String version,
            String postQuantum,
            long bundleSerial,
            Instant bundleEnds,
            long envelopes,
            long records,
            long blocks,
            long backlogBytes,
            long freeBytes,
            Machine machine) {}

    /**
     * How the gateway as a whole is.
     *
     * @param time     by its clock
     * @param trouble  what keeps it from storing what it took; null if nothing does
     * @param diskFull whether so little is free that nothing is taken
     * @param setAside entries that were taken and cannot be applied by this version
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Machine(Instant time, @Nullable String trouble, boolean diskFull, int setAside) {}

    @GetMapping("/v1/tenants/{tenant}/status")
    TenantStatus status(Principal principal, @PathVariable String tenant) throws IOException {
        Tenant served = Rights.require(principal, Right.STATUS, tenant, tenants);
        Holdings held = store.holdings().getOrDefault(tenant, NOTHING);
        return new TenantStatus(
                tenant,
                VERSION,
                PostQuantum.current().description(),
                served.bundle().serial(),
                served.bundle().notAfter(),
                held.envelopes(),
                held.records(),
                held.blocks(),
                ingest.backlogBytes(),
                ingest.freeBytes(),
                new Machine(clock.instant(), ingest.trouble().orElse(null), ingest.diskIsFull(), ingest.setAside()));
    }
}
