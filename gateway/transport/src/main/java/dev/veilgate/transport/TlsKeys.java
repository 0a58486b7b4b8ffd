package dev.veilgate.transport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/** What one end of a TLS connection shows of itself: a certificate with its chain, and the key to it. */
public final class TlsKeys {
    private static final char[] NONE = {};

    private final KeyManager[] managers;

    private TlsKeys(KeyStore store, char[] password) throws GeneralSecurityException {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, password);
        this.managers = factory.getKeyManagers();
    }

    /**
     * Those of PEM files.
     *
     * @param certificates the own one, then each that signed the one before
     * @param key          as {@link PemFile#privateKey} reads it; may be the same file
     * @throws IOException if they cannot be read, or hold something else
     */
    public static TlsKeys ofPem(Path certificates, Path key) throws IOException {
        try {
            X509Certificate[] chain = PemFile.certificates(certificates).toArray(X509Certificate[]::new);
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("own", PemFile.privateKey(key, chain[0]), NONE, chain);
            return new TlsKeys(store, NONE);
        } catch (GeneralSecurityException e) {
            throw new IOException(certificates + " and " + key + " cannot be used for TLS: " + e.getMessage(), e);
        }
    }

    /**
     * Those of a PKCS #12 file.
     *
     * @throws IOException if it cannot be read, or the password is another
     */
    public static TlsKeys ofPkcs12(Path file, char[] password) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, password);
            return new TlsKeys(store, password);
        } catch (GeneralSecurityException e) {
            throw new IOException(file + " cannot be used for TLS: " + e.getMessage(), e);
        }
    }

    KeyManager[] managers() {
        return managers.clone();
    }
}
