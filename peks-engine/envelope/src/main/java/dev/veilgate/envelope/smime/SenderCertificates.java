package dev.veilgate.envelope.smime;

import dev.veilgate.secret.Secret;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.crypto.signers.DSADigestSigner;
import org.bouncycastle.crypto.signers.ECDSASigner;
import org.bouncycastle.crypto.signers.HMacDSAKCalculator;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.DefaultSignatureAlgorithmIdentifierFinder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Keys and certificates of senders, computed from the key of a certificate authority and an address:
 *
 * <pre>{@code
 * bytes = HKDF-SHA-256(salt = SHA-256(authority's certificate), authority's private number,
 *                      "veilgate/mail-sender/1/" || address, 64)
 * key   = 1 + (bytes[0..48) mod (n - 1))      on P-256 (FIPS 186-5, A.2.1)
 * certificate = { serial number bytes[48..64), CN and rfc822Name address, valid as the authority },
 *               signed by the authority: ECDSA with the nonce of RFC 6979, or RSASSA-PKCS1-v1_5; SHA-256
 * }</pre>
 *
 * <p>The same authority and address give the same certificate, byte for byte, on every edge: nothing has to be kept,
 * and mail programs, which collect certificates, see one for each sender. The tenant's own has no address.
 *
 * <p>Gives: signatures that are as hard to forge as ECDSA on P-256 for all who lack the authority's key. Whoever has
 * that key has all keys of senders. A sender's key tells nothing of another's, nor of the authority's.
 */
@Secret
final class SenderCertificates {
    private static final String LABEL = "veilgate/mail-sender/1/";
    private static final String CURVE = "secp256r1";
    private static final int KEY_BYTES = 48;
    private static final int SERIAL_BYTES = 16;

    /** Most characters of a common name (RFC 5280, ub-common-name). */
    private static final int MAX_NAME = 64;

    private static final String TENANT_NAME = "Veilgate mail sealing";

    private SenderCertificates() {}

    /**
     * The signer of an address, or of the tenant.
     *
     * @param authority whose certificate is that of a certificate authority
     * @param address   in lower case; empty for the tenant's own signer
     */
    static MailSigner signer(MailSigner authority, Optional<String> address) {
        byte[] bytes = derived(authority, address.orElse(""));
        try {
            X9ECParameters curve = CustomNamedCurves.getByName(CURVE);
            BigInteger number = new BigInteger(1, Arrays.copyOf(bytes, KEY_BYTES))
                    .mod(curve.getN().subtract(BigInteger.ONE))
                    .add(BigInteger.ONE);
            var point = curve.getG().multiply(number).normalize();
            ECPoint shown = new ECPoint(
                    point.getAffineXCoord().toBigInteger(),
                    point.getAffineYCoord().toBigInteger());
            AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
            parameters.init(new ECGenParameterSpec(CURVE));
            ECParameterSpec named = parameters.getParameterSpec(ECParameterSpec.class);
            KeyFactory keys = KeyFactory.getInstance("EC");
            PrivateKey key = keys.generatePrivate(new ECPrivateKeySpec(number, named));
            BigInteger serial = new BigInteger(1, Arrays.copyOfRange(bytes, KEY_BYTES, KEY_BYTES + SERIAL_BYTES));
            X509Certificate certificate = certificate(
                    authority, address, serial.setBit(0), keys.generatePublic(new ECPublicKeySpec(shown, named)));
            List<X509Certificate> chain = new ArrayList<>(List.of(certificate));
            chain.addAll(authority.chain());
            return MailSigner.of(key, chain);
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException("this Java runtime cannot make P-256 certificates", e);
        } catch (RefusedSignerException e) {
            throw new IllegalStateException("a certificate of our own making", e);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static byte[] derived(MailSigner authority, String address) {
        byte[] secret = number(authority.privateKey()).toByteArray();
        try {
            byte[] salt = MailSigner.digest(authority.leaf());
            return KDF.getInstance("HKDF-SHA256")
                    .deriveData(HKDFParameterSpec.ofExtract()
                            .addIKM(secret)
                            .addSalt(salt)
                            .thenExpand((LABEL + address).getBytes(StandardCharsets.UTF_8), KEY_BYTES + SERIAL_BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks HKDF-SHA256", e);
        } finally {
            Arrays.fill(secret, (byte) 0);
        }
    }

    private static BigInteger number(PrivateKey key) {
        return switch (key) {
            case ECPrivateKey ec -> ec.getS();
            case RSAPrivateKey rsa -> rsa.getPrivateExponent();
            default -> throw new IllegalArgumentException("the authority's key cannot be read");
        };
    }

    private static X509Certificate certificate(
            MailSigner authority, Optional<String> address, BigInteger serial, java.security.PublicKey key)
            throws GeneralSecurityException, IOException, OperatorCreationException {
        X509Certificate issuer = authority.leaf();
        var extensions = new JcaX509ExtensionUtils();
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                X500Name.getInstance(issuer.getSubjectX500Principal().getEncoded()),
                serial,
                issuer.getNotBefore(),
                issuer.getNotAfter(),
                name(address.orElse(TENANT_NAME)),
                key);
        builder.addExtension(Extension.subjectKeyIdentifier, false, extensions.createSubjectKeyIdentifier(key));
        builder.addExtension(
                Extension.authorityKeyIdentifier,
                false,
                extensions.createAuthorityKeyIdentifier(issuer.getPublicKey()));
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
        builder.addExtension(
                Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_emailProtection));
        if (address.isPresent()) {
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(new GeneralName(GeneralName.rfc822Name, address.get())));
        }
        return new JcaX509CertificateConverter().getCertificate(builder.build(signer(authority.privateKey())));
    }

    private static X500Name name(String text) {
        return new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.CN, text.substring(0, Math.min(text.length(), MAX_NAME)))
                .build();
    }

    private static ContentSigner signer(PrivateKey key) throws OperatorCreationException, IOException {
        return key instanceof RSAPrivateKey
                ? new JcaContentSignerBuilder("SHA256withRSA").build(key)
                : new DeterministicEcdsa(key);
    }

    /** ECDSA with SHA-256 and the nonce of RFC 6979. */
    private static final class DeterministicEcdsa implements ContentSigner {
        private final ByteArrayOutputStream signed = new ByteArrayOutputStream();
        private final DSADigestSigner signer =
                new DSADigestSigner(new ECDSASigner(new HMacDSAKCalculator(new SHA256Digest())), new SHA256Digest());

        DeterministicEcdsa(PrivateKey key) throws IOException {
            signer.init(true, PrivateKeyFactory.createKey(key.getEncoded()));
        }

        @Override
        public AlgorithmIdentifier getAlgorithmIdentifier() {
            return new DefaultSignatureAlgorithmIdentifierFinder().find("SHA256withECDSA");
        }

        @Override
        public OutputStream getOutputStream() {
            return signed;
        }

        @Override
        public byte[] getSignature() {
            byte[] bytes = signed.toByteArray();
            signer.update(bytes, 0, bytes.length);
            return signer.generateSignature();
        }
    }
}
