package dev.veilgate.gateway.chain;

import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.chain.SenderLedger.RulesSeen;
import dev.veilgate.gateway.chain.SenderLedger.SenderStatus;
import dev.veilgate.gateway.http.Rights;
import dev.veilgate.gateway.tenant.Tenants;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class SenderController {
    private final SenderLedger ledger;
    private final Tenants tenants;

    SenderController(SenderLedger ledger, Tenants tenants) {
        this.ledger = ledger;
        this.tenants = tenants;
    }

    /** All senders that sent, with what is missing. */
    @GetMapping("/v1/tenants/{tenant}/senders")
    List<SenderStatus> senders(Principal principal, @PathVariable String tenant) {
        Rights.require(principal, Right.SENDERS, tenant, tenants);
        return ledger.senders(tenant);
    }

    /** By which rules each sender makes keywords, and when it last did. */
    @GetMapping("/v1/tenants/{tenant}/rules")
    List<RulesSeen> rules(Principal principal, @PathVariable String tenant) {
        Rights.require(principal, Right.SENDERS, tenant, tenants);
        return ledger.rules(tenant);
    }
}
