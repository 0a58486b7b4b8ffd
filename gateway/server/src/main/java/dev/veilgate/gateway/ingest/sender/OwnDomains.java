package dev.veilgate.gateway.ingest.sender;

import dev.veilgate.gateway.tenant.Tenant;
import dev.veilgate.gateway.tenant.Tenants;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mail domains of this site: those that are served here, and those whose senders the authority of a tenant signs for.
 * A domain below is another one, unless the authority's certificate has all below ({@code .example.org}).
 *
 * <p>For several threads.
 */
final class OwnDomains {
    private static final Logger LOG = LoggerFactory.getLogger(OwnDomains.class);

    private final Tenants tenants;
    private final Set<String> served;
    private volatile Names names;

    /** Hosts, single addresses, and endings ({@code .host}) for all below a host. */
    private record Domains(Set<String> exact, List<String> endings) {
        static Domains of(Collection<String> names) {
            return new Domains(
                    Set.copyOf(names),
                    names.stream().filter(name -> name.startsWith(".")).toList());
        }

        /** The domain as it is configured that an address is of. */
        Optional<String> of(String address) {
            String domain = address.substring(address.lastIndexOf('@') + 1);
            return exact.contains(domain) || exact.contains(address)
                    ? Optional.of(domain)
                    : endings.stream().filter(domain::endsWith).findFirst();
        }
    }

    /**
     * Domains as they were gathered from bundles and settings.
     *
     * @param tenants  as their bundles were then
     * @param all      of the site
     * @param byTenant those whose senders the tenant's authority signs for
     */
    private record Names(List<Tenant> tenants, Domains all, Map<String, Domains> byTenant) {}

    OwnDomains(Tenants tenants, Set<String> servedDomains) {
        this.tenants = tenants;
        this.served = Set.copyOf(servedDomains);
        this.names = gathered(tenants.all());
    }

    /**
     * The domain of the site that an address is of, as it is configured; empty if it is of none.
     *
     * @param address as {@link MailDomain#addressForms} has it
     */
    Optional<String> own(String address) {
        return current().all.of(address);
    }

    /**
     * Tells if what a tenant's bundle says is a proof for an address: the tenant's authority is restricted to domains
     * and signs for senders of this one, or no other tenant is served here.
     */
    boolean maySign(Tenant tenant, String address) {
        Names now = current();
        Domains own = now.byTenant.get(tenant.name());
        return now.tenants.size() <= 1 || own != null && own.of(address).isPresent();
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
        Set<String> own = new HashSet<>();
        served.forEach(domain -> own.addAll(MailDomain.forms(domain)));
        Map<String, Domains> byTenant = new LinkedHashMap<>();
        for (Tenant tenant : all) {
            own.addAll(tenant.senderDomains());
            warnOfShared(tenant, byTenant);
            byTenant.put(tenant.name(), Domains.of(tenant.senderDomains()));
        }
        return new Names(List.copyOf(all), Domains.of(own), Map.copyOf(byTenant));
    }

    private static void warnOfShared(Tenant tenant, Map<String, Domains> before) {
        before.forEach((name, domains) -> tenant.senderDomains().stream()
                .filter(domain -> domains.exact.contains(domain)
                        || domains.of("@" + domain).isPresent())
                .forEach(domain -> LOG.warn(
                        "the authorities of {} and {} both sign for senders of {}: mail of either proves them",
                        name,
                        tenant.name(),
                        domain)));
    }
}
