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
    private static final KemParameters PARAMETERS = KemParameters.ML_KEM_768;

    @Override
    public KemParameters parameters() {
        return PARAMETERS;
    }

    @Override
    public DecapsulationKey key(byte[] seed) {
        PARAMETERS.requireSeed(seed);
        return new Key(new MLKEMPrivateKeyParameters(MLKEMParameters.ml_kem_768, seed.clone()));
    }

    @Override
    public void checkPublicKey(byte[] publicKey) {
        parsed(publicKey);
    }

    @Override
    public EncapsulatedSecret encapsulate(byte[] publicKey, byte[] coins) {
        MLKEMPublicKeyParameters key = parsed(publicKey);
        PARAMETERS.requireCoins(coins);
        SecretWithEncapsulation kem = MLKEMGenerator.internalGenerateEncapsulated(key, coins);
        return new EncapsulatedSecret(kem.getSecret(), kem.getEncapsulation());
    }

    /** FIPS 203, section 7.2: a wrong length, or numbers that are not reduced. */
    private static MLKEMPublicKeyParameters parsed(byte[] publicKey) {
        PARAMETERS.requirePublicKey(publicKey);
        return new MLKEMPublicKeyParameters(MLKEMParameters.ml_kem_768, publicKey.clone());
    }

    private record Key(MLKEMPrivateKeyParameters key) implements DecapsulationKey {
        @Override
        public byte[] publicKey() {
            return key.getPublicKey().clone();
        }

        @Override
        public byte[] decapsulate(byte[] ciphertext) {
            PARAMETERS.requireCiphertext(ciphertext);
            return new MLKEMExtractor(key).extractSecret(ciphertext);
        }

        @Override
        public void close() {
            key.destroy();
        }

        @Override
        public String toString() {
            return PARAMETERS.name() + "[hidden]";
        }
    }
}
