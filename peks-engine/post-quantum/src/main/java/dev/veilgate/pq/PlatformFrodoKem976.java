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
    private static final String NAME = FrodoKem976.NAME;

    private static final FrodoKEMParameters PARAMETERS = FrodoKEMParameters.efrodokem976aes;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int seedBytes() {
        return FrodoKem976.SEED_BYTES;
    }

    @Override
    public int publicKeyBytes() {
        return FrodoKem976.PUBLIC_KEY_BYTES;
    }

    @Override
    public int ciphertextBytes() {
        return FrodoKem976.CIPHERTEXT_BYTES;
    }

    @Override
    public int coinsBytes() {
        return FrodoKem976.COINS_BYTES;
    }

    @Override
    public int secretBytes() {
        return FrodoKem976.SECRET_BYTES;
    }

    @Override
    public DecapsulationKey key(byte[] seed) {
        Lengths.require("seed of " + NAME, seed, FrodoKem976.SEED_BYTES);
        GivenBytes random = new GivenBytes(seed);
        FrodoKEMKeyPairGenerator generator = new FrodoKEMKeyPairGenerator();
        generator.init(new FrodoKEMKeyGenerationParameters(random, PARAMETERS));
        AsymmetricCipherKeyPair pair = generator.generateKeyPair();
        random.close();
        return new Key(
                (FrodoKEMPrivateKeyParameters) pair.getPrivate(),
                ((FrodoKEMPublicKeyParameters) pair.getPublic()).getEncoded());
    }

    /** Any bytes of the right length are a public key: all numbers modulo 2^16 occur. */
    @Override
    public void checkPublicKey(byte[] publicKey) {
        Lengths.require("public key of " + NAME, publicKey, FrodoKem976.PUBLIC_KEY_BYTES);
    }

    @Override
    public EncapsulatedSecret encapsulate(byte[] publicKey, byte[] coins) {
        checkPublicKey(publicKey);
        Lengths.require("coins of " + NAME, coins, FrodoKem976.COINS_BYTES);
        GivenBytes random = new GivenBytes(coins);
        SecretWithEncapsulation kem = new FrodoKEMGenerator(random)
                .generateEncapsulated(new FrodoKEMPublicKeyParameters(PARAMETERS, publicKey.clone()));
        random.close();
        return new EncapsulatedSecret(kem.getSecret(), kem.getEncapsulation());
    }

    private record Key(FrodoKEMPrivateKeyParameters key, byte[] encodedPublicKey) implements DecapsulationKey {
        @Override
        public byte[] publicKey() {
            return encodedPublicKey.clone();
        }

        @Override
        public byte[] decapsulate(byte[] ciphertext) {
            Lengths.require("ciphertext of " + NAME, ciphertext, FrodoKem976.CIPHERTEXT_BYTES);
            return new FrodoKEMExtractor(key).extractSecret(ciphertext);
        }

        /** Bouncy Castle gives no way to erase this key: the reference goes, the collector does the rest. */
        @Override
        public void close() {}

        @Override
        public String toString() {
            return NAME + "[hidden]";
        }
    }
}
