package dev.veilgate.envelope.smime;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.interfaces.ECPublicKey;
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
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.RecipientInfoGenerator;
import org.bouncycastle.cms.jcajce.JceKeyAgreeRecipientInfoGenerator;
import org.bouncycastle.cms.jcajce.JceKeyTransRecipientInfoGenerator;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * Seals a content as CMS AuthEnvelopedData (RFC 5083) with AES-256-GCM (RFC 5084) for one or more certificates: content type
 * {@code id-data}, no attributes.
 *
 * <p>The content key, drawn for this content alone, goes to an RSA key by RSAES-OAEP with SHA-256 and MGF1-SHA-256 (RFC 4055), to an
 * elliptic-curve key by ECDH with a one-time key, X9.63 derivation with the hash of the curve's strength, and AES-256 key wrap
 * (RFC 5753).
 *
 * <p>Gives secrecy of the content against chosen ciphertexts, and integrity against everybody who has no content key: every recipient has
 * one, and anyone can seal for a certificate, so it does not say who sealed. Not post-quantum. The number of recipients, the issuer and
 * serial number of their certificates and the length are seen by all. Draws 44 bytes and one-time keys; Bouncy Castle takes the seeds of
 * OAEP from the platform's source.
 */
public final class CmsSealer {
    private static final Provider BOUNCY_CASTLE = new BouncyCastleProvider();
    private static final AlgorithmIdentifier SHA_256 =
            new AlgorithmIdentifier(NISTObjectIdentifiers.id_sha256, DERNull.INSTANCE);
    private static final AlgorithmIdentifier OAEP = new AlgorithmIdentifier(
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
     * Seals everything the stream gives, which is read once and not closed; so is the target not.
     *
     * @param content    the plaintext
     * @param target     takes the CMS structure (BER)
     * @param recipients whose keys open it, at least one
     * @throws IOException if reading or writing fails; the target then holds nothing that can be opened
     */
    public Sealed seal(InputStream content, OutputStream target, List<RecipientCertificate> recipients)
            throws IOException {
        if (recipients.isEmpty()) {
            throw new IllegalArgumentException("a mail is sealed for at least one recipient");
        }
        byte[] bytes = new byte[MailKey.BYTES];
        random.nextBytes(bytes);
        MailKey key = MailKey.of(bytes);
        Arrays.fill(bytes, (byte) 0);
        boolean sealed = false;
        try {
            byte[] nonce = new byte[GcmEncryptor.NONCE_BYTES];
            random.nextBytes(nonce);
            var generator = new CMSAuthEnvelopedDataStreamGenerator();
            for (RecipientCertificate recipient : recipients) {
                generator.addRecipientInfoGenerator(wrapFor(recipient));
            }
            var digesting = new DigestOutputStream(target, MessageDigest.getInstance("SHA-256"));
            try (OutputStream in = generator.open(digesting, new GcmEncryptor(key, nonce))) {
                content.transferTo(in);
            }
            digesting.flush();
            sealed = true;
            return new Sealed(key, digesting.getMessageDigest().digest());
        } catch (CMSException | GeneralSecurityException e) {
            throw new IOException("the mail could not be sealed", e);
        } finally {
            if (!sealed) {
                key.close();
            }
        }
    }

    private RecipientInfoGenerator wrapFor(RecipientCertificate recipient) throws GeneralSecurityException {
        if (recipient.isRsa()) {
            return new JceKeyTransRecipientInfoGenerator(recipient.certificate(), OAEP).setProvider(BOUNCY_CASTLE);
        }
        var ephemeral = KeyPairGenerator.getInstance("EC", BOUNCY_CASTLE);
        ephemeral.initialize(((ECPublicKey) recipient.certificate().getPublicKey()).getParams(), random);
        KeyPair oneTime = ephemeral.generateKeyPair();
        return new JceKeyAgreeRecipientInfoGenerator(
                        agreement(recipient.curveBits()),
                        oneTime.getPrivate(),
                        oneTime.getPublic(),
                        CMSAlgorithm.AES256_WRAP)
                .setProvider(BOUNCY_CASTLE)
                .setSecureRandom(random)
                .addRecipient(recipient.certificate());
    }

    private static ASN1ObjectIdentifier agreement(int curveBits) {
        return switch (curveBits) {
            case 256 -> CMSAlgorithm.ECDH_SHA256KDF;
            case 384 -> CMSAlgorithm.ECDH_SHA384KDF;
            default -> CMSAlgorithm.ECDH_SHA512KDF;
        };
    }
}
