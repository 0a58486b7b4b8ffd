package dev.veilgate.application.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Certificate of a server that a test starts, good for localhost, with its key. */
public final class WebCertificate {
    /** Opens the key. */
    public static final String PASSWORD = "changeit";

    private final KeyStore store;

    private WebCertificate(KeyStore store) {
        this.store = store;
    }

    /**
     * Makes one.
     *
     * @param file PKCS #12 that is written
     * @param name common name
     */
    public static WebCertificate make(Path file, String name)
            throws IOException, InterruptedException, GeneralSecurityException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "SAN=dns:localhost",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return new WebCertificate(keys);
    }

    /** Certificate and key. */
    public KeyStore store() {
        return store;
    }

    /** Makes trust in this certificate and no other. */
    public TrustManager[] trusting() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", store.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        return trust.getTrustManagers();
    }

    /** TLS of a client that trusts it, as Java makes it. */
    public SSLContext client() throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS", "SunJSSE");
        context.init(null, trusting(), null);
        return context;
    }
}
