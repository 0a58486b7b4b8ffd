package dev.veilgate.envelope.smime;

import java.io.ByteArrayInputStream;
import java.lang.reflect.Constructor;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** A signer of mail by software of an attacker's own, which does not look at what a key is for. */
public final class UncheckedSigner {
    private UncheckedSigner() {}

    /** The one key of a PKCS #12 file, with its certificates. */
    public static MailSigner of(byte[] pkcs12, char[] passphrase) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(new ByteArrayInputStream(pkcs12), passphrase);
        String alias = store.aliases().nextElement();
        List<X509Certificate> chain = new ArrayList<>();
        for (var each : store.getCertificateChain(alias)) {
            chain.add((X509Certificate) each);
        }
        Constructor<MailSigner> unchecked = MailSigner.class.getDeclaredConstructor(PrivateKey.class, List.class);
        unchecked.setAccessible(true);
        return unchecked.newInstance(store.getKey(alias, passphrase), List.copyOf(chain));
    }
}
