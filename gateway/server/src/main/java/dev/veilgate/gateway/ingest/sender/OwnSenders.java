package dev.veilgate.gateway.ingest.sender;

import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.OuterHeader;
import dev.veilgate.envelope.smime.PlainHeader;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.tenant.Tenant;
import dev.veilgate.gateway.tenant.Tenants;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Tells whether a mail names a sender of a domain of this site whom nothing proves. Proven is an address that the login
 * may use, or that the certificate names which signed the outer header ({@link OuterHeader#isSignedBy}), if the tenant
 * whose bundle has that certificate may sign for the domain. The sender of the SMTP envelope and those in the header
 * are looked at each for itself, in every way in which a program may read them.
 *
 * <p>For several threads.
 */
public final class OwnSenders {
    private static final Set<String> REPORTERS = Set.of("mailer-daemon", "postmaster");

    private final OwnDomains domains;
    private final SenderRights rights;
    private final List<IpSubnetFilterRule> clients;
    private final Set<String> logins;

    /** Domains are those of the rights and of the tenants' authorities. */
    public OwnSenders(Tenants tenants, SenderRights rights, OwnSenderSettings settings) {
        this.domains = new OwnDomains(tenants, rights.servedDomains(), settings.tenants());
        this.rights = rights;
        this.clients = settings.networks();
        this.logins = settings.logins();
    }

    /** Places in a mail that name a sender of the site without a proof. */
    public enum Unproven {
        /** Nowhere. */
        NONE,
        /** In MAIL FROM. */
        REVERSE_PATH,
        /** In From or Sender. */
        FROM,
        /** In both. */
        BOTH;

        private static Unproven of(boolean reversePath, boolean from) {
            return reversePath ? from ? BOTH : REVERSE_PATH : from ? FROM : NONE;
        }
    }

    /**
     * Senders of the site that a mail names and nothing proves.
     *
     * @param where   in the mail
     * @param domains of the site that they are of, as they are configured; none if the fields cannot be read
     */
    public record Finding(Unproven where, SortedSet<String> domains) {}

    /**
     * How a mail came.
     *
     * @param login       who logged in
     * @param client      the address that it came from
     * @param reversePath of MAIL FROM; empty for none
     */
    public record Transport(Optional<Principal> login, Optional<InetAddress> client, String reversePath) {}

    /**
     * Looks at a mail without an index: at the senders that it is delivered with, and at all that some program might
     * have read in the header that it came with.
     *
     * @param isReport whether it is in the form of a report that a mail was not delivered, from the empty sender: one
     *                 may be from {@code mailer-daemon@} or {@code postmaster@} a domain of this site
     */
    public Finding ofPlain(Transport transport, MailHeader came, MailHeader delivered, boolean isReport) {
        Optional<Set<String>> shown = PlainHeader.senders(delivered);
        return of(transport, came, shown.orElse(Set.of()), shown.isEmpty(), address -> isReport && isReporter(address));
    }

    /**
     * Looks at a sealed mail.
     *
     * @param came   the header that it came with, which counts if none is bound
     * @param bound  the header that its sealer bound to it
     * @param tenant whose bundle has who signed: of several tenants each proves senders of the domains that its own
     *               authority is restricted to
     */
    public Finding ofSealed(Transport transport, MailHeader came, Optional<OuterHeader> bound, Tenant tenant) {
        if (bound.isEmpty()) {
            Set<String> bare = Set.of(OuterHeader.bareFrom(came, transport.reversePath()));
            return of(transport, came, bare, true, _ -> false); // for a time such mail is delivered as it came
        }
        Predicate<String> isProven =
                proof(transport, address -> bound.get().isSignedBy(address) && domains.maySign(tenant, address));
        Set<String> from = unproven(bound.get().from(), isProven); // Sender is signed with it: the login owns both
        return finding(reversePath(transport, isProven), !from.isEmpty(), from);
    }

    /** Tells if a tenant may bind a header with an address in From: no other tenant here has the domain. */
    public boolean mayBind(Tenant tenant, String from) {
        return MailDomain.addressForms(from).stream().allMatch(form -> domains.mayBind(tenant, form));
    }

    /**
     * Looks at the senders of a mail that nobody signed.
     *
     * @param delivered   addresses that it is delivered with
     * @param isAsItCame  whether programs may see the fields that it came with
     */
    private Finding of(
            Transport transport,
            MailHeader came,
            Set<String> delivered,
            boolean isAsItCame,
            Predicate<String> isExempt) {
        Predicate<String> isProven = proof(transport, isExempt);
        Set<String> found = new HashSet<>();
        delivered.forEach(address -> found.addAll(unproven(address, isProven)));
        boolean isRead = switch (ShownSenders.read(came, shown -> found.addAll(unproven(shown, isProven)))) {
            case WHOLE -> true;
            case UNKNOWN_CHARSET -> !isAsItCame;
            case UNREAD -> false;
        };
        boolean isFromUnproven = !found.isEmpty() || !isRead && !isProven.test("");
        return finding(reversePath(transport, isProven), isFromUnproven, found);
    }

    private static Finding finding(Set<String> reversePath, boolean isFromUnproven, Set<String> from) {
        SortedSet<String> domains = new TreeSet<>(reversePath);
        domains.addAll(from);
        return new Finding(Unproven.of(!reversePath.isEmpty(), isFromUnproven), domains);
    }

    private Predicate<String> proof(Transport transport, Predicate<String> orElse) {
        boolean isListed = transport
                        .login()
                        .filter(who -> logins.contains(who.name().toLowerCase(Locale.ROOT)))
                        .isPresent()
                || transport.client().filter(this::isNamed).isPresent();
        return address -> isListed
                || transport.login().filter(who -> rights.mayUse(who, address)).isPresent()
                || orElse.test(address);
    }

    private boolean isNamed(InetAddress client) {
        return clients.stream().anyMatch(network -> OwnSenderSettings.isIn(network, client));
    }

    private Set<String> reversePath(Transport transport, Predicate<String> isProven) {
        return transport.reversePath().isEmpty() ? Set.of() : unproven(transport.reversePath(), isProven);
    }

    /** The domains of the site that an address is of, in one form or the other, and for which nothing proves it. */
    private Set<String> unproven(String address, Predicate<String> isProven) {
        Set<String> found = new HashSet<>();
        for (String form : MailDomain.addressForms(address)) {
            domains.own(form).filter(_ -> !isProven.test(form)).ifPresent(found::add);
        }
        return found;
    }

    private static boolean isReporter(String address) {
        return REPORTERS.contains(address.substring(0, Math.max(0, address.lastIndexOf('@'))));
    }
}
