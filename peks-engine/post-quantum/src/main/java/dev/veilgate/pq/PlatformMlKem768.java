package dev.veilgate.pq;

import dev.veilgate.secret.Secret;
import org.bouncycastle.crypto.SecretWithEncapsulation;
import org.bouncycastle.crypto.kems.MLKEMExtractor;
import org.bouncycastle.crypto.kems.MLKEMGenerator;
import org.bouncycastle.crypto.params.MLKEMParameters;
import org.bouncycastle.crypto.params.MLKEMPrivateKeyParameters;
import org.bouncycastle.crypto.params.MLKEMPublicKeyParameters;

/** ML-KEM-768 by Bouncy Castle, without the JCA around it: what is secret stays in arrays that can be erased. */
@Secret
final class PlatformMlKem768 implements Kem {
    private static final String NAME = MlKem768.NAME;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int seedBytes() {
        return MlKem768.SEED_BYTES;
    }

    @Override
    public int publicKeyBytes() {
        return MlKem768.PUBLIC_KEY_BYTES;
    }

    @Override
    public int ciphertextBytes() {
        return MlKem768.CIPHERTEXT_BYTES;
    }

    @Override
    public int coinsBytes() {
        return MlKem768.COINS_BYTES;
    }

    @Override
    public int secretBytes() {
        return MlKem768.SECRET_BYTES;
    }

    @Override
    public DecapsulationKey key(byte[] seed) {
        Lengths.require("seed of " + NAME, seed, MlKem768.SEED_BYTES);
        return new Key(new MLKEMPrivateKeyParameters(MLKEMParameters.ml_kem_768, seed.clone()));
    }

    @Override
    public void checkPublicKey(byte[] publicKey) {
        parsed(publicKey);
    }

    @Override
    public EncapsulatedSecret encapsulate(byte[] publicKey, byte[] coins) {
        MLKEMPublicKeyParameters key = parsed(publicKey);
        Lengths.require("coins of " + NAME, coins, MlKem768.COINS_BYTES);
        SecretWithEncapsulation kem = MLKEMGenerator.internalGenerateEncapsulated(key, coins);
        return new EncapsulatedSecret(kem.getSecret(), kem.getEncapsulation());
    }

    /** FIPS 203, section 7.2: a wrong length, or numbers that are not reduced. */
    private static MLKEMPublicKeyParameters parsed(byte[] publicKey) {
        Lengths.require("public key of " + NAME, publicKey, MlKem768.PUBLIC_KEY_BYTES);
        return new MLKEMPublicKeyParameters(MLKEMParameters.ml_kem_768, publicKey.clone());
    }

    private record Key(MLKEMPrivateKeyParameters key) implements DecapsulationKey {
        @Override
        public byte[] publicKey() {
            return key.getPublicKey().clone();
        }

        @Override
        public byte[] decapsulate(byte[] ciphertext) {
            Lengths.require("ciphertext of " + NAME, ciphertext, MlKem768.CIPHERTEXT_BYTES);
            return new MLKEMExtractor(key).extractSecret(ciphertext);
        }

        @Override
        public void close() {
            key.destroy();
        }

        @Override
        public String toString() {
            return NAME + "[hidden]";
        }
    }
}
