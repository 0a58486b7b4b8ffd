package dev.veilgate.pq;

import dev.veilgate.secret.Secret;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.HexFormat;
import javax.security.auth.DestroyFailedException;
import org.bouncycastle.crypto.SecretWithEncapsulation;
import org.bouncycastle.crypto.kems.MLKEMExtractor;
import org.bouncycastle.crypto.kems.MLKEMGenerator;
import org.bouncycastle.crypto.params.MLKEMParameters;
import org.bouncycastle.crypto.params.MLKEMPrivateKeyParameters;
import org.bouncycastle.crypto.params.MLKEMPublicKeyParameters;

/**
 * ML-KEM-768 with keys expanded by the JDK and used by Bouncy Castle. The JDK is faster in all three operations
 * (docs/post-quantum.md has the figures), but its encapsulations and decapsulations give the shared secret as a
 * SecretKeySpec, which cannot be erased; of its private keys all copies can be.
 */
@Secret
final class PlatformMlKem768 implements Kem {
    private static final KemParameters PARAMETERS = KemParameters.ML_KEM_768;
    private static final String NAME = PARAMETERS.name();
    private static final int EXPANDED_KEY_BYTES = 2400;

    /** Head of an expanded key in the encoding of the JDK. */
    private static final byte[] PKCS8 =
            HexFormat.of().parseHex("30820978020100300b06096086480165030404020482096404820960");

    @Override
    public KemParameters parameters() {
        return PARAMETERS;
    }

    @Override
    public DecapsulationKey key(byte[] seed) {
        PARAMETERS.requireSeed(seed);
        byte[] expanded = new byte[EXPANDED_KEY_BYTES];
        try {
            return new Key(new MLKEMPrivateKeyParameters(
                    MLKEMParameters.ml_kem_768, expand(seed, expanded) ? expanded : seed.clone()));
        } finally {
            Arrays.fill(expanded, (byte) 0);
        }
    }

    /**
     * Expands a seed by the JDK.
     *
     * @return false if this Java runtime encodes its keys in another form than Java 25
     */
    static boolean expand(byte[] seed, byte[] expanded) {
        try (GivenBytes random = new GivenBytes(seed)) {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(NAME);
            generator.initialize(NamedParameterSpec.ML_KEM_768, random);
            PrivateKey key = generator.generateKeyPair().getPrivate();
            random.requireAllTaken();
            byte[] pkcs8 = key.getEncoded();
            try {
                if (pkcs8.length != PKCS8.length + EXPANDED_KEY_BYTES
                        || !Arrays.equals(pkcs8, 0, PKCS8.length, PKCS8, 0, PKCS8.length)) {
                    return false;
                }
                System.arraycopy(pkcs8, PKCS8.length, expanded, 0, EXPANDED_KEY_BYTES);
                return true;
            } finally {
                Arrays.fill(pkcs8, (byte) 0);
                key.destroy();
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks " + NAME, e);
        } catch (DestroyFailedException e) {
            throw new IllegalStateException("this Java runtime cannot erase keys of " + NAME, e);
        }
    }

    @Override
    public void checkPublicKey(byte[] publicKey) {
        parsed(publicKey);
    }

    @Override
    public EncapsulatedSecret encapsulate(byte[] publicKey, byte[] coins) {
        MLKEMPublicKeyParameters key = parsed(publicKey);
        PARAMETERS.requireCoins(coins);
        return taken(MLKEMGenerator.internalGenerateEncapsulated(key, coins));
    }

    /** Copies of what Bouncy Castle made; its own are erased. */
    static EncapsulatedSecret taken(SecretWithEncapsulation kem) {
        try {
            EncapsulatedSecret taken = new EncapsulatedSecret(kem.getSecret(), kem.getEncapsulation());
            kem.destroy();
            return taken;
        } catch (DestroyFailedException e) {
            throw new IllegalStateException("Bouncy Castle cannot erase its secrets", e);
        }
    }

    /** FIPS 203, section 7.2: a wrong length, or numbers that are not reduced. */
    private static MLKEMPublicKeyParameters parsed(byte[] publicKey) {
        PARAMETERS.requirePublicKey(publicKey);
        return new MLKEMPublicKeyParameters(MLKEMParameters.ml_kem_768, publicKey.clone());
    }

    static final class Key implements DecapsulationKey {
        private final KeyState state = new KeyState();
        final MLKEMPrivateKeyParameters key;
        private final byte[] encodedPublicKey;

        Key(MLKEMPrivateKeyParameters key) {
            this.key = key;
            this.encodedPublicKey = key.getPublicKey();
        }

        @Override
        public byte[] publicKey() {
            return encodedPublicKey.clone();
        }

        @Override
        public byte[] decapsulate(byte[] ciphertext) {
            PARAMETERS.requireCiphertext(ciphertext);
            state.requireOpen();
            return state.result(new MLKEMExtractor(key).extractSecret(ciphertext));
        }

        @Override
        public void close() {
            state.close();
            key.destroy();
        }

        @Override
        public String toString() {
            return NAME + "[hidden]";
        }
    }
}
