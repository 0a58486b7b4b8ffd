package dev.veilgate.envelope.smime;

import dev.veilgate.secret.Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERBMPString;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.ContentInfo;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.pkcs.PKCS12PfxPdu;
import org.bouncycastle.pkcs.PKCS12PfxPduBuilder;
import org.bouncycastle.pkcs.PKCS12SafeBag;
import org.bouncycastle.pkcs.PKCS12SafeBagFactory;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS12SafeBagBuilder;
import org.bouncycastle.pkcs.jcajce.JcePKCS12MacCalculatorBuilder;
import org.bouncycastle.pkcs.jcajce.JcePKCSPBEOutputEncryptorBuilder;

/** PKCS #12 files (RFC 7292) with one private key and its certificates. */
@Secret
final class Pkcs12 {
    /** Most bytes of a file that is read: a chain, a long key, and what they are wrapped in. */
    static final int MAX_BYTES = 2 * MailSigner.MAX_CHAIN_BYTES;

    /** What a guess of the passphrase takes, of SHA-256: ten times as many as key stores of Java have. More would delay each mail that a command sends, which reads the file anew. */
    private static final int ITERATIONS = 100_000;

    private static final Provider BOUNCY_CASTLE = new BouncyCastleProvider();
    private static final Set<ASN1ObjectIdentifier> KEYS =
            Set.of(PKCSObjectIdentifiers.keyBag, PKCSObjectIdentifiers.pkcs8ShroudedKeyBag);
    private static final String SIGNER = "mail-signer";
    /** Says which certificate is the key's. */
    private static final byte[] OWN = {1};

    private Pkcs12() {}

    static MailSigner read(byte[] file, char[] passphrase) throws RefusedSignerException {
        if (file.length > MAX_BYTES) {
            throw new RefusedSignerException("the PKCS #12 file has more than " + MAX_BYTES + " bytes");
        }
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(file), passphrase);
            var entries = new ArrayList<String>();
            for (String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias)) {
                    entries.add(alias);
                }
            }
            int keys = Math.max(entries.size(), keysInClearContents(file));
            if (keys != 1) {
                throw new RefusedSignerException("the PKCS #12 file has " + keys + " keys; it must have one");
            }
            if (!(store.getKey(entries.getFirst(), passphrase) instanceof PrivateKey key)) {
                throw new RefusedSignerException("the PKCS #12 file's key is no private key");
            }
            return MailSigner.of(key, chain(store.getCertificateChain(entries.getFirst())));
        } catch (UnrecoverableKeyException e) {
            throw wrongPassphrase();
        } catch (IOException e) {
            throw e.getCause() instanceof UnrecoverableKeyException ? wrongPassphrase() : unreadable();
        } catch (GeneralSecurityException | PKCSException | RuntimeException e) {
            throw unreadable();
        }
    }

    /** A key store keeps one entry of a name, so two keys of one name are one there. Keys are encrypted each for itself, as a rule in contents that are not. */
    private static int keysInClearContents(byte[] file) throws IOException, PKCSException {
        int keys = 0;
        for (ContentInfo content : new PKCS12PfxPdu(file).getContentInfos()) {
            if (content.getContentType().equals(PKCSObjectIdentifiers.data)) {
                for (PKCS12SafeBag bag : new PKCS12SafeBagFactory(content).getSafeBags()) {
                    keys += KEYS.contains(bag.getType()) ? 1 : 0;
                }
            }
        }
        return keys;
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
        return write(signer.privateKey(), signer.chain(), SIGNER, passphrase);
    }

    /** A file with a key and its certificates, the key's own first. */
    static byte[] write(PrivateKey secret, List<X509Certificate> chain, String name, char[] passphrase) {
        if (passphrase.length == 0) {
            throw new IllegalArgumentException("the passphrase must not be empty");
        }
        try {
            var encryption = new JcePKCSPBEOutputEncryptorBuilder(NISTObjectIdentifiers.id_aes256_CBC)
                    .setProvider(BOUNCY_CASTLE)
                    .setPRF(new AlgorithmIdentifier(PKCSObjectIdentifiers.id_hmacWithSHA256, DERNull.INSTANCE))
                    .setIterationCount(ITERATIONS);
            var own = new DEROctetString(OWN);
            var key = new JcaPKCS12SafeBagBuilder(secret, encryption.build(passphrase));
            key.addBagAttribute(PKCSObjectIdentifiers.pkcs_9_at_friendlyName, new DERBMPString(name));
            key.addBagAttribute(PKCSObjectIdentifiers.pkcs_9_at_localKeyId, own);
            var file = new PKCS12PfxPduBuilder().addData(key.build());
            for (X509Certificate each : chain) {
                var certificate = new JcaPKCS12SafeBagBuilder(each);
                if (each.equals(chain.getFirst())) {
                    certificate.addBagAttribute(PKCSObjectIdentifiers.pkcs_9_at_localKeyId, own);
                }
                file.addData(certificate.build());
            }
            var authentication = new JcePKCS12MacCalculatorBuilder(NISTObjectIdentifiers.id_sha256)
                    .setProvider(BOUNCY_CASTLE)
                    .setIterationCount(ITERATIONS);
            return file.build(authentication, passphrase).getEncoded();
        } catch (IOException | OperatorCreationException | PKCSException e) {
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
