package dev.veilgate.transport;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Certificates of localhost, and PEM. */
final class TestCertificates {
    private TestCertificates() {}

    record Held(X509Certificate certificate, PrivateKey key) {}

    static KeyPair pair(String algorithm, int bits) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        if (bits > 0) {
            generator.initialize(bits);
        }
        return generator.generateKeyPair();
    }

    static Held authority(KeyPair pair, String signature) throws Exception {
        return new Held(
                certificate(pair, "CN=authority", pair.getPrivate(), "CN=authority", signature, true),
                pair.getPrivate());
    }

    static Held localhost(KeyPair pair, Held signer, String signature) throws Exception {
        X509Certificate certificate = certificate(pair, "CN=localhost", signer.key(), "CN=authority", signature, false);
        return new Held(certificate, pair.getPrivate());
    }

    /** As {@link #localhost}, and over since yesterday. */
    static Held expired(KeyPair pair, Held signer, String signature) throws Exception {
        Instant end = Instant.now().minus(1, ChronoUnit.DAYS);
        return new Held(
                certificate(pair, "CN=localhost", signer.key(), "CN=authority", signature, false, end),
                pair.getPrivate());
    }

    /** Certificate of localhost, signed by itself. */
    static Held selfSigned(KeyPair pair, String signature) throws Exception {
        return new Held(
                certificate(pair, "CN=localhost", pair.getPrivate(), "CN=localhost", signature, false),
                pair.getPrivate());
    }

    private static X509Certificate certificate(
            KeyPair pair, String subject, PrivateKey signer, String issuer, String signature, boolean authority)
            throws Exception {
        Instant end = Instant.now().plus(1, ChronoUnit.DAYS);
        return certificate(pair, subject, signer, issuer, signature, authority, end);
    }

    private static X509Certificate certificate(
            KeyPair pair,
            String subject,
            PrivateKey signer,
            String issuer,
            String signature,
            boolean authority,
            Instant end)
            throws Exception {
        var builder = new JcaX509v3CertificateBuilder(
                new X500Name(issuer),
                BigInteger.valueOf(System.nanoTime()),
                Date.from(end.minus(2, ChronoUnit.DAYS)),
                Date.from(end),
                new X500Name(subject),
                pair.getPublic());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
        builder.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(new GeneralName(GeneralName.dNSName, "localhost")));
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder(signature).build(signer)));
    }

    static String pem(String label, byte[] der) {
        String base64 = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n";
    }

    static String pem(X509Certificate certificate) throws Exception {
        return pem("CERTIFICATE", certificate.getEncoded());
    }
}
