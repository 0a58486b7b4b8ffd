package dev.veilgate.gateway.tenant;

import dev.veilgate.envelope.EnvelopeVerifier;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RegisteredSenders;
import dev.veilgate.envelope.smime.OuterHeader;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.query.IndexAdmission;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the gateway knows of a tenant, all of it public: keys that index blocks may be under, scopes, senders,
 * recipients. Immutable.
 */
public final class Tenant {
    private final PublicBundle bundle;
    private final IndexAdmission index;
    private final Set<String> scopes;
    private final Set<String> mailDomains;
    private final Set<String> senderDomains;
    private final EnvelopeVerifier senders;

    /**
     * @param bundle     verified against the pinned fingerprint
     * @param registered its senders, verified likewise
     * @param schemes    those of this installation
     */
    public Tenant(PublicBundle bundle, RegisteredSenders registered, IndexSchemes schemes) {
        this.bundle = bundle;
        this.index = IndexAdmission.of(bundle, schemes);
        Set<String> named = new HashSet<>(bundle.scopes());
        bundle.recipients().forEach(recipient -> named.add(recipient.scope()));
        this.scopes = bundle.scopes().isEmpty() ? Set.of() : Set.copyOf(named);
        this.mailDomains = bundle.recipients().stream()
                .map(recipient ->
                        recipient.address().substring(recipient.address().lastIndexOf('@') + 1))
                .collect(Collectors.toUnmodifiableSet());
        this.senderDomains = OuterHeader.domains(bundle.mailSigners());
        this.senders = new EnvelopeVerifier(registered);
    }

    /** Its name. */
    public String name() {
        return bundle.tenant();
    }

    /** All that its authority published. */
    public PublicBundle bundle() {
        return bundle;
    }

    /** Checks index blocks under the keys of the bundle. */
    public IndexAdmission index() {
        return index;
    }

    /** Whether index blocks may name this scope. */
    public boolean knowsScope(String scope) {
        return scopes.isEmpty() || scopes.contains(scope);
    }

    /** Whether mail can be sealed for anybody in a domain, given in lower case. */
    public boolean namesRecipientsOf(String domain) {
        return mailDomains.contains(domain);
    }

    /** Domains whose senders its authority signs for, in lower case, as {@link OuterHeader#domains} has them. */
    public Set<String> senderDomains() {
        return senderDomains;
    }

    /** Whether its registered senders signed what they send. */
    public EnvelopeVerifier senders() {
        return senders;
    }
}
