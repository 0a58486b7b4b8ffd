package dev.veilgate.gateway.broker;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Collections;
import org.springframework.boot.ssl.SslBundle;

/** A copy of an SSL bundle's certificate and key for HiveMQ, which reads them from a file only, again when it changes. */
final class KeyStoreFile {
    private KeyStoreFile() {}

    static void write(SslBundle bundle, Path file, String password) {
        try {
            KeyStore from = bundle.getStores().getKeyStore();
            if (from == null) {
                throw new IllegalStateException("the SSL bundle has no certificate with its key");
            }
            String keyPassword = bundle.getKey().getPassword();
            String storePassword = bundle.getStores().getKeyStorePassword();
            char[] open = keyPassword != null
                    ? keyPassword.toCharArray()
                    : storePassword == null ? new char[0] : storePassword.toCharArray();
            KeyStore to = KeyStore.getInstance("PKCS12");
            to.load(null, null);
            String wanted = bundle.getKey().getAlias();
            for (String alias : Collections.list(from.aliases())) {
                Key key = wanted == null || wanted.equals(alias) ? from.getKey(alias, open) : null;
                if (key != null) {
                    to.setKeyEntry(alias, key, password.toCharArray(), from.getCertificateChain(alias));
                }
            }
            if (to.size() == 0) {
                throw new IllegalStateException("the SSL bundle has no certificate with its key");
            }
            Path fresh = Files.createTempFile(
                    file.toAbsolutePath().getParent(),
                    "keystore",
                    ".tmp",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try (OutputStream out = Files.newOutputStream(fresh)) {
                to.store(out, password.toCharArray());
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the SSL bundle for MQTT cannot be used: " + e.getMessage(), e);
        }
    }
}
