package dev.veilgate.authority;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.RefusedSignerException;
import dev.veilgate.secret.Secret;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.List;

/** A private key for mail as the key file has it, with its certificates; looked into only when it is used. */
@Secret
final class KeptMailKey implements AutoCloseable {
    /** Most bytes of a private key: RSA of 16,384 bits has 9,300. */
    static final int MAX_KEY_BYTES = 1 << 14;

    private static final byte[] PROBE = {'v', 'e', 'i', 'l', 'g', 'a', 't', 'e'};

    private final byte[] key;
    private final List<X509Certificate> chain;

    /**
     * @param key   PKCS #8; kept, and erased by {@link #close}
     * @param chain the key's own certificate first
     */
    KeptMailKey(byte[] key, List<X509Certificate> chain) {
        this.key = key;
        this.chain = List.copyOf(chain);
    }

    static KeptMailKey of(PrivateKey key, List<X509Certificate> chain) {
        byte[] encoded = key.getEncoded();
        if (encoded == null || encoded.length > MAX_KEY_BYTES) {
            throw new IllegalArgumentException("a private key for mail has at most " + MAX_KEY_BYTES + " bytes");
        }
        return new KeptMailKey(encoded, chain);
    }

    /** PKCS #8: a copy, to be erased by the caller. */
    byte[] encoded() {
        return key.clone();
    }

    List<X509Certificate> chain() {
        return chain;
    }

    PrivateKey privateKey() throws GeneralSecurityException {
        return KeyFactory.getInstance(chain.getFirst().getPublicKey().getAlgorithm())
                .generatePrivate(new PKCS8EncodedKeySpec(key));
    }

    /** @throws MalformedEncodingException if it is not such as may sign mail */
    MailSigner signer() throws MalformedEncodingException {
        try {
            return MailSigner.of(privateKey(), chain);
        } catch (GeneralSecurityException e) {
            throw new MalformedEncodingException("mail-signer", "must have a private key that can be read");
        } catch (RefusedSignerException e) {
            throw new MalformedEncodingException("mail-signer", String.valueOf(e.getMessage()));
        }
    }

    /** @throws MalformedEncodingException if private key and certificate are no pair */
    void requirePair() throws MalformedEncodingException {
        try {
            X509Certificate own = chain.getFirst();
            var signing = Signature.getInstance(own.getSigAlgName());
            signing.initSign(privateKey());
            signing.update(PROBE);
            byte[] signature = signing.sign();
            signing.initVerify(own.getPublicKey());
            signing.update(PROBE);
            if (signing.verify(signature)) {
                return;
            }
        } catch (GeneralSecurityException e) {
            // damaged: no pair
        }
        throw new MalformedEncodingException("mail-authority", "must have the private key of its certificate");
    }

    @Override
    public void close() {
        Arrays.fill(key, (byte) 0);
    }

    @Override
    public String toString() {
        return "KeptMailKey[hidden]";
    }
}
