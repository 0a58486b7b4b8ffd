package dev.veilgate.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A server's certificate and key in PEM files, as TLS wants them. */
final class TlsFiles {
    private TlsFiles() {}

    /** @throws IOException if they cannot be read or do not belong together */
    static SSLContext context(Path certificate, Path key) throws IOException {
        try (InputStream in = Files.newInputStream(certificate)) {
            Certificate[] chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(in)
                    .toArray(Certificate[]::new);
            if (chain.length == 0) {
                throw new IOException(certificate + " holds no certificate");
            }
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

    private static PrivateKey privateKey(Path file, Certificate certificate)
            throws IOException, GeneralSecurityException {
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
