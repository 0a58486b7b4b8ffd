package dev.veilgate.proxy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A server's certificate and key in PEM files, as TLS wants them. */
final class TlsFiles {
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----");

    private TlsFiles() {}

    /** @throws IOException if they cannot be read or do not belong together */
    static SSLContext context(Path certificate, Path key) throws IOException {
        try {
            Certificate[] chain = chain(certificate).toArray(Certificate[]::new);
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("server", privateKey(key, chain[0]), new char[0], chain);
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, new char[0]);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException(certificate + " and " + key + " cannot be used for TLS", e);
        }
    }

    /** The certificates in a PEM file, in their order; at least one. A private key may be in it too. */
    static List<X509Certificate> chain(Path file) throws IOException, GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<X509Certificate> chain = new ArrayList<>();
        for (Matcher each = CERTIFICATE.matcher(Files.readString(file)); each.find(); ) {
            byte[] pem = each.group().getBytes(StandardCharsets.US_ASCII);
            chain.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(pem)));
        }
        if (chain.isEmpty()) {
            throw new IOException(file + " holds no certificate in PEM");
        }
        return chain;
    }

    /** The private key in a PEM file. */
    static PrivateKey privateKey(Path file, Certificate certificate) throws IOException, GeneralSecurityException {
        String pem = Files.readString(file);
        int start = pem.indexOf("-----BEGIN PRIVATE KEY-----");
        int end = pem.indexOf("-----END PRIVATE KEY-----");
        if (start < 0 || end < start) {
            throw new IOException(file + " holds no PRIVATE KEY in PEM (PKCS 8, not encrypted)");
        }
        byte[] der = Base64.getMimeDecoder().decode(pem.substring(start + 27, end));
        try {
            return KeyFactory.getInstance(certificate.getPublicKey().getAlgorithm())
                    .generatePrivate(new PKCS8EncodedKeySpec(der));
        } finally {
            Arrays.fill(der, (byte) 0);
        }
    }
}
