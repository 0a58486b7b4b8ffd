package dev.veilgate.envelope.smime;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.cms.Attribute;
import org.bouncycastle.asn1.cms.AttributeTable;
import org.bouncycastle.asn1.cms.IssuerAndSerialNumber;
import org.bouncycastle.asn1.cms.KeyAgreeRecipientInfo;
import org.bouncycastle.asn1.cms.KeyTransRecipientInfo;
import org.bouncycastle.asn1.cms.RecipientEncryptedKey;
import org.bouncycastle.asn1.cms.RecipientInfo;
import org.bouncycastle.asn1.x509.Certificate;

/**
 * Names of those whom a mail is sealed for, as a signed attribute of it: a recipient can take a signed mail out, and
 * seal it for somebody else, but the attribute then names others than the sealed mail does.
 *
 * <pre>
 *   value = SHA-256(n1 || n2 || ...),  n the DER of each IssuerAndSerialNumber (RFC 5652, section 10.2.4), ascending,
 * each once
 * </pre>
 *
 * <p>DER says where each ends, so two different sets have one value with the probability of a collision of SHA-256.
 */
final class RecipientNames {
    /** An arc of a random UUID (ITU-T X.667). */
    static final ASN1ObjectIdentifier ATTRIBUTE =
            new ASN1ObjectIdentifier("2.25.288236006926199316292626430212563918121");

    private RecipientNames() {}

    /** The value for some recipients. */
    static byte[] digest(Collection<RecipientCertificate> recipients) {
        List<IssuerAndSerialNumber> names = new ArrayList<>();
        for (RecipientCertificate each : recipients) {
            try {
                names.add(new IssuerAndSerialNumber(
                        Certificate.getInstance(each.certificate().getEncoded())));
            } catch (CertificateEncodingException e) {
                throw new IllegalStateException("a certificate that was read cannot be written", e);
            }
        }
        return digestOf(names);
    }

    /**
     * The value for those that a sealed mail names; empty if it names one by something else than issuer and serial
     * number.
     */
    static Optional<byte[]> digest(ASN1Set recipients) {
        List<IssuerAndSerialNumber> names = new ArrayList<>();
        for (ASN1Encodable each : recipients) {
            switch (RecipientInfo.getInstance(each).getInfo()) {
                case KeyTransRecipientInfo transport -> {
                    if (!(transport.getRecipientIdentifier().getId() instanceof IssuerAndSerialNumber name)) {
                        return Optional.empty();
                    }
                    names.add(name);
                }
                case KeyAgreeRecipientInfo agreement -> {
                    for (ASN1Encodable wrap : agreement.getRecipientEncryptedKeys()) {
                        IssuerAndSerialNumber name = RecipientEncryptedKey.getInstance(wrap)
                                .getIdentifier()
                                .getIssuerAndSerialNumber();
                        if (name == null) {
                            return Optional.empty();
                        }
                        names.add(name);
                    }
                }
                default -> {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(digestOf(names));
    }

    /** The attribute with a value. */
    static Attribute attribute(byte[] digest) {
        return new Attribute(ATTRIBUTE, new DERSet(new DEROctetString(digest)));
    }

    /** Tells if signed attributes name these recipients, or nobody, as those of mails of before. */
    static boolean isFor(AttributeTable signed, Optional<byte[]> recipients) {
        if (signed.getAll(ATTRIBUTE).size() == 0) {
            return true;
        }
        ASN1Set values = signed.get(ATTRIBUTE).getAttrValues();
        return signed.getAll(ATTRIBUTE).size() == 1
                && values.size() == 1
                && values.getObjectAt(0) instanceof ASN1OctetString value
                && recipients.isPresent()
                && Arrays.equals(value.getOctets(), recipients.get());
    }

    private static byte[] digestOf(List<IssuerAndSerialNumber> names) {
        try {
            List<byte[]> encoded = new ArrayList<>();
            for (IssuerAndSerialNumber name : names) {
                encoded.add(name.getEncoded(ASN1Encoding.DER));
            }
            encoded.sort(Arrays::compareUnsigned);
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] last = {};
            for (byte[] each : encoded) {
                if (!Arrays.equals(each, last)) {
                    digest.update(each);
                }
                last = each;
            }
            return digest.digest();
        } catch (IOException e) {
            throw new IllegalArgumentException("a name of a recipient cannot be written", e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }
}
