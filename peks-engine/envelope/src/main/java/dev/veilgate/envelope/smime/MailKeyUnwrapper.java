package dev.veilgate.envelope.smime;

import dev.veilgate.secret.Secret;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.NoSuchPaddingException;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.cms.IssuerAndSerialNumber;
import org.bouncycastle.asn1.cms.KeyAgreeRecipientInfo;
import org.bouncycastle.asn1.cms.KeyTransRecipientInfo;
import org.bouncycastle.asn1.cms.RecipientEncryptedKey;
import org.bouncycastle.asn1.cms.RecipientInfo;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
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
 * <p>A wrap of another kind than {@link CmsSealer} makes is refused before the key is used. Whoever sees which altered wraps of PKCS #1 v1.5 are refused for their padding decrypts others' by it, even
 * those wrapped by OAEP (Bleichenbacher 1998). So it is taken for EnvelopedData only, and one with wrong padding, or of another length, opens as a random key, in the same time (RFC 3218, section
 * 2.3.2); what that key decrypts is refused as any other that was altered.
 */
@Secret
final class MailKeyUnwrapper implements CmsOpener.KeySource {
    private static final Provider BOUNCY_CASTLE = new BouncyCastleProvider();

    private static final SecureRandom RANDOM = new SecureRandom();

    private final PrivateKey key;
    private final PublicKey publicKey;
    private final Certificate certificate;
    private final IssuerAndSerialNumber name;

    MailKeyUnwrapper(PrivateKey key, X509Certificate certificate) {
        this.key = key;
        this.publicKey = certificate.getPublicKey();
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
            byte[] wrapped = transport.getEncryptedKey().getOctets();
            if (PKCSObjectIdentifiers.rsaEncryption.equals(wrapping.getAlgorithm())
                    && NISTObjectIdentifiers.id_aes256_CBC.equals(algorithm.getAlgorithm())) {
                return padded(wrapped);
            }
            if (!CmsSealer.OAEP.equals(wrapping)) {
                throw new UnopenableMailException(
                        "the sealed mail's key is not wrapped as its form has it: by RSAES-OAEP with SHA-256, or by PKCS #1 v1.5 in EnvelopedData");
            }
            return new Transported(key).contentKey(wrapping, algorithm, wrapped);
        }
        if (info instanceof KeyAgreeRecipientInfo agreement) {
            for (ASN1Encodable each : agreement.getRecipientEncryptedKeys()) {
                var wrap = RecipientEncryptedKey.getInstance(each);
                if (name.equals(wrap.getIdentifier().getIssuerAndSerialNumber())) {
                    requireOurs(agreement);
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

    /** The content key of PKCS #1 v1.5: {@code 00 02}, at least eight bytes that are not 0, {@code 00}, the key; a random one for anything else. */
    private byte[] padded(byte[] wrapped) throws CMSException {
        byte[] random = new byte[MailKey.BYTES];
        RANDOM.nextBytes(random);
        byte[] decrypted;
        try {
            var rsa = Cipher.getInstance("RSA/ECB/NoPadding");
            rsa.init(Cipher.DECRYPT_MODE, key);
            decrypted = rsa.doFinal(wrapped);
        } catch (InvalidKeyException | NoSuchAlgorithmException | NoSuchPaddingException e) {
            throw new CMSException("the private key is not of RSA", e);
        } catch (GeneralSecurityException e) { // not below the modulus, which everybody sees
            return random;
        }
        int start = decrypted.length - MailKey.BYTES;
        if (start < 11) {
            return random;
        }
        int wrong = decrypted[0] & 0xff | (decrypted[1] & 0xff) ^ 2 | decrypted[start - 1] & 0xff;
        for (int i = 2; i < start - 1; i++) {
            wrong |= (decrypted[i] & 0xff) - 1 >>> 31; // 1 for 0
        }
        int right = wrong - 1 >> 31; // all ones if nothing is wrong
        for (int i = 0; i < MailKey.BYTES; i++) {
            random[i] ^= (byte) (right & (random[i] ^ decrypted[start + i]));
        }
        Arrays.fill(decrypted, (byte) 0);
        return random;
    }

    private void requireOurs(KeyAgreeRecipientInfo agreement) throws UnopenableMailException {
        AlgorithmIdentifier algorithm = agreement.getKeyEncryptionAlgorithm();
        if (!(publicKey instanceof ECPublicKey ec)
                || !CmsSealer.agreement(ec).equals(algorithm.getAlgorithm())
                || agreement.getUserKeyingMaterial() != null
                || !CMSAlgorithm.AES256_WRAP.equals(AlgorithmIdentifier.getInstance(algorithm.getParameters())
                        .getAlgorithm())) {
            throw new UnopenableMailException(
                    "the sealed mail's key is not wrapped as its form has it: by ECDH with the curve's SHA-2 and AES-256 key wrap");
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
            // On the recipient's curve, whatever the originator's algorithm names.
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
