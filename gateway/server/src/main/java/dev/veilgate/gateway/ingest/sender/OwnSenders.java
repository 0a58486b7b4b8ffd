package dev.veilgate.gateway.ingest.sender;

import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.OuterHeader;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.tenant.Tenants;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Tells whether a mail names a sender of a domain of this site whom nothing proves. Proven is an address that the login
 * may use, or that the certificate names which signed the outer header ({@link OuterHeader#isSignedBy}). The sender of
 * the SMTP envelope and those in the header are looked at each for itself.
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
        this.domains = new OwnDomains(tenants, rights.servedDomains());
        this.rights = rights;
        this.clients = settings.networks();
        this.logins = settings.logins();
    }

    /** Where a mail names a sender whom nothing proves. */
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
     * How a mail came.
     *
     * @param login       who logged in
     * @param client      the address that it came from
     * @param reversePath of MAIL FROM; empty for none
     */
    public record Transport(Optional<Principal> login, Optional<InetAddress> client, String reversePath) {}

    /**
     * Looks at a mail without an index.
     *
     * @param isReport whether it is in the form of a report that a mail was not delivered, from the empty sender:
     *                 one may be from {@code mailer-daemon@} or {@code postmaster@} a domain of this site
     */
    public Unproven ofPlain(Transport transport, MailHeader header, boolean isReport) {
        return of(transport, header, address -> isReport && isReporter(address));
    }

    /**
     * Looks at a sealed mail.
     *
     * @param came  the header that it came with, which counts if none is bound
     * @param bound the header that its sealer bound to it
     */
    public Unproven ofSealed(Transport transport, MailHeader came, Optional<OuterHeader> bound) {
        if (bound.isEmpty()) {
            return of(transport, came, _ -> false);
        }
        Predicate<String> isProven = proof(transport, bound.get()::isSignedBy);
        return Unproven.of(
                isReversePathUnproven(transport, isProven),
                isUnproven(bound.get().from(), isProven)); // Sender is signed with it, by an edge whose login owns both
    }

    private Unproven of(Transport transport, MailHeader header, Predicate<String> isExempt) {
        Predicate<String> isProven = proof(transport, isExempt);
        return Unproven.of(isReversePathUnproven(transport, isProven), isFromUnproven(header, isProven));
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

    private boolean isReversePathUnproven(Transport transport, Predicate<String> isProven) {
        return !transport.reversePath().isEmpty() && isUnproven(transport.reversePath(), isProven);
    }

    private boolean isUnproven(String address, Predicate<String> isProven) {
        String normal = MailDomain.normalAddress(address);
        return domains.isOwn(normal) && !isProven.test(normal);
    }

    private boolean isFromUnproven(MailHeader header, Predicate<String> isProven) {
        Set<String> own = new HashSet<>();
        boolean isRead = ShownSenders.read(header, shown -> {
            String address = MailDomain.normalAddress(shown);
            if (domains.isOwn(address)) {
                own.add(address);
            }
        });
        if (!isRead) {
            return !isProven.test("");
        }
        Set<String> whole = new HashSet<>();
        own.stream().filter(address -> address.charAt(0) != '@').forEach(address -> whole.add(domain(address)));
        own.removeIf(address -> address.charAt(0) == '@' && whole.contains(domain(address)));
        return !own.stream().allMatch(isProven);
    }

    private static String domain(String address) {
        return address.substring(address.lastIndexOf('@') + 1);
    }

    private static boolean isReporter(String address) {
        return REPORTERS.contains(address.substring(0, Math.max(0, address.lastIndexOf('@'))));
    }
}
