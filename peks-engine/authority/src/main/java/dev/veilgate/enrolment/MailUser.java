package dev.veilgate.enrolment;

import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.envelope.smime.MailSigner;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;

/**
 * A recipient of mail and what the certificate says.
 *
 * @param certificate empty if it cannot be read, as none is that a command or the console put there
 * @param issuedHere  if the certificate names the tenant's own authority for mail as its issuer
 */
public record MailUser(Recipient recipient, Optional<X509Certificate> certificate, boolean issuedHere) {
    /**
     * The user of a bundle's entry.
     *
     * @param authority the tenant's own for mail, if there is one
     */
    public static MailUser of(Recipient recipient, Optional<X509Certificate> authority) {
        Optional<X509Certificate> certificate = certificate(recipient.certificate());
        boolean issuedHere = certificate.isPresent()
                && authority
                        .filter(each -> each.getSubjectX500Principal()
                                .equals(certificate.get().getIssuerX500Principal()))
                        .isPresent();
        return new MailUser(recipient, certificate, issuedHere);
    }

    private static Optional<X509Certificate> certificate(byte[] der) {
        try {
            return Optional.of((X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der)));
        } catch (CertificateException e) {
            return Optional.empty();
        }
    }

    /** SHA-256 of the certificate, lower-case hex; empty if it cannot be read. */
    public Optional<String> fingerprint() {
        return certificate.map(MailSigner::fingerprint);
    }

    /** The end of the certificate; empty if it cannot be read. */
    public Optional<Instant> notAfter() {
        return certificate.map(each -> each.getNotAfter().toInstant());
    }
}
