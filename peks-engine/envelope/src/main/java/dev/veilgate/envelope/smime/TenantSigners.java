package dev.veilgate.envelope.smime;

import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Certificates that a tenant's mail is signed by: those in its public bundle, and those that an authority among them
 * issued to senders.
 *
 * <p>Dates are not looked at: a mail is read for years, and whoever signed the bundle answers for what it names. For
 * several threads.
 */
public final class TenantSigners {
    /** Certificates of the tenant's of which it is remembered who issued them: one for each sender. */
    private static final int MAX_REMEMBERED = 1024;

    private final List<List<X509Certificate>> chains;
    private final Map<X509Certificate, List<List<X509Certificate>>> issuers = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<X509Certificate, List<List<X509Certificate>>> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    /** @param chains in the tenant's public bundle, each with the certificate of the key first */
    public TenantSigners(List<List<X509Certificate>> chains) {
        this.chains = List.copyOf(chains);
    }

    /** Certificates of the keys themselves, the present one first. */
    Collection<X509Certificate> certificates() {
        return chains.stream().map(List::getFirst).toList();
    }

    /** Tells if a certificate signs all mail of the tenant, whatever it names: an operator chose it. */
    boolean isOwn(X509Certificate certificate) {
        return !MailSigner.isAuthority(certificate)
                && chains.stream().anyMatch(chain -> chain.getFirst().equals(certificate));
    }

    /**
     * The certificate by which the mail signature of an envelope holds; empty if there is none that is the tenant's, or
     * that an authority of the tenant issued.
     */
    Optional<X509Certificate> signing(BoundHeader envelope) {
        return envelope.mailCertificate()
                .flatMap(OuterHeader::decoded)
                .filter(certificate ->
                        isOwn(certificate) || !issuers(certificate).isEmpty())
                .filter(envelope::isBoundBy);
    }

    /**
     * The certificate of the bundle that answers for the mail signature of an envelope: the signing one itself, or the
     * authority's that issued it, since who has the key of that can issue others. Empty if no mail signature of the
     * tenant holds.
     */
    public Optional<X509Certificate> answering(BoundHeader envelope) {
        return signing(envelope)
                .map(certificate -> isOwn(certificate)
                        ? certificate
                        : issuers(certificate).getFirst().getFirst());
    }

    /**
     * The chains of the authorities that issued a certificate to who signs mail: several, where an authority has got
     * another certificate for its key.
     */
    List<List<X509Certificate>> issuers(X509Certificate certificate) {
        synchronized (issuers) {
            List<List<X509Certificate>> known = issuers.get(certificate);
            if (known != null) {
                return known;
            }
        }
        List<List<X509Certificate>> found = chains.stream()
                .filter(chain -> MailSigner.isIssued(certificate, chain.getFirst()))
                .toList();
        if (!found.isEmpty()) { // strangers' certificates are as many, and as long, as strangers like
            synchronized (issuers) {
                issuers.put(certificate, found);
            }
        }
        return found;
    }

    /** Tells if an authority of the tenant issued a certificate, and may for an address. */
    boolean isFor(X509Certificate certificate, String address) {
        return issuers(certificate).stream().anyMatch(chain -> permits(chain, address));
    }

    /** Tells if the tenant has an authority for senders of an address's domain. */
    boolean hasAuthorityFor(String address) {
        return chains.stream().anyMatch(chain -> MailSigner.isAuthority(chain.getFirst()) && permits(chain, address));
    }

    private static boolean permits(List<X509Certificate> chain, String address) {
        return chain.stream().allMatch(each -> SenderNames.permit(each, address));
    }

    /** Addresses that a certificate names; one that is nobody's, if it cannot be told whom it names. */
    static List<String> names(X509Certificate certificate) {
        try {
            return RecipientCertificate.addresses(certificate);
        } catch (RefusedCertificateException | RuntimeException e) { // the runtime's parser throws more than it says
            return List.of(OuterHeader.NOBODY);
        }
    }

    /** Tells if a certificate names an address, in any case of ASCII letters. */
    static boolean isNamed(X509Certificate certificate, String address) {
        return names(certificate).stream().anyMatch(address::equalsIgnoreCase);
    }
}
