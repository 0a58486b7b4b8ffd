package dev.veilgate.envelope.smime;

import java.security.Key;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Set;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.cms.IssuerAndSerialNumber;
import org.bouncycastle.asn1.cms.KeyAgreeRecipientInfo;
import org.bouncycastle.asn1.cms.KeyTransRecipientInfo;
import org.bouncycastle.asn1.cms.RecipientEncryptedKey;
import org.bouncycastle.asn1.cms.RecipientInfo;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Certificate;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cms.CMSAlgorithm;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.jcajce.JceKeyAgreeEnvelopedRecipient;
import org.bouncycastle.cms.jcajce.JceKeyTransEnvelopedRecipient;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.jspecify.annotations.Nullable;

/**
 * Unwraps the content key with a recipient's private key. Recipients are told apart by issuer and serial number.
 *
 * <p>A wrap of another kind than {@link CmsSealer} makes is refused before the key is used. PKCS #1 v1.5 above all: whoever sees which
 * altered wraps are refused for their padding decrypts others' by it (Bleichenbacher), even when the mail itself was wrapped by OAEP.
 */
final class MailKeyUnwrapper implements CmsOpener.KeySource {
    private static final Provider BOUNCY_CASTLE = new BouncyCastleProvider();
    private static final Set<ASN1ObjectIdentifier> AGREEMENTS =
            Set.of(CMSAlgorithm.ECDH_SHA256KDF, CMSAlgorithm.ECDH_SHA384KDF, CMSAlgorithm.ECDH_SHA512KDF);

    private final PrivateKey key;
    private final Certificate certificate;
    private final IssuerAndSerialNumber name;

    MailKeyUnwrapper(PrivateKey key, X509Certificate certificate) {
        this.key = key;
        try {
            this.certificate = Certificate.getInstance(certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("the certificate cannot be encoded", e);
        }
        this.name = new IssuerAndSerialNumber(this.certificate);
    }

    @Override
    public MailKey contentKey(ASN1Set recipients, AlgorithmIdentifier algorithm) throws UnopenableMailException {
        for (ASN1Encodable recipient : recipients) {
            try {
                byte[] unwrapped = unwrap(RecipientInfo.getInstance(recipient).getInfo(), algorithm);
                if (unwrapped != null) {
                    MailKey contentKey = MailKey.of(unwrapped);
                    Arrays.fill(unwrapped, (byte) 0);
                    return contentKey;
                }
            } catch (CMSException | IllegalArgumentException e) {
                throw new UnopenableMailException("the private key is not the certificate's, or the wrap was altered");
            }
        }
        throw new UnopenableMailException("the sealed mail is not for this certificate");
    }

    private byte @Nullable [] unwrap(ASN1Encodable info, AlgorithmIdentifier algorithm)
            throws CMSException, UnopenableMailException {
        if (info instanceof KeyTransRecipientInfo transport) {
            if (!name.equals(transport.getRecipientIdentifier().getId())) {
                return null;
            }
            AlgorithmIdentifier wrapping = transport.getKeyEncryptionAlgorithm();
            if (!PKCSObjectIdentifiers.id_RSAES_OAEP.equals(wrapping.getAlgorithm())) {
                throw new UnopenableMailException("the sealed mail's key is not wrapped by RSAES-OAEP");
            }
            return new Transported(key)
                    .contentKey(wrapping, algorithm, transport.getEncryptedKey().getOctets());
        }
        if (info instanceof KeyAgreeRecipientInfo agreement) {
            for (ASN1Encodable each : agreement.getRecipientEncryptedKeys()) {
                var wrap = RecipientEncryptedKey.getInstance(each);
                if (name.equals(wrap.getIdentifier().getIssuerAndSerialNumber())) {
                    requireOurs(agreement.getKeyEncryptionAlgorithm());
                    return new Agreed(key)
                            .contentKey(
                                    agreement,
                                    algorithm,
                                    certificate.getSubjectPublicKeyInfo().getAlgorithm(),
                                    wrap.getEncryptedKey().getOctets());
                }
            }
        }
        return null;
    }

    private static void requireOurs(AlgorithmIdentifier agreement) throws UnopenableMailException {
        if (!AGREEMENTS.contains(agreement.getAlgorithm())
                || !CMSAlgorithm.AES256_WRAP.equals(AlgorithmIdentifier.getInstance(agreement.getParameters())
                        .getAlgorithm())) {
            throw new UnopenableMailException(
                    "the sealed mail's key is not wrapped by ECDH with SHA-2 and AES-256 key wrap");
        }
    }

    /** Opens Bouncy Castle's unwrapping of a transported key. */
    private static final class Transported extends JceKeyTransEnvelopedRecipient {
        Transported(PrivateKey key) {
            super(key);
            setProvider(BOUNCY_CASTLE);
        }

        byte[] contentKey(AlgorithmIdentifier wrapping, AlgorithmIdentifier content, byte[] wrapped)
                throws CMSException {
            Key unwrapped = extractSecretKey(wrapping, content, wrapped);
            return unwrapped.getEncoded();
        }
    }

    /** Opens Bouncy Castle's unwrapping of an agreed key. */
    private static final class Agreed extends JceKeyAgreeEnvelopedRecipient {
        Agreed(PrivateKey key) {
            super(key);
            setProvider(BOUNCY_CASTLE);
        }

        byte[] contentKey(
                KeyAgreeRecipientInfo agreement, AlgorithmIdentifier content, AlgorithmIdentifier curve, byte[] wrapped)
                throws CMSException {
            var originator = agreement.getOriginator().getOriginatorKey();
            if (originator == null) {
                throw new CMSException("no one-time key");
            }
            // The originator's algorithm leaves the curve out: it is that of the recipient.
            var oneTime = new SubjectPublicKeyInfo(
                    curve, originator.getPublicKeyData().getOctets());
            Key unwrapped = extractSecretKey(
                    agreement.getKeyEncryptionAlgorithm(),
                    content,
                    oneTime,
                    agreement.getUserKeyingMaterial(),
                    wrapped);
            return unwrapped.getEncoded();
        }
    }
}
