package dev.veilgate.pq;

import dev.veilgate.secret.Secret;
import java.security.SecureRandom;
import org.bouncycastle.crypto.generators.SLHDSAKeyPairGenerator;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.crypto.params.SLHDSAKeyGenerationParameters;
import org.bouncycastle.crypto.params.SLHDSAParameters;
import org.bouncycastle.crypto.params.SLHDSAPrivateKeyParameters;
import org.bouncycastle.crypto.params.SLHDSAPublicKeyParameters;
import org.bouncycastle.crypto.signers.SLHDSASigner;

/** SLH-DSA-SHA2-128f by Bouncy Castle: pure, hedged, with the empty context string. */
@Secret
final class PlatformSlhDsaSha2128f implements SignatureScheme {
    private static final SignatureParameters PARAMETERS = SignatureParameters.SLH_DSA_SHA2_128F;
    private static final SLHDSAParameters SET = SLHDSAParameters.sha2_128f;

    @Override
    public SignatureParameters parameters() {
        return PARAMETERS;
    }

    @Override
    public SignatureSecretKey key(byte[] seed) {
        PARAMETERS.requireSeed(seed);
        try (GivenBytes random = new GivenBytes(seed)) {
            SLHDSAKeyPairGenerator generator = new SLHDSAKeyPairGenerator();
            generator.init(new SLHDSAKeyGenerationParameters(random, SET));
            SLHDSAPrivateKeyParameters key =
                    (SLHDSAPrivateKeyParameters) generator.generateKeyPair().getPrivate();
            random.requireAllTaken();
            return new Key(key, key.getEncodedPublicKey());
        }
    }

    @Override
    public SignaturePublicKey publicKey(byte[] publicKey) {
        PARAMETERS.requirePublicKey(publicKey);
        SLHDSAPublicKeyParameters key = new SLHDSAPublicKeyParameters(SET, publicKey);
        return (message, signature) -> {
            SLHDSASigner verifier = new SLHDSASigner();
            verifier.init(false, key);
            return verifier.verifySignature(message, signature);
        };
    }

    private record Key(SLHDSAPrivateKeyParameters key, byte[] encodedPublicKey) implements SignatureSecretKey {
        @Override
        public byte[] publicKey() {
            return encodedPublicKey.clone();
        }

        @Override
        public byte[] sign(byte[] message, SecureRandom random) {
            SLHDSASigner signer = new SLHDSASigner();
            signer.init(true, new ParametersWithRandom(key, random));
            return signer.generateSignature(message);
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
