package dev.veilgate.console.logsink;

import dev.veilgate.application.tls.WebCertificate;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Certificate of localhost of a receiver, and the PEM files that settings name. */
final class SinkCertificates {
    private final WebCertificate certificate;
    private final Path pem;
    private final Path both;

    SinkCertificates(Path folder, String name) throws Exception {
        certificate = WebCertificate.make(folder.resolve(name + ".p12"), name);
        KeyStore store = certificate.store();
        String own = pem("CERTIFICATE", store.getCertificate("server").getEncoded());
        pem = Files.writeString(folder.resolve(name + ".pem"), own);
        byte[] key =
                store.getKey("server", WebCertificate.PASSWORD.toCharArray()).getEncoded();
        both = Files.writeString(folder.resolve(name + "-key.pem"), pem("PRIVATE KEY", key) + own);
    }

    private static String pem(String label, byte[] der) {
        String base64 = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n";
    }

    /** TLS of a server that shows it, and trusts clients that show it, too. */
    SSLContext server() throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(certificate.store(), WebCertificate.PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS", "SunJSSE");
        context.init(keys.getKeyManagers(), certificate.trusting(), null);
        return context;
    }

    /** The certificate, as an authority to trust. */
    Path authority() {
        return pem;
    }

    /** Certificate and key. */
    Path own() {
        return both;
    }

    SinkSettings.Tls trusted() {
        return new SinkSettings.Tls(pem, null, null);
    }
}
