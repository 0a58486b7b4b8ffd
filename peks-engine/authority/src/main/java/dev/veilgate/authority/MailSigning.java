package dev.veilgate.authority;

import dev.veilgate.envelope.MailSigners;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.secret.Secret;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a tenant's mail is signed with: the present key, the certificates of former ones, whose private keys are not
 * kept, and the tenant's certificate authority for mail, if it has one. Does not change: what follows a change is
 * another.
 *
 * @param signer    the present key; empty for keys of before mail was signed, until the first is made
 * @param former    chains of certificates, newest first
 * @param authority what signing certificates are issued by; empty if they were all imported
 */
@Secret
record MailSigning(Optional<KeptMailKey> signer, List<List<X509Certificate>> former, Optional<KeptMailKey> authority) {
    static final MailSigning NONE = new MailSigning(Optional.empty(), List.of(), Optional.empty());

    /** @throws IllegalArgumentException for more than a bundle holds */
    MailSigning {
        former = List.copyOf(former);
        MailSigners.checked(chains(signer, former));
    }

    /** The present signer's certificates first, then those of former ones: as a bundle has them. */
    List<List<X509Certificate>> chains() {
        return chains(signer, former);
    }

    private static List<List<X509Certificate>> chains(
            Optional<KeptMailKey> signer, List<List<X509Certificate>> former) {
        List<List<X509Certificate>> all = new ArrayList<>();
        signer.ifPresent(key -> all.add(key.chain()));
        all.addAll(former);
        return all;
    }

    /**
     * With a fresh key and a certificate of it, issued by the tenant's authority; by a new one where there is none, it
     * would end before the certificate, or may not issue such a one.
     *
     * @param domains of senders, for an authority that signs as them; empty for a key that signs as the tenant
     * @throws IllegalStateException if there are as many as a bundle holds
     */
    MailSigning rotated(String tenant, List<String> domains, SecureRandom random, Instant now) {
        requireRoom(Optional.empty());
        MailCertificates certificates = new MailCertificates(tenant, random, now);
        Instant end = domains.isEmpty() ? certificates.signerEnds() : certificates.sendersEnd();
        KeptMailKey by = authority
                .filter(key -> !key.chain().getFirst().getNotAfter().toInstant().isBefore(end))
                .filter(key -> domains.isEmpty() || MailCertificates.isAboveSenders(key))
                .orElseGet(certificates::authority);
        KeptMailKey fresh = domains.isEmpty() ? certificates.signer(by) : certificates.senders(by, domains);
        return new MailSigning(Optional.of(fresh), chains(), Optional.of(by));
    }

    /**
     * With another key; the present one becomes a former one, and a former one with the same certificate is the present
     * one again.
     *
     * @throws IllegalStateException    if there are as many as a bundle holds
     * @throws IllegalArgumentException if all certificates together are longer than a bundle holds
     */
    MailSigning with(MailSigner other) {
        requireRoom(Optional.of(other.leaf()));
        List<List<X509Certificate>> others = chains().stream()
                .filter(chain -> !chain.getFirst().equals(other.leaf()))
                .toList();
        return new MailSigning(Optional.of(KeptMailKey.of(other.privateKey(), other.chain())), others, authority);
    }

    /**
     * Without a former signer; empty if there is none with this fingerprint.
     *
     * @throws IllegalArgumentException if it is the present one's
     */
    Optional<MailSigning> without(String fingerprint) {
        if (signer.filter(key -> has(key.chain(), fingerprint)).isPresent()) {
            throw new IllegalArgumentException(
                    "this is the present mail signing certificate; make or import another one first");
        }
        List<List<X509Certificate>> left =
                former.stream().filter(chain -> !has(chain, fingerprint)).toList();
        return left.size() == former.size() ? Optional.empty() : Optional.of(new MailSigning(signer, left, authority));
    }

    /**
     * With an authority of the tenant's own: the present one, or a new one where there is none, since the signer was
     * imported.
     *
     * @throws IllegalStateException if no mail is signed yet, so that nothing would be kept
     */
    MailSigning withAuthority(String tenant, SecureRandom random, Instant now) {
        if (signer.isEmpty()) {
            throw new IllegalStateException(
                    "there is no authority for mail yet; veilgate keys mail-signer new makes it");
        }
        return authority.isPresent()
                ? this
                : new MailSigning(signer, former, Optional.of(new MailCertificates(tenant, random, now).authority()));
    }

    private static boolean has(List<X509Certificate> chain, String fingerprint) {
        return MailSigner.fingerprint(chain.getFirst()).equals(fingerprint);
    }

    private void requireRoom(Optional<X509Certificate> again) {
        long others = chains().stream()
                .filter(chain -> !again.equals(Optional.of(chain.getFirst())))
                .count();
        if (others >= MailSigners.MAX_SIGNERS) {
            throw new IllegalStateException("there are " + others
                    + " mail signing certificates already; veilgate keys mail-signer remove takes a former one out");
        }
    }

    /** How many private keys it has. */
    int keys() {
        return (signer.isPresent() ? 1 : 0) + (authority.isPresent() ? 1 : 0);
    }

    /** Erases the private keys but those that another one has too. */
    void closeBut(MailSigning other) {
        signer.filter(key -> !other.signer.equals(Optional.of(key))).ifPresent(KeptMailKey::close);
        authority.filter(key -> !other.authority.equals(Optional.of(key))).ifPresent(KeptMailKey::close);
    }
}
