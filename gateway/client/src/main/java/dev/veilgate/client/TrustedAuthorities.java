package dev.veilgate.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Certificate authorities of a PEM file, to be trusted instead of the machine's. */
public final class TrustedAuthorities {
    private TrustedAuthorities() {}

    /**
     * TLS of a client that trusts them.
     *
     * @throws IOException if the file cannot be read or holds no certificates
     */
    public static SSLContext context(Path pem) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers(pem), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw unusable(pem, e);
        }
    }

    /**
     * What trusts them.
     *
     * @throws IOException if the file cannot be read or holds no certificates
     */
    public static TrustManager[] managers(Path pem) throws IOException {
        try (InputStream in = Files.newInputStream(pem)) {
            Collection<? extends Certificate> found =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (found.isEmpty()) {
                throw new IOException(pem + " must hold certificates in PEM");
            }
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int n = 0;
            for (Certificate certificate : found) {
                store.setCertificateEntry("ca-" + n++, certificate);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException e) {
            throw unusable(pem, e);
        }
    }

    private static IOException unusable(Path pem, GeneralSecurityException e) {
        return new IOException("the certificate authorities in " + pem + " cannot be used", e);
    }
}
