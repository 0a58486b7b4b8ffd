package dev.veilgate.envelope.smime;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.smime.SMIMECapability;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/**
 * A recipient's certificate that passed the rules below. That it belongs to the recipient is the word of the authority
 * that signed the public bundle; no chain is built and no revocation list is asked.
 *
 * <ul>
 *   <li>Valid now.
 *   <li>RSA of 2,048 to 16,384 bits with key usage keyEncipherment, or elliptic curve P-256, P-384 or P-521 with
 *   keyAgreement; a
 *       certificate without the extension may be used for anything.
 *   <li>Extended key usage, where present: emailProtection or any.
 *   <li>Names the address: a rfc822Name among the alternative names, or, only if there is none, an emailAddress of the
 *   subject
 *       (RFC 8550, section 3).
 * </ul>
 */
public final class RecipientCertificate {
    private static final int MAX_BYTES = 64 << 10;
    private static final int MIN_RSA_BITS = 2048;
    private static final int MAX_RSA_BITS = 16384;
    private static final int RFC822_NAME = 1;
    private static final int KEY_ENCIPHERMENT = 2;
    private static final int KEY_AGREEMENT = 4;
    private static final Set<String> MAIL_PURPOSES = Set.of("1.3.6.1.5.5.7.3.4", "2.5.29.37.0");
    private static final Set<ASN1ObjectIdentifier> CURVES =
            Set.of(X9ObjectIdentifiers.prime256v1, SECObjectIdentifiers.secp384r1, SECObjectIdentifiers.secp521r1);

    private final String address;
    private final X509Certificate certificate;

    private RecipientCertificate(String address, X509Certificate certificate) {
        this.address = address;
        this.certificate = certificate;
    }

    /**
     * Checks a certificate for an address.
     *
     * @param der     the certificate, DER
     * @param address the recipient, {@code local@domain}; compared without regard to ASCII case
     * @param now     the time it must be valid at
     * @throws RefusedCertificateException naming the rule that it breaks
     */
    public static RecipientCertificate check(byte[] der, String address, Instant now)
            throws RefusedCertificateException {
        X509Certificate certificate = parse(der);
        checkValidity(certificate, now);
        checkKey(certificate);
        checkPurpose(certificate);
        checkAddress(certificate, address);
        return new RecipientCertificate(address, certificate);
    }

    /** The address it was checked for. */
    public String address() {
        return address;
    }

    /** The certificate. */
    public X509Certificate certificate() {
        return certificate;
    }

    /**
     * Whether it says that its program reads AuthEnvelopedData: AES-256-GCM is among its S/MIME capabilities (RFC 4262,
     * RFC 5084).
     */
    public boolean readsAuthenticated() {
        return isCapableOf(NISTObjectIdentifiers.id_aes256_GCM);
    }

    /** Whether it says that its program reads RSAES-OAEP. */
    boolean readsOaep() {
        return isCapableOf(PKCSObjectIdentifiers.id_RSAES_OAEP);
    }

    private boolean isCapableOf(ASN1ObjectIdentifier algorithm) {
        byte[] extension = certificate.getExtensionValue(PKCSObjectIdentifiers.pkcs_9_at_smimeCapabilities.getId());
        if (extension == null) {
            return false;
        }
        try {
            byte[] value = ASN1OctetString.getInstance(extension).getOctets();
            for (ASN1Encodable each : ASN1Sequence.getInstance(value)) {
                if (algorithm.equals(SMIMECapability.getInstance(each).getCapabilityID())) {
                    return true;
                }
            }
            return false;
        } catch (RuntimeException e) {
            // Bouncy Castle's parsers throw several kinds. Not critical: whoever cannot read it takes it for absent.
            return false;
        }
    }

    boolean isRsa() {
        return certificate.getPublicKey() instanceof RSAPublicKey;
    }

    private static X509Certificate parse(byte[] der) throws RefusedCertificateException {
        if (der.length > MAX_BYTES) {
            throw new RefusedCertificateException("the certificate has more than " + MAX_BYTES + " bytes");
        }
        try {
            var in = new ByteArrayInputStream(der);
            var certificate =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            if (!Arrays.equals(certificate.getEncoded(), der)) {
                throw new RefusedCertificateException("the certificate is not DER, or something follows it");
            }
            return certificate;
        } catch (GeneralSecurityException | RuntimeException e) {
            throw new RefusedCertificateException("the certificate cannot be read");
        }
    }

    private static void checkValidity(X509Certificate certificate, Instant now) throws RefusedCertificateException {
        try {
            certificate.checkValidity(Date.from(now));
        } catch (CertificateExpiredException e) {
            throw new RefusedCertificateException(
                    "the certificate expired on " + certificate.getNotAfter().toInstant());
        } catch (CertificateNotYetValidException e) {
            throw new RefusedCertificateException("the certificate is not valid before "
                    + certificate.getNotBefore().toInstant());
        }
    }

    private static void checkKey(X509Certificate certificate) throws RefusedCertificateException {
        PublicKey key = certificate.getPublicKey();
        checkKey(key, "the certificate's");
        if (key instanceof RSAPublicKey) {
            checkUsage(certificate, KEY_ENCIPHERMENT, "keyEncipherment");
        } else {
            checkUsage(certificate, KEY_AGREEMENT, "keyAgreement");
        }
    }

    /**
     * Checks that mail may be sealed for a key, by the rules for certificates: kind, size and curve.
     *
     * @param whose what begins the message of a refusal, such as "the request's"
     * @throws RefusedCertificateException naming the rule that it breaks
     */
    public static void checkKey(PublicKey key, String whose) throws RefusedCertificateException {
        switch (key) {
            case RSAPublicKey rsa -> {
                int bits = rsa.getModulus().bitLength();
                if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS) {
                    throw new RefusedCertificateException(whose + " RSA key has " + bits + " bits; allowed are "
                            + MIN_RSA_BITS + " to " + MAX_RSA_BITS);
                }
                if (rsa.getPublicExponent().bitLength() < 2
                        || !rsa.getPublicExponent().testBit(0)) {
                    throw new RefusedCertificateException(whose + " RSA exponent must be odd and above 1");
                }
                if (!rsa.getAlgorithm().equals("RSA")) {
                    throw new RefusedCertificateException(
                            whose + " RSA key is for PSS signatures: it is not meant for encryption");
                }
            }
            case ECPublicKey ec -> {
                var parameters = SubjectPublicKeyInfo.getInstance(ec.getEncoded())
                        .getAlgorithm()
                        .getParameters();
                if (!(parameters instanceof ASN1ObjectIdentifier curve && CURVES.contains(curve))) {
                    throw new RefusedCertificateException(whose + " curve must be P-256, P-384 or P-521");
                }
            }
            default -> throw new RefusedCertificateException(whose + " key must be RSA or on P-256, P-384 or P-521");
        }
    }

    private static void checkUsage(X509Certificate certificate, int bit, String name)
            throws RefusedCertificateException {
        boolean[] usage = certificate.getKeyUsage();
        if (usage != null && !usage[bit]) {
            throw new RefusedCertificateException(
                    "the certificate's key usage does not contain " + name + ": it is not meant for encryption");
        }
    }

    private static void checkPurpose(X509Certificate certificate) throws RefusedCertificateException {
        try {
            List<String> purposes = certificate.getExtendedKeyUsage();
            if (purposes != null && purposes.stream().noneMatch(MAIL_PURPOSES::contains)) {
                throw new RefusedCertificateException("the certificate's extended key usage is not for mail");
            }
        } catch (GeneralSecurityException e) {
            throw new RefusedCertificateException("the certificate's extended key usage cannot be read");
        }
    }

    private static void checkAddress(X509Certificate certificate, String address) throws RefusedCertificateException {
        String wanted = address.toLowerCase(Locale.ROOT);
        if (addresses(certificate).stream()
                .noneMatch(a -> a.toLowerCase(Locale.ROOT).equals(wanted))) {
            throw new RefusedCertificateException("the certificate does not name the address");
        }
    }

    /** The mail addresses that a certificate names. */
    static List<String> addresses(X509Certificate certificate) throws RefusedCertificateException {
        var found = new ArrayList<String>();
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            for (List<?> name : names == null ? List.<List<?>>of() : names) {
                if (Integer.valueOf(RFC822_NAME).equals(name.get(0)) && name.get(1) instanceof String mail) {
                    found.add(mail);
                }
            }
        } catch (GeneralSecurityException e) {
            throw new RefusedCertificateException("the certificate's alternative names cannot be read");
        }
        if (found.isEmpty()) {
            X500Name subject =
                    X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
            for (RDN rdn : subject.getRDNs(PKCSObjectIdentifiers.pkcs_9_at_emailAddress)) {
                for (AttributeTypeAndValue part : rdn.getTypesAndValues()) {
                    if (part.getType().equals(PKCSObjectIdentifiers.pkcs_9_at_emailAddress)
                            && part.getValue() instanceof ASN1String text) {
                        found.add(text.getString());
                    }
                }
            }
        }
        return found;
    }
}
