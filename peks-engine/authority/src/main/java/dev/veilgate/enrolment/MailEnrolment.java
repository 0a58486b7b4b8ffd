package dev.veilgate.enrolment;

import dev.veilgate.authority.RecipientRequest;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.RecipientCertificate;
import dev.veilgate.envelope.smime.RecipientKey;
import dev.veilgate.envelope.smime.RefusedCertificateException;
import dev.veilgate.issuing.DetailName;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.secret.Secret;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A new certificate of a user of mail: first its key, then an entry of the issuing log, then the certificate and the
 * files that its user is given.
 *
 * <p>Gives: the private key is in the files only, under a passphrase of 125 bits that is drawn, and nowhere once both
 * are handed over; with a request (PKCS #10) the authority never has it. The certificate is for encryption alone, by
 * the tenant's own authority for mail. Does not give: a key that the authority has never had, unless there is a
 * request.
 */
@Secret
public final class MailEnrolment {
    private final RecipientRequest order;
    private final @Nullable RecipientKey key;
    private final SecureRandom random;

    private MailEnrolment(RecipientRequest order, @Nullable RecipientKey key, SecureRandom random) {
        this.order = order;
        this.key = key;
        this.random = random;
    }

    /**
     * Makes a key, which takes about a second for RSA.
     *
     * @param address in lower case
     * @throws IllegalArgumentException if it is no mail address
     */
    public static MailEnrolment withNewKey(String address, RecipientKey.Kind kind, SecureRandom random) {
        RecipientKey made = RecipientKey.generate(kind, random);
        return new MailEnrolment(RecipientRequest.of(address, made.publicKey(), random), made, random);
    }

    /**
     * Takes a key that its user made.
     *
     * @param request PKCS #10, DER or PEM, of at most {@link RecipientRequest#MAX_BYTES}
     * @param address in lower case
     * @throws RefusedCertificateException naming the rule that it breaks
     * @throws IllegalArgumentException    if it is no mail address
     */
    public static MailEnrolment ofRequest(String address, byte[] request, SecureRandom random)
            throws RefusedCertificateException {
        return new MailEnrolment(RecipientRequest.ofPkcs10(request, address, random), null, random);
    }

    /** Tells if the authority made the key. */
    public boolean isKeyMadeHere() {
        return key != null;
    }

    /** An entry of the issuing log with what is said of the certificate, which does not exist yet. */
    public LogDraft described(LogDraft draft) {
        return draft.with(DetailName.KEY, order.keyDigest())
                .with(DetailName.SERIAL_NUMBER, order.serialNumber().toString(16))
                .with(DetailName.KEY_MADE_BY, isKeyMadeHere() ? "authority" : "user");
    }

    /**
     * The reason why an address is no user's of this tenant: its domain is neither one that mail is signed for, nor
     * that of another recipient. Where there are none of either, any is taken.
     *
     * @return empty if it may be one
     */
    public static Optional<String> foreignDomain(TenantKeys keys, String address) throws MalformedEncodingException {
        String domain = domain(address);
        Optional<MailSigner> signer = keys.mailSigner();
        List<String> known = signer.map(MailSigner::domains).orElse(List.of());
        boolean isKnown = known.isEmpty() && keys.recipients().isEmpty()
                || signer.filter(each -> each.permits(address)).isPresent()
                || keys.recipients().stream()
                        .anyMatch(each -> domain(each.address()).equals(domain));
        if (isKnown) {
            return Optional.empty();
        }
        String those = known.isEmpty() ? "" : " (mail is signed for " + String.join(", ", known) + ")";
        return Optional.of(domain + " is none of the tenant's mail domains" + those);
    }

    private static String domain(String address) {
        return address.substring(address.indexOf('@') + 1);
    }

    /**
     * Issues the certificate, after its entry is in the log. Adds no recipient: {@link TenantKeys#putRecipient} does,
     * with {@link Issued#recipient}.
     *
     * @param scope what an auditor of the mailbox is granted
     * @throws RefusedCertificateException if the tenant's authority for mail issues nothing that bundles take
     * @throws IllegalStateException       if no mail is signed yet
     */
    public Issued issue(TenantKeys keys, String scope, MailServers servers, Instant now)
            throws RefusedCertificateException, CertificateEncodingException {
        X509Certificate certificate = keys.issueRecipient(order, random, now);
        String address = order.address();
        RecipientCertificate.check(certificate.getEncoded(), address, now);
        X509Certificate authority = keys.mailAuthority().orElseThrow();
        Recipient recipient = new Recipient(address, certificate.getEncoded(), scope);
        RecipientKey made = key;
        if (made == null) {
            return new Issued(
                    certificate,
                    recipient,
                    EnrolmentFiles.withCertificate(address, servers, authority, certificate),
                    new char[0]);
        }
        char[] passphrase = DrawnPassphrase.draw(random);
        byte[] pkcs12 = made.toPkcs12(List.of(certificate, authority), address, passphrase);
        return new Issued(
                certificate, recipient, EnrolmentFiles.withKey(address, servers, authority, pkcs12), passphrase);
    }

    /**
     * A certificate, and what its user is given. Never printed.
     *
     * @param recipient  the user's place in the next bundle
     * @param passphrase of the key in the files, to be told by another way than they; empty if its user made the key
     */
    @Secret
    @SuppressWarnings("ArrayRecordComponent") // wiped by close()
    public record Issued(X509Certificate certificate, Recipient recipient, EnrolmentFiles files, char[] passphrase)
            implements AutoCloseable {
        /** Wipes files and passphrase. */
        @Override
        public void close() {
            files.close();
            Arrays.fill(passphrase, '\0');
        }

        @Override
        public String toString() {
            return "Issued[" + recipient.address() + "]";
        }
    }
}
