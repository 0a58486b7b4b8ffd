package dev.veilgate.gateway.ingest.sender;

import dev.veilgate.gateway.tenant.Tenant;
import dev.veilgate.gateway.tenant.Tenants;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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
    private final Map<String, String> owners;
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

    /** @param owners names of tenants by domain, as an operator says whose senders a domain has */
    OwnDomains(Tenants tenants, Set<String> servedDomains, Map<String, String> owners) {
        this.tenants = tenants;
        this.served = Set.copyOf(servedDomains);
        Map<String, String> byForm = new HashMap<>();
        owners.forEach((domain, tenant) -> MailDomain.forms(domain).forEach(form -> byForm.put(form, tenant)));
        this.owners = Map.copyOf(byForm);
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
        String owner = owner(address);
        Domains own = now.byTenant.get(tenant.name());
        boolean isOwn = own != null && own.of(address).isPresent();
        return owner == null ? now.tenants.size() <= 1 || isOwn : owner.equals(tenant.name());
    }

    /**
     * Tells if a tenant may bind a header with a sender's address: an operator says so, or no other tenant's authority
     * signs for senders of the domain. An envelope names its tenant, so that any tenant could put a name above what
     * was signed for another. Of a domain that two tenants claim neither may: only an operator can tell whose it is.
     *
     * @param address as {@link MailDomain#addressForms} has it
     */
    boolean mayBind(Tenant tenant, String address) {
        String owner = owner(address);
        return owner == null
                ? current().byTenant.entrySet().stream()
                        .noneMatch(each -> !each.getKey().equals(tenant.name())
                                && each.getValue().of(address).isPresent())
                : owner.equals(tenant.name());
    }

    private @Nullable String owner(String address) {
        return owners.get(address.substring(address.lastIndexOf('@') + 1));
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

    private void warnOfShared(Tenant tenant, Map<String, Domains> before) {
        before.forEach((name, domains) -> tenant.senderDomains().stream()
                .filter(domain -> domains.exact.contains(domain)
                        || domains.of("@" + domain).isPresent())
                .filter(domain -> !owners.containsKey(domain))
                .forEach(domain -> LOG.warn(
                        "the authorities of {} and {} both sign for senders of {}: mail of neither proves them, until"
                                + " veilgate.ingest.own-senders.tenants says whose domain it is",
                        name,
                        tenant.name(),
                        domain)));
    }
}
