package dev.veilgate.gateway.ingest.sender;

import dev.veilgate.gateway.tenant.Tenant;
import dev.veilgate.gateway.tenant.Tenants;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Mail domains of this site: those that are served here, and those whose senders the authority of a tenant signs for.
 * A domain below is another one, unless the authority's certificate has all below ({@code .example.org}).
 *
 * <p>For several threads.
 */
final class OwnDomains {
    private final Tenants tenants;
    private final Set<String> served;
    private volatile Names names;

    /** @param tenants as their bundles were when names were gathered */
    private record Names(List<Tenant> tenants, Set<String> exact, List<String> endings) {}

    OwnDomains(Tenants tenants, Set<String> servedDomains) {
        this.tenants = tenants;
        this.served = Set.copyOf(servedDomains);
        this.names = gathered(tenants.all());
    }

    /** @param address as {@link MailDomain#normalAddress} has it */
    boolean isOwn(String address) {
        Names now = current();
        String domain = address.substring(address.lastIndexOf('@') + 1);
        return now.exact.contains(domain)
                || now.exact.contains(address)
                || now.endings.stream().anyMatch(domain::endsWith);
    }

    private Names current() {
        List<Tenant> all = tenants.all();
        Names now = names;
        if (!now.tenants.equals(all)) {
            now = gathered(all);
            names = now;
        }
        return now;
    }

    private Names gathered(List<Tenant> all) {
        Set<String> exact = new HashSet<>();
        Set<String> endings = new HashSet<>();
        served.forEach(domain -> exact.add(MailDomain.normal(domain)));
        for (Tenant tenant : all) {
            for (String name : tenant.senderDomains()) {
                (name.startsWith(".") ? endings : exact).add(name);
            }
        }
        return new Names(List.copyOf(all), Set.copyOf(exact), List.copyOf(endings));
    }
}
