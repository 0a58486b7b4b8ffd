package dev.veilgate.envelope.smime;

import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSAESOAEPparams;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.cms.CMSAlgorithm;
import org.bouncycastle.cms.CMSAuthEnvelopedDataStreamGenerator;
import org.bouncycastle.cms.CMSEnvelopedDataStreamGenerator;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.RecipientInfoGenerator;
import org.bouncycastle.cms.jcajce.JceCMSContentEncryptorBuilder;
import org.bouncycastle.cms.jcajce.JceKeyAgreeRecipientInfoGenerator;
import org.bouncycastle.cms.jcajce.JceKeyTransRecipientInfoGenerator;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * Seals a content as CMS for one or more certificates, in one of two forms ({@link Encryption}): AuthEnvelopedData (RFC 5083) with AES-256-GCM (RFC 5084), or EnvelopedData (RFC 5652) with
 * AES-256-CBC (RFC 3565). Content type {@code id-data}, no attributes.
 *
 * <p>The content key, drawn for this content alone, goes to an elliptic-curve key by ECDH with a one-time key, X9.63 derivation with the hash of the curve's strength, and AES-256 key wrap (RFC 5753);
 * to an RSA key by RSAES-OAEP with SHA-256 and MGF1-SHA-256 (RFC 4055), or, in EnvelopedData for a certificate that does not say that its program reads OAEP, by RSAES-PKCS1-v1_5, since older
 * NSS (3.87) and others read nothing else.
 *
 * <p>GCM gives secrecy of the content against chosen ciphertexts, and integrity against everybody who has no content key: every recipient has one, and anyone can seal for a certificate, so it does not
 * say who sealed. CBC gives secrecy against who only reads; against who alters and watches it gives none, so that its content must be signed ({@link SignedEntity}). PKCS #1 v1.5 adds that whoever sees
 * which wraps a recipient's program refuses for their padding decrypts by it (Bleichenbacher 1998). Not post-quantum. The number of recipients, the issuer and serial number of their certificates and the
 * length are seen by all. Draws 44 or 48 bytes and one-time keys; Bouncy Castle takes the seeds of OAEP and the padding of PKCS #1 from the platform's source.
 */
@Secret
public final class CmsSealer {
    private static final Provider BOUNCY_CASTLE = new BouncyCastleProvider();
    private static final AlgorithmIdentifier SHA_256 =
            new AlgorithmIdentifier(NISTObjectIdentifiers.id_sha256, DERNull.INSTANCE);
    /** How the key is wrapped for RSA: OAEP with SHA-256 and MGF1-SHA-256. */
    static final AlgorithmIdentifier OAEP = new AlgorithmIdentifier(
            PKCSObjectIdentifiers.id_RSAES_OAEP,
            new RSAESOAEPparams(
                    SHA_256,
                    new AlgorithmIdentifier(PKCSObjectIdentifiers.id_mgf1, SHA_256),
                    RSAESOAEPparams.DEFAULT_P_SOURCE_ALGORITHM));

    private final SecureRandom random;

    /** @param random source of keys and nonces */
    public CmsSealer(SecureRandom random) {
        this.random = random;
    }

    /**
     * What sealing leaves behind.
     *
     * @param key    the content key; the caller closes it
     * @param digest SHA-256 of the CMS structure, 32 bytes: what the index of the mail is bound to
     */
    public record Sealed(MailKey key, byte[] digest) {}

    /**
     * Seals a content.
     *
     * @param content    the plaintext; for {@link Encryption#SIGNED} what {@link SignedEntity} writes
     * @param target     takes the CMS structure (BER); not closed
     * @param recipients whose keys open it, at least one
     * @throws IOException if reading or writing fails; the target then holds nothing that can be opened
     */
    public Sealed seal(
            SealedContent content, OutputStream target, List<RecipientCertificate> recipients, Encryption encryption)
            throws IOException {
        if (recipients.isEmpty()) {
            throw new IllegalArgumentException("a mail is sealed for at least one recipient");
        }
        byte[] bytes = new byte[MailKey.BYTES];
        random.nextBytes(bytes);
        MailKey key = MailKey.of(bytes);
        boolean sealed = false;
        try {
            var digesting = new DigestOutputStream(target, MessageDigest.getInstance("SHA-256"));
            try (OutputStream in = open(digesting, key, bytes, recipients, encryption)) {
                content.writeTo(in);
            }
            digesting.flush();
            sealed = true;
            return new Sealed(key, digesting.getMessageDigest().digest());
        } catch (CMSException | GeneralSecurityException e) {
            throw new IOException("the mail could not be sealed", e);
        } finally {
            Arrays.fill(bytes, (byte) 0);
            if (!sealed) {
                key.close();
            }
        }
    }

    private OutputStream open(
            OutputStream target,
            MailKey key,
            byte[] keyBytes,
            List<RecipientCertificate> recipients,
            Encryption encryption)
            throws CMSException, GeneralSecurityException, IOException {
        return switch (encryption) {
            case AUTHENTICATED -> {
                byte[] nonce = new byte[GcmEncryptor.NONCE_BYTES];
                random.nextBytes(nonce);
                var generator = new CMSAuthEnvelopedDataStreamGenerator();
                for (RecipientCertificate recipient : recipients) {
                    generator.addRecipientInfoGenerator(wrapFor(recipient, true));
                }
                yield generator.open(target, new GcmEncryptor(key, nonce));
            }
            case SIGNED, SIGNED_BY_AUTHOR -> {
                var generator = new CMSEnvelopedDataStreamGenerator();
                for (RecipientCertificate recipient : recipients) {
                    generator.addRecipientInfoGenerator(wrapFor(recipient, recipient.readsOaep()));
                }
                yield generator.open(
                        target,
                        new JceCMSContentEncryptorBuilder(CMSAlgorithm.AES256_CBC)
                                .setSecureRandom(random)
                                .build(keyBytes));
            }
        };
    }

    private RecipientInfoGenerator wrapFor(RecipientCertificate recipient, boolean oaep)
            throws GeneralSecurityException {
        if (recipient.isRsa()) {
            X509Certificate certificate = recipient.certificate();
            return (oaep
                            ? new JceKeyTransRecipientInfoGenerator(certificate, OAEP)
                            : new JceKeyTransRecipientInfoGenerator(certificate))
                    .setProvider(BOUNCY_CASTLE);
        }
        var ephemeral = KeyPairGenerator.getInstance("EC", BOUNCY_CASTLE);
        var recipientKey = (ECPublicKey) recipient.certificate().getPublicKey();
        // By name: parameters of the JDK would be written out in full, which RFC 5480, section 2.1.1, forbids.
        ephemeral.initialize(new ECGenParameterSpec(curve(recipientKey)), random);
        KeyPair oneTime = ephemeral.generateKeyPair();
        return new JceKeyAgreeRecipientInfoGenerator(
                        agreement(recipientKey), oneTime.getPrivate(), oneTime.getPublic(), CMSAlgorithm.AES256_WRAP)
                .setProvider(BOUNCY_CASTLE)
                .setSecureRandom(random)
                .addRecipient(recipient.certificate());
    }

    private static String curve(ECPublicKey key) {
        return switch (fieldBits(key)) {
            case 256 -> "secp256r1";
            case 384 -> "secp384r1";
            default -> "secp521r1";
        };
    }

    private static int fieldBits(ECPublicKey key) {
        return key.getParams().getCurve().getField().getFieldSize();
    }

    /** How the key is agreed on a curve. */
    static ASN1ObjectIdentifier agreement(ECPublicKey key) {
        return switch (fieldBits(key)) {
            case 256 -> CMSAlgorithm.ECDH_SHA256KDF;
            case 384 -> CMSAlgorithm.ECDH_SHA384KDF;
            default -> CMSAlgorithm.ECDH_SHA512KDF;
        };
    }
}
