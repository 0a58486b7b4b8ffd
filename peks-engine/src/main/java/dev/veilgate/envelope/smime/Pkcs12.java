package dev.veilgate.envelope.smime;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** PKCS #12 files (RFC 7292) with one private key and its certificates. */
final class Pkcs12 {
    /** Most bytes of a file that is read: a chain, a long key, and what they are wrapped in. */
    static final int MAX_BYTES = 2 * MailSigner.MAX_CHAIN_BYTES;

    private static final String NAME = "mail-signer";

    private Pkcs12() {}

    static MailSigner read(byte[] file, char[] passphrase) throws RefusedSignerException {
        if (file.length > MAX_BYTES) {
            throw new RefusedSignerException("the PKCS #12 file has more than " + MAX_BYTES + " bytes");
        }
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(file), passphrase);
            var keys = new ArrayList<String>();
            for (String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias)) {
                    keys.add(alias);
                }
            }
            if (keys.size() != 1) {
                throw new RefusedSignerException("the PKCS #12 file has " + keys.size() + " keys; it must have one");
            }
            String alias = keys.getFirst();
            if (!(store.getKey(alias, passphrase) instanceof PrivateKey key)) {
                throw new RefusedSignerException("the PKCS #12 file's key is no private key");
            }
            return MailSigner.of(key, chain(store.getCertificateChain(alias)));
        } catch (UnrecoverableKeyException e) {
            throw wrongPassphrase();
        } catch (IOException e) {
            throw e.getCause() instanceof UnrecoverableKeyException ? wrongPassphrase() : unreadable();
        } catch (GeneralSecurityException | RuntimeException e) {
            throw unreadable();
        }
    }

    private static List<X509Certificate> chain(Certificate[] certificates) throws RefusedSignerException {
        var chain = new ArrayList<X509Certificate>();
        for (Certificate certificate : certificates == null ? new Certificate[0] : certificates) {
            if (!(certificate instanceof X509Certificate x509)) {
                throw unreadable();
            }
            chain.add(x509);
        }
        return chain;
    }

    static byte[] write(MailSigner signer, char[] passphrase) {
        if (passphrase.length == 0) {
            throw new IllegalArgumentException("the passphrase must not be empty");
        }
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(
                    NAME, signer.privateKey(), passphrase, signer.chain().toArray(Certificate[]::new));
            var out = new ByteArrayOutputStream();
            store.store(out, passphrase);
            return out.toByteArray();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this Java runtime cannot write PKCS #12", e);
        }
    }

    private static RefusedSignerException wrongPassphrase() {
        return new RefusedSignerException("the passphrase of the PKCS #12 file is wrong");
    }

    private static RefusedSignerException unreadable() {
        return new RefusedSignerException("the file cannot be read as PKCS #12");
    }
}
