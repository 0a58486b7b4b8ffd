package dev.veilgate.authority;

import dev.veilgate.envelope.smime.AddressForm;
import dev.veilgate.envelope.smime.RecipientCertificate;
import dev.veilgate.envelope.smime.RefusedCertificateException;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.crypto.util.PublicKeyFactory;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;

/**
 * Address, public key and serial number of a recipient's certificate, known before the certificate exists, so that the
 * issuing log can tell of it first.
 *
 * @param address      in lower case, as {@link AddressForm} takes it
 * @param publicKey    RSA of 2,048 to 16,384 bits or on P-256, P-384 or P-521
 * @param serialNumber of the certificate, positive, at most 159 bits
 */
public record RecipientRequest(String address, PublicKey publicKey, BigInteger serialNumber) {
    /** Most bytes of a request in a file: a key of 16,384 bits has 3 KiB. */
    public static final int MAX_BYTES = 1 << 16;

    private static final String WHOSE = "the request's";

    /** @throws IllegalArgumentException naming what is wrong */
    public RecipientRequest {
        if (!AddressForm.isTaken(address) || !address.equals(address.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("address: must be local@domain in lower case");
        }
        if (serialNumber.signum() <= 0 || serialNumber.bitLength() > MailCertificates.SERIAL_BITS) {
            throw new IllegalArgumentException(
                    "serial number: must be positive and have at most " + MailCertificates.SERIAL_BITS + " bits");
        }
    }

    /** A request for a key that was made here; draws the serial number. */
    public static RecipientRequest of(String address, PublicKey key, SecureRandom random) {
        return new RecipientRequest(address, key, MailCertificates.serialNumber(random));
    }

    /**
     * A request of somebody who made the key themself: PKCS #10 (RFC 2986), DER or PEM. The signature by the key is
     * checked, which proves possession of it. Of names and extensions nothing is taken over; where they name a mail
     * address, it must be this one.
     *
     * @param file    at most {@link #MAX_BYTES}
     * @param address in lower case
     * @throws RefusedCertificateException naming the rule that it breaks
     */
    public static RecipientRequest ofPkcs10(byte[] file, String address, SecureRandom random)
            throws RefusedCertificateException {
        if (file.length > MAX_BYTES) {
            throw new RefusedCertificateException("the request has more than " + MAX_BYTES + " bytes");
        }
        PKCS10CertificationRequest request = decoded(file);
        PublicKey key;
        try {
            key = new JcaPKCS10CertificationRequest(request).getPublicKey();
        } catch (GeneralSecurityException | RuntimeException e) {
            throw new RefusedCertificateException(WHOSE + " key cannot be read");
        }
        RecipientCertificate.checkKey(key, WHOSE); // bounds the time of what follows
        requireSound(request);
        requirePossession(request, key);
        requireAddress(request, address);
        return of(address, key, random);
    }

    private static PKCS10CertificationRequest decoded(byte[] file) throws RefusedCertificateException {
        try {
            if (file.length > 0 && file[0] == 0x30) { // SEQUENCE
                return new PKCS10CertificationRequest(file);
            }
            try (PEMParser parser = new PEMParser(new StringReader(new String(file, StandardCharsets.ISO_8859_1)))) {
                if (parser.readObject() instanceof PKCS10CertificationRequest request) {
                    return request;
                }
            }
        } catch (IOException | RuntimeException e) { // Bouncy Castle's parsers throw several kinds
            throw unreadable();
        }
        throw unreadable();
    }

    private static RefusedCertificateException unreadable() {
        return new RefusedCertificateException("neither PEM nor DER of a certificate request (PKCS #10)");
    }

    /** Refuses moduli that are even, prime or have a small factor, and points that are not on their curve. */
    private static void requireSound(PKCS10CertificationRequest request) throws RefusedCertificateException {
        try {
            PublicKeyFactory.createKey(request.getSubjectPublicKeyInfo());
        } catch (IOException | RuntimeException e) {
            throw new RefusedCertificateException(WHOSE + " key is weak, or not on its curve");
        }
    }

    private static void requirePossession(PKCS10CertificationRequest request, PublicKey key)
            throws RefusedCertificateException {
        boolean isSigned;
        try {
            isSigned = request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key));
        } catch (OperatorCreationException | PKCSException | RuntimeException e) {
            isSigned = false;
        }
        if (!isSigned) {
            throw new RefusedCertificateException(
                    "the request is not signed by its key: nothing says that who asks has the private key");
        }
    }

    private static void requireAddress(PKCS10CertificationRequest request, String address)
            throws RefusedCertificateException {
        List<String> named;
        try {
            named = addresses(request);
        } catch (RuntimeException e) {
            throw new RefusedCertificateException(WHOSE + " names cannot be read");
        }
        for (String each : named) {
            if (!each.equalsIgnoreCase(address)) {
                throw new RefusedCertificateException("the request is for another address");
            }
        }
    }

    /** Addresses in alternative names and in the subject; there a common name that is one counts too. */
    private static List<String> addresses(PKCS10CertificationRequest request) {
        List<String> found = new ArrayList<>();
        for (RDN rdn : request.getSubject().getRDNs()) {
            for (AttributeTypeAndValue part : rdn.getTypesAndValues()) {
                Optional<String> text = text(part.getValue());
                boolean isName = part.getType().equals(BCStyle.CN);
                if (part.getType().equals(BCStyle.EmailAddress)
                        || isName && text.filter(AddressForm::isTaken).isPresent()) {
                    found.add(text.orElse(""));
                }
            }
        }
        Extensions extensions = request.getRequestedExtensions();
        GeneralNames names =
                extensions == null ? null : GeneralNames.fromExtensions(extensions, Extension.subjectAlternativeName);
        for (GeneralName each : names == null ? new GeneralName[0] : names.getNames()) {
            if (each.getTagNo() == GeneralName.rfc822Name) {
                found.add(text(each.getName()).orElse(""));
            }
        }
        return found;
    }

    private static Optional<String> text(ASN1Encodable value) {
        return value instanceof ASN1String string ? Optional.of(string.getString()) : Optional.empty();
    }

    /** SHA-256 of the public key (SubjectPublicKeyInfo, DER), lower-case hex. */
    public String keyDigest() {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(publicKey.getEncoded()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }
}
