package dev.veilgate.authority;

import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Issues the certificates that a tenant's mail is signed with: a certificate authority of the tenant's own, which signs
 * nothing else, and signing certificates under it (RFC 5280, RFC 8550); and those that mail is sealed for, if the
 * tenant makes them itself. All but the last on P-256, by ECDSA with SHA-256, with random serial numbers. Validity
 * begins days early: mail is signed with its Date, which may lie five days back.
 */
@Secret
final class MailCertificates {
    private static final int AUTHORITY_YEARS = 30;

    /**
     * As long as mail is kept: programs judge a signature by whether its certificate is valid on the day they show it.
     */
    private static final int SENDERS_YEARS = 20;

    private static final int SIGNER_YEARS = 5;

    /** For as long mail is sealed for a recipient's certificate; what was sealed is opened with the key after that. */
    private static final int RECIPIENT_YEARS = 5;

    /** As long as a mail may have waited at its sender, and a day for clocks that are slow. */
    private static final Duration EARLY = Duration.ofDays(6);

    private static final String CURVE = "secp256r1";
    private static final String ALGORITHM = "SHA256withECDSA";
    /** As many as fill 20 octets and stay positive. */
    static final int SERIAL_BITS = 159;
    /** Most characters of a common name (RFC 5280, ub-common-name). */
    private static final int MAX_NAME = 64;

    private final String tenant;
    private final SecureRandom random;
    private final Instant now;

    MailCertificates(String tenant, SecureRandom random, Instant now) {
        this.tenant = tenant;
        this.random = random;
        this.now = now.truncatedTo(ChronoUnit.SECONDS);
    }

    /** When a signing certificate ends that is issued now. */
    Instant signerEnds() {
        return after(SIGNER_YEARS);
    }

    /** A new authority: its key and its certificate, self-signed. */
    KeptMailKey authority() {
        KeyPair pair = pair();
        X500Name name = name("Veilgate mail of ");
        try {
            var builder = builder(name, after(AUTHORITY_YEARS), name, pair.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(1));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
            X509Certificate certificate = signed(builder, pair.getPrivate());
            return KeptMailKey.of(pair.getPrivate(), List.of(certificate));
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw unable(e);
        }
    }

    /** Tells if an authority may issue one for senders. */
    static boolean isAboveSenders(KeptMailKey authority) {
        return authority.chain().getFirst().getBasicConstraints() >= 1;
    }

    /** When an authority for senders ends that is issued now. */
    Instant sendersEnd() {
        return after(SENDERS_YEARS);
    }

    /**
     * A new authority for senders: its key, its certificate, and that of the authority above it. What it issues names
     * an address in one of some domains.
     *
     * <p>The constraint is not critical, against RFC 5280: gpgsm refuses what is critical and unknown to it, which this
     * is. Programs that know it hold it all the same.
     */
    KeptMailKey senders(KeptMailKey authority, List<String> domains) {
        KeyPair pair = pair();
        X509Certificate issuer = authority.chain().getFirst();
        GeneralSubtree[] trees = domains.stream()
                .map(domain -> new GeneralSubtree(new GeneralName(GeneralName.rfc822Name, domain)))
                .toArray(GeneralSubtree[]::new);
        try {
            var builder = builder(issued(issuer), sendersEnd(), name("Veilgate senders of "), pair.getPublic());
            builder.addExtension(
                    Extension.authorityKeyIdentifier,
                    false,
                    new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(issuer.getPublicKey()));
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
            builder.addExtension(
                    Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_emailProtection));
            builder.addExtension(Extension.nameConstraints, false, new NameConstraints(trees, null));
            X509Certificate certificate = signed(builder, authority.privateKey());
            return KeptMailKey.of(pair.getPrivate(), List.of(certificate, issuer));
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw unable(e);
        }
    }

    private static X500Name issued(X509Certificate issuer) {
        return X500Name.getInstance(issuer.getSubjectX500Principal().getEncoded());
    }

    /** A new signing key, its certificate, and that of the authority. */
    KeptMailKey signer(KeptMailKey authority) {
        KeyPair pair = pair();
        X509Certificate issuer = authority.chain().getFirst();
        try {
            var builder = builder(issued(issuer), signerEnds(), name("Veilgate mail sealing of "), pair.getPublic());
            builder.addExtension(
                    Extension.authorityKeyIdentifier,
                    false,
                    new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(issuer.getPublicKey()));
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(
                    Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_emailProtection));
            X509Certificate certificate = signed(builder, authority.privateKey());
            return KeptMailKey.of(pair.getPrivate(), List.of(certificate, issuer));
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw unable(e);
        }
    }

    /**
     * The certificate of a recipient, for encryption alone: neither our opener nor mail programs take a signature by
     * its key for good. By the authority itself, never by one for senders. Ends with the authority's at the latest.
     */
    X509Certificate recipient(KeptMailKey authority, RecipientRequest request) {
        X509Certificate issuer = authority.chain().getFirst();
        PublicKey key = request.publicKey();
        Instant ends = after(RECIPIENT_YEARS);
        Instant last = issuer.getNotAfter().toInstant();
        int usage = key instanceof RSAPublicKey ? KeyUsage.keyEncipherment : KeyUsage.keyAgreement;
        try {
            var builder = builder(
                    request.serialNumber(),
                    issued(issuer),
                    ends.isBefore(last) ? ends : last,
                    new X500NameBuilder(BCStyle.INSTANCE)
                            .addRDN(BCStyle.CN, new DERUTF8String(cut(request.address(), MAX_NAME)))
                            .build(),
                    key);
            builder.addExtension(
                    Extension.authorityKeyIdentifier,
                    false,
                    new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(issuer.getPublicKey()));
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(usage));
            builder.addExtension(
                    Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_emailProtection));
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(new GeneralName(GeneralName.rfc822Name, request.address())));
            return signed(builder, authority.privateKey());
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw unable(e);
        }
    }

    /** A random serial number, never 0. */
    static BigInteger serialNumber(SecureRandom random) {
        return new BigInteger(SERIAL_BITS, random).setBit(0);
    }

    private KeyPair pair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(CURVE), random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw unable(e);
        }
    }

    private X509v3CertificateBuilder builder(X500Name issuer, Instant end, X500Name subject, PublicKey key)
            throws GeneralSecurityException, IOException {
        return builder(serialNumber(random), issuer, end, subject, key);
    }

    private X509v3CertificateBuilder builder(
            BigInteger serialNumber, X500Name issuer, Instant end, X500Name subject, PublicKey key)
            throws GeneralSecurityException, IOException {
        var builder = new JcaX509v3CertificateBuilder(
                issuer, serialNumber, Date.from(now.minus(EARLY)), Date.from(end), subject, key);
        return builder.addExtension(
                Extension.subjectKeyIdentifier, false, new JcaX509ExtensionUtils().createSubjectKeyIdentifier(key));
    }

    private X509Certificate signed(X509v3CertificateBuilder builder, PrivateKey by)
            throws GeneralSecurityException, OperatorCreationException {
        var signer =
                new JcaContentSignerBuilder(ALGORITHM).setSecureRandom(random).build(by);
        return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    }

    private Instant after(int years) {
        return now.atOffset(ZoneOffset.UTC).plusYears(years).toInstant();
    }

    private X500Name name(String what) {
        return new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.CN, new DERUTF8String(what + cut(tenant, MAX_NAME - what.length())))
                .build();
    }

    private static String cut(String text, int room) {
        return text.codePointCount(0, text.length()) <= room
                ? text
                : text.substring(0, text.offsetByCodePoints(0, room - 1)) + "…";
    }

    private static IllegalStateException unable(Exception e) {
        return new IllegalStateException("this Java runtime cannot make P-256 certificates", e);
    }
}
