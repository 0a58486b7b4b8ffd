package dev.veilgate.envelope.smime;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Chains of certificates that sign mail, and such as must not, for tests. */
public final class SigningCertificates {
    private static final SecureRandom RANDOM = new SecureRandom();

    private String key = "secp256r1";
    private int usage = KeyUsage.digitalSignature;
    private KeyPurposeId purpose = KeyPurposeId.id_kp_emailProtection;
    private Instant from = Instant.now().minus(Duration.ofDays(1));
    private Instant to = Instant.now().plus(Duration.ofDays(30));
    private int authorities = 1;
    private boolean issuedByAuthority = true;
    private int paddingBytes;
    private String senders = "";
    private MailSigner above;

    /** A private key and its certificates. */
    public record Identity(PrivateKey key, List<X509Certificate> chain) {}

    /** The name of a curve, or the number of bits of an RSA key. */
    public SigningCertificates key(String name) {
        key = name;
        return this;
    }

    /** 0 for a certificate without the extension. */
    public SigningCertificates usage(int bits) {
        usage = bits;
        return this;
    }

    public SigningCertificates purpose(KeyPurposeId id) {
        purpose = id;
        return this;
    }

    public SigningCertificates valid(Instant first, Instant last) {
        from = first;
        to = last;
        return this;
    }

    public SigningCertificates authorities(int number) {
        authorities = number;
        return this;
    }

    public SigningCertificates issuedByNoAuthority() {
        issuedByAuthority = false;
        return this;
    }

    /** Makes the first certificate that of an authority for senders in a domain. */
    public SigningCertificates senders(String domain) {
        senders = domain;
        return this;
    }

    /** Issues the first certificate by somebody whose own is none of an authority; no chain holds it. */
    public SigningCertificates below(MailSigner signer) {
        above = signer;
        return this;
    }

    /** Makes the first certificate so much longer. */
    public SigningCertificates padding(int bytes) {
        paddingBytes = bytes;
        return this;
    }

    public Identity make() throws Exception {
        var pair = pair(key);
        if (above != null) {
            var issuerName =
                    X500Name.getInstance(above.leaf().getSubjectX500Principal().getEncoded());
            return new Identity(
                    pair.getPrivate(),
                    List.of(certificate(new X500Name("CN=below"), issuerName, pair, above.privateKey(), false)));
        }
        if (authorities == 0) {
            var name = new X500Name("CN=sealing");
            return new Identity(pair.getPrivate(), List.of(certificate(name, name, pair, pair.getPrivate(), false)));
        }
        KeyPair issuer = pair("secp256r1");
        var name = new X500Name("CN=authority 1");
        X509Certificate certificate = certificate(name, name, issuer, issuer.getPrivate(), true);
        List<X509Certificate> chain = List.of(certificate);
        for (int i = 2; i <= authorities; i++) {
            KeyPair next = pair("secp256r1");
            var nextName = new X500Name("CN=authority " + i);
            chain = prepend(certificate(nextName, name, next, issuer.getPrivate(), true), chain);
            issuer = next;
            name = nextName;
        }
        var leaf = certificate(new X500Name("CN=sealing"), name, pair, issuer.getPrivate(), false);
        return new Identity(pair.getPrivate(), prepend(leaf, chain));
    }

    public static MailSigner signer() throws Exception {
        var identity = new SigningCertificates().make();
        return MailSigner.of(identity.key(), identity.chain());
    }

    private static List<X509Certificate> prepend(X509Certificate first, List<X509Certificate> others) {
        return Stream.concat(Stream.of(first), others.stream()).toList();
    }

    private static KeyPair pair(String name) throws Exception {
        if (name.startsWith("Ed")) {
            return KeyPairGenerator.getInstance(name).generateKeyPair();
        }
        boolean isCurve = name.startsWith("secp");
        var generator = KeyPairGenerator.getInstance(isCurve ? "EC" : "RSA");
        if (isCurve) {
            generator.initialize(new ECGenParameterSpec(name));
        } else {
            generator.initialize(Integer.parseInt(name));
        }
        return generator.generateKeyPair();
    }

    private X509Certificate certificate(
            X500Name subject, X500Name issuer, KeyPair pair, PrivateKey issuerKey, boolean isAuthority)
            throws Exception {
        var builder = new JcaX509v3CertificateBuilder(
                issuer, new BigInteger(120, RANDOM), Date.from(from), Date.from(to), subject, pair.getPublic());
        if (!isAuthority && !senders.isEmpty()) {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
            var tree = new GeneralSubtree(new GeneralName(GeneralName.rfc822Name, senders));
            builder.addExtension(
                    Extension.nameConstraints, true, new NameConstraints(new GeneralSubtree[] {tree}, null));
        } else if (isAuthority) {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(issuedByAuthority));
        } else {
            if (usage != 0) {
                builder.addExtension(Extension.keyUsage, true, new KeyUsage(usage));
            }
            if (purpose != null) {
                builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
            }
            if (paddingBytes > 0) {
                builder.addExtension(Extension.logoType, false, new byte[paddingBytes]);
            }
        }
        String algorithm = issuerKey instanceof RSAPrivateKey
                ? "SHA256withRSA"
                : issuerKey.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "Ed25519";
        var signer = new JcaContentSignerBuilder(algorithm).build(issuerKey);
        return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    }
}
