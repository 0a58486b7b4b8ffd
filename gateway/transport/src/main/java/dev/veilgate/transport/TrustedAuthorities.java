package dev.veilgate.transport;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Certificate authorities of a PEM file, to be trusted instead of the machine's. */
final class TrustedAuthorities {
    private TrustedAuthorities() {}

    /** Certificate authorities of the machine. */
    static TrustManager[] machine() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        return factory.getTrustManagers();
    }

    /** @throws IOException if the file cannot be read or holds no certificates */
    static TrustManager[] managers(Path pem) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int n = 0;
            for (X509Certificate certificate : PemFile.certificates(pem)) {
                store.setCertificateEntry("ca-" + n++, certificate);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate authorities in " + pem + " cannot be used", e);
        }
    }
}
