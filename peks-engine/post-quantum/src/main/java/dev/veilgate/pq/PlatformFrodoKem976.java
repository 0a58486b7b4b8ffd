package dev.veilgate.pq;

import dev.veilgate.secret.Secret;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.SecretWithEncapsulation;
import org.bouncycastle.crypto.generators.FrodoKEMKeyPairGenerator;
import org.bouncycastle.crypto.kems.FrodoKEMExtractor;
import org.bouncycastle.crypto.kems.FrodoKEMGenerator;
import org.bouncycastle.crypto.params.FrodoKEMKeyGenerationParameters;
import org.bouncycastle.crypto.params.FrodoKEMParameters;
import org.bouncycastle.crypto.params.FrodoKEMPrivateKeyParameters;
import org.bouncycastle.crypto.params.FrodoKEMPublicKeyParameters;

/** FrodoKEM-976-AES of the third round by Bouncy Castle, where it has the name eFrodoKEM. */
@Secret
final class PlatformFrodoKem976 implements Kem {
    private static final KemParameters PARAMETERS = KemParameters.FRODOKEM_976_AES;

    private static final FrodoKEMParameters SET = FrodoKEMParameters.efrodokem976aes;

    @Override
    public KemParameters parameters() {
        return PARAMETERS;
    }

    @Override
    public DecapsulationKey key(byte[] seed) {
        PARAMETERS.requireSeed(seed);
        try (GivenBytes random = new GivenBytes(seed)) {
            FrodoKEMKeyPairGenerator generator = new FrodoKEMKeyPairGenerator();
            generator.init(new FrodoKEMKeyGenerationParameters(random, SET));
            AsymmetricCipherKeyPair pair = generator.generateKeyPair();
            random.requireAllTaken();
            return new Key(
                    (FrodoKEMPrivateKeyParameters) pair.getPrivate(),
                    ((FrodoKEMPublicKeyParameters) pair.getPublic()).getEncoded());
        }
    }

    /** Any bytes of the right length are a public key: all numbers modulo 2^16 occur. */
    @Override
    public void checkPublicKey(byte[] publicKey) {
        PARAMETERS.requirePublicKey(publicKey);
    }

    @Override
    public EncapsulatedSecret encapsulate(byte[] publicKey, byte[] coins) {
        checkPublicKey(publicKey);
        PARAMETERS.requireCoins(coins);
        try (GivenBytes random = new GivenBytes(coins)) {
            SecretWithEncapsulation kem = new FrodoKEMGenerator(random)
                    .generateEncapsulated(new FrodoKEMPublicKeyParameters(SET, publicKey.clone()));
            random.requireAllTaken();
            return PlatformMlKem768.taken(kem);
        }
    }

    static final class Key implements DecapsulationKey {
        private final KeyState state = new KeyState();
        final FrodoKEMPrivateKeyParameters key;
        private final byte[] encodedPublicKey;

        Key(FrodoKEMPrivateKeyParameters key, byte[] encodedPublicKey) {
            this.key = key;
            this.encodedPublicKey = encodedPublicKey;
        }

        @Override
        public byte[] publicKey() {
            return encodedPublicKey.clone();
        }

        @Override
        public byte[] decapsulate(byte[] ciphertext) {
            PARAMETERS.requireCiphertext(ciphertext);
            state.requireOpen();
            return state.result(new FrodoKEMExtractor(key).extractSecret(ciphertext));
        }

        @Override
        public void close() {
            state.close();
            key.destroy();
        }

        @Override
        public String toString() {
            return PARAMETERS.name() + "[hidden]";
        }
    }
}
