package dev.veilgate.gateway.status;

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
import java.time.Instant;
import java.util.Objects;
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

    StatusController(EnvelopeStore store, IngestStatus ingest, Tenants tenants) {
        this.store = store;
        this.ingest = ingest;
        this.tenants = tenants;
    }

    /**
     * What is held of a tenant, and how the gateway is.
     *
     * @param version      of the software
     * @param postQuantum  which library computes the post-quantum algorithms
     * @param bundleSerial of the bundle in use
     * @param bundleEnds   when senders refuse it
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
            long freeBytes) {}

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
                ingest.freeBytes());
    }
}
