package dev.veilgate.agent.publish;

import dev.veilgate.client.TrustedAuthorities;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.jspecify.annotations.Nullable;

/** TLS as configured, from PEM or PKCS #12 files. Errors name the file and what it should hold. */
final class TlsContext {
    private TlsContext() {}

    static SSLContext of(MqttOptions.TlsOptions options) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            Path ca = options.ca();
            context.init(keys(options), ca == null ? null : TrustedAuthorities.managers(ca), new SecureRandom());
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private static KeyManager @Nullable [] keys(MqttOptions.TlsOptions options)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        char[] password = new char[0];
        Path file = options.keyStore();
        Path certificate = options.certificate();
        Path key = options.key();
        if (file != null) {
            PasswordSource source = options.keyStorePassword();
            password = source == null ? password : new String(source.read(), StandardCharsets.UTF_8).toCharArray();
            try (InputStream in = Files.newInputStream(file)) {
                store.load(in, password);
            }
        } else if (certificate != null && key != null) {
            store.load(null, null);
            Certificate[] chain = certificates(certificate).toArray(Certificate[]::new);
            store.setKeyEntry("client", privateKey(key), password, chain);
        } else {
            return null;
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, password);
        return factory.getKeyManagers();
    }

    private static Collection<? extends Certificate> certificates(Path file)
            throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            Collection<? extends Certificate> found =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (found.isEmpty()) {
                throw new IOException(file + " must hold certificates in PEM");
            }
            return found;
        }
    }

    private static PrivateKey privateKey(Path file) throws IOException {
        try (Reader in = Files.newBufferedReader(file, StandardCharsets.US_ASCII);
                PEMParser pem = new PEMParser(in)) {
            JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
            for (Object item = pem.readObject(); item != null; item = pem.readObject()) {
                if (item instanceof PrivateKeyInfo info) {
                    return converter.getPrivateKey(info);
                }
                if (item instanceof PEMKeyPair pair) {
                    return converter.getKeyPair(pair).getPrivate();
                }
            }
        }
        throw new IOException(file + " must hold a private key in PEM without a passphrase");
    }
}
