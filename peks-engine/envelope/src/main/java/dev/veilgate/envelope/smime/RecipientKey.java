package dev.veilgate.envelope.smime;

import dev.veilgate.secret.Secret;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A key pair that mail is sealed for, made for a recipient and handed over in a PKCS #12 file. Nothing keeps the
 * private key when this object is gone.
 *
 * <p>Gives: for RSA, the hardness of factoring a modulus of so many bits with public exponent 65,537; on a curve, that
 * of discrete logarithms. The Java runtime has copies of the private key in memory that nobody can erase.
 */
@Secret
public final class RecipientKey {
    /** Kinds of keys that are made; which programs open mail for which is in the documentation of mail. */
    public enum Kind {
        /** RSA with a modulus of 3,072 bits: all programs that were tried open it. */
        RSA_3072("rsa-3072", "RSA", new RSAKeyGenParameterSpec(3072, RSAKeyGenParameterSpec.F4)),
        /** RSA with a modulus of 4,096 bits. */
        RSA_4096("rsa-4096", "RSA", new RSAKeyGenParameterSpec(4096, RSAKeyGenParameterSpec.F4)),
        /** NIST's curve P-256. */
        P256("p256", "EC", new ECGenParameterSpec("secp256r1")),
        /** NIST's curve P-384. */
        P384("p384", "EC", new ECGenParameterSpec("secp384r1"));

        private final String label;
        private final String algorithm;
        private final AlgorithmParameterSpec parameters;

        Kind(String label, String algorithm, AlgorithmParameterSpec parameters) {
            this.label = label;
            this.algorithm = algorithm;
            this.parameters = parameters;
        }

        /** The name in options and output. */
        public String label() {
            return label;
        }

        /** The kind of a label. */
        public static Optional<Kind> of(String label) {
            return Arrays.stream(values())
                    .filter(each -> each.label.equals(label))
                    .findFirst();
        }
    }

    private final PublicKey publicKey;
    private final PrivateKey privateKey;

    private RecipientKey(KeyPair pair) {
        publicKey = pair.getPublic();
        privateKey = pair.getPrivate();
    }

    /** A fresh key pair; draws all of its randomness from {@code random}. */
    public static RecipientKey generate(Kind kind, SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(kind.algorithm);
            generator.initialize(kind.parameters, random);
            return new RecipientKey(generator.generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime cannot make keys of the kind " + kind.label, e);
        }
    }

    /** The public key, for which mail is sealed. */
    public PublicKey publicKey() {
        return publicKey;
    }

    /**
     * A PKCS #12 file with the key and its certificates: the key encrypted with AES-256 in CBC mode, all of it
     * authenticated by HMAC-SHA-256, both under the passphrase with 100,000 iterations.
     *
     * @param chain      the key's own certificate first, then those that it stands on
     * @param name       under which programs show the key
     * @param passphrase at least one character
     * @throws IllegalArgumentException if the first certificate is another key's, or the passphrase is empty
     */
    public byte[] toPkcs12(List<X509Certificate> chain, String name, char[] passphrase) {
        if (!chain.getFirst().getPublicKey().equals(publicKey)) {
            throw new IllegalArgumentException("the first certificate must be that of the key");
        }
        return Pkcs12.write(privateKey, chain, name, passphrase);
    }

    @Override
    public String toString() {
        return "RecipientKey[hidden]";
    }
}
