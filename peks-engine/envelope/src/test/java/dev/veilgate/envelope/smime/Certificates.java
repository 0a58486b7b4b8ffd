package dev.veilgate.envelope.smime;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.smime.SMIMECapability;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** Self-signed certificates for tests. */
final class Certificates {
    private static final SecureRandom RANDOM = new SecureRandom();

    private String subject = "CN=somebody";
    private List<String> addresses = List.of();
    private int usage;
    private KeyPurposeId[] purposes = {};
    private byte @Nullable [] capabilities;
    private Instant from = Instant.now().minus(Duration.ofDays(1));
    private Instant to = Instant.now().plus(Duration.ofDays(1));

    /** A certificate and its private key. */
    record Identity(X509Certificate certificate, PrivateKey key) {
        byte[] der() {
            try {
                return certificate.getEncoded();
            } catch (java.security.cert.CertificateEncodingException e) {
                throw new AssertionError(e);
            }
        }

        Path writeKey(Path folder) throws IOException {
            return pem(folder.resolve("key.pem"), "PRIVATE KEY", key.getEncoded());
        }

        Path writeCertificate(Path folder) throws IOException {
            return pem(folder.resolve("certificate.pem"), "CERTIFICATE", der());
        }

        private static Path pem(Path file, String what, byte[] der) throws IOException {
            return Files.writeString(
                    file,
                    "-----BEGIN " + what + "-----\n"
                            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END " + what
                            + "-----\n");
        }
    }

    static Certificates of(String... addresses) {
        var certificates = new Certificates();
        certificates.addresses = List.of(addresses);
        return certificates;
    }

    Certificates subject(String name) {
        subject = name;
        return this;
    }

    Certificates usage(int bits) {
        usage = bits;
        return this;
    }

    Certificates purposes(KeyPurposeId... ids) {
        purposes = ids;
        return this;
    }

    /** With S/MIME capabilities. */
    Certificates capable(ASN1ObjectIdentifier... algorithms) {
        var able = new ASN1EncodableVector();
        for (ASN1ObjectIdentifier each : algorithms) {
            able.add(new SMIMECapability(each, null));
        }
        try {
            return capabilities(new DERSequence(able).getEncoded());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** With an extension for S/MIME capabilities that holds anything. */
    Certificates capabilities(byte[] value) {
        capabilities = value;
        return this;
    }

    Certificates valid(Instant first, Instant last) {
        from = first;
        to = last;
        return this;
    }

    Identity rsa(int bits) throws Exception {
        var generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(bits);
        return sign(generator.generateKeyPair(), "SHA256withRSA");
    }

    /** A key that is for PSS signatures only, in a certificate that somebody else signed. */
    Identity pss() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("RSASSA-PSS").generateKeyPair();
        return sign(pair, rsa(2048).key(), "SHA256withRSA");
    }

    Identity ec(String curve) throws Exception {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(curve));
        return sign(generator.generateKeyPair(), "SHA256withECDSA");
    }

    Identity ed25519() throws Exception {
        return sign(KeyPairGenerator.getInstance("Ed25519").generateKeyPair(), "Ed25519");
    }

    private Identity sign(KeyPair pair, String algorithm) throws Exception {
        return sign(pair, pair.getPrivate(), algorithm);
    }

    private Identity sign(KeyPair pair, PrivateKey issuer, String algorithm) throws Exception {
        var name = new X500Name(subject);
        var builder = new JcaX509v3CertificateBuilder(
                name, new BigInteger(120, RANDOM), Date.from(from), Date.from(to), name, pair.getPublic());
        if (!addresses.isEmpty()) {
            var names = new ArrayList<GeneralName>();
            addresses.forEach(a -> names.add(new GeneralName(GeneralName.rfc822Name, a)));
            builder.addExtension(
                    Extension.subjectAlternativeName, false, new GeneralNames(names.toArray(GeneralName[]::new)));
        }
        if (usage != 0) {
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(usage));
        }
        if (purposes.length > 0) {
            builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purposes));
        }
        if (capabilities != null) {
            builder.addExtension(PKCSObjectIdentifiers.pkcs_9_at_smimeCapabilities, false, capabilities);
        }
        var signer = new JcaContentSignerBuilder(algorithm).build(issuer);
        return new Identity(new JcaX509CertificateConverter().getCertificate(builder.build(signer)), pair.getPrivate());
    }
}
