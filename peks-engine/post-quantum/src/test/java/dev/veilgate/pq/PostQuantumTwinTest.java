package dev.veilgate.pq;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.NamedParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import javax.crypto.KEM;
import org.bouncycastle.crypto.CryptoException;
import org.bouncycastle.crypto.SecretWithEncapsulation;
import org.bouncycastle.crypto.kems.MLKEMExtractor;
import org.bouncycastle.crypto.kems.MLKEMGenerator;
import org.bouncycastle.crypto.params.MLDSAParameters;
import org.bouncycastle.crypto.params.MLDSAPrivateKeyParameters;
import org.bouncycastle.crypto.params.MLDSAPublicKeyParameters;
import org.bouncycastle.crypto.params.MLKEMParameters;
import org.bouncycastle.crypto.params.MLKEMPrivateKeyParameters;
import org.bouncycastle.crypto.params.MLKEMPublicKeyParameters;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.crypto.signers.MLDSASigner;
import org.junit.jupiter.api.Test;

/**
 * Bouncy Castle, the JDK and liboqs alone, each against both others: the same keys, ciphertexts and secrets from the
 * same seeds and coins, the same rejections, so that each opens what the others made. Of signatures, each round has
 * another signer; all three check, and all are compared every tenth round.
 */
class PostQuantumTwinTest {
    private static final int ROUNDS = 10_000;

    /** Head of a public key of ML-KEM-768 or of ML-DSA-65 in X.509. */
    private static final int X509_HEAD = 22;

    private final long seed = new SecureRandom().nextLong();

    @Test
    void threeLibrariesAgreeOnMlKem() throws Exception {
        Kem liboqs = TestLiboqs.load().mlKem768();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] keySeed = bytes(random, 64);
            byte[] coins = bytes(random, 32);
            MLKEMPrivateKeyParameters ofBc = new MLKEMPrivateKeyParameters(MLKEMParameters.ml_kem_768, keySeed.clone());
            KeyPair ofJdk = jdkKey("ML-KEM-768", NamedParameterSpec.ML_KEM_768, keySeed);
            try (DecapsulationKey ofLiboqs = liboqs.key(keySeed)) {
                byte[] publicKey = ofLiboqs.publicKey();
                same(round, "keys", publicKey, ofBc.getPublicKey(), raw(ofJdk.getPublic()));

                SecretWithEncapsulation byBc = MLKEMGenerator.internalGenerateEncapsulated(
                        new MLKEMPublicKeyParameters(MLKEMParameters.ml_kem_768, publicKey), coins);
                KEM jdk = KEM.getInstance("ML-KEM-768");
                KEM.Encapsulated byJdk = jdk.newEncapsulator(
                                x509("ML-KEM-768", ofJdk.getPublic(), publicKey), null, new GivenBytes(coins))
                        .encapsulate();
                EncapsulatedSecret byLiboqs = liboqs.encapsulate(publicKey, coins);
                byte[] ciphertext = byLiboqs.ciphertext();
                same(round, "ciphertexts", ciphertext, byBc.getEncapsulation(), byJdk.encapsulation());
                byte[] secret = byLiboqs.secret();
                same(round, "secrets", secret, byBc.getSecret(), byJdk.key().getEncoded());

                KEM.Decapsulator opener = jdk.newDecapsulator(ofJdk.getPrivate());
                same(
                        round,
                        "decapsulations",
                        secret,
                        new MLKEMExtractor(ofBc).extractSecret(ciphertext),
                        opener.decapsulate(ciphertext).getEncoded(),
                        ofLiboqs.decapsulate(ciphertext));
                byte[] changed = flipped(ciphertext, random);
                same(
                        round,
                        "rejections",
                        new MLKEMExtractor(ofBc).extractSecret(changed),
                        opener.decapsulate(changed).getEncoded(),
                        ofLiboqs.decapsulate(changed));
            }
        }
    }

    @Test
    void threeLibrariesAgreeOnMlDsa() throws Exception {
        SignatureScheme liboqs = TestLiboqs.load().mlDsa65();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] keySeed = bytes(random, 32);
            byte[] mixed = bytes(random, 32);
            byte[] message = bytes(random, random.nextInt(300));
            MLDSAPrivateKeyParameters ofBc = new MLDSAPrivateKeyParameters(MLDSAParameters.ml_dsa_65, keySeed.clone());
            KeyPair ofJdk = jdkKey("ML-DSA-65", NamedParameterSpec.ML_DSA_65, keySeed);
            try (SignatureSecretKey ofLiboqs = liboqs.key(keySeed)) {
                byte[] publicKey = ofLiboqs.publicKey();
                same(round, "keys", publicKey, ofBc.getPublicKeyParameters().getEncoded(), raw(ofJdk.getPublic()));

                byte[] signature = switch (round % 3) {
                    case 0 -> bcSigns(ofBc, message, mixed);
                    case 1 -> jdkSigns(ofJdk.getPrivate(), message, mixed);
                    default -> ofLiboqs.sign(message, new GivenBytes(mixed));
                };
                if (round % 10 == 0) {
                    same(
                            round,
                            "signatures",
                            signature,
                            bcSigns(ofBc, message, mixed),
                            jdkSigns(ofJdk.getPrivate(), message, mixed),
                            ofLiboqs.sign(message, new GivenBytes(mixed)));
                }
                byte[] changed = flipped(signature, random);
                List<Predicate<byte[]>> checks = List.of(
                        one -> bcVerifies(publicKey, message, one),
                        one -> jdkVerifies(ofJdk.getPublic(), publicKey, message, one),
                        one -> liboqs.publicKey(publicKey).verify(message, one));
                for (Predicate<byte[]> check : checks) {
                    assertThat(check.test(signature)).as(where(round)).isTrue();
                }
                assertThat(checks.get(round / 3 % 3).test(changed))
                        .as(where(round))
                        .isFalse();
            }
        }
    }

    private String where(int round) {
        return "seed " + seed + ", round " + round;
    }

    private static byte[] bcSigns(MLDSAPrivateKeyParameters key, byte[] message, byte[] mixed) throws CryptoException {
        MLDSASigner signer = new MLDSASigner();
        signer.init(true, new ParametersWithRandom(key, new GivenBytes(mixed)));
        signer.update(message, 0, message.length);
        return signer.generateSignature();
    }

    private static byte[] jdkSigns(PrivateKey key, byte[] message, byte[] mixed) throws GeneralSecurityException {
        Signature signer = Signature.getInstance("ML-DSA-65");
        signer.initSign(key, new GivenBytes(mixed));
        signer.update(message);
        return signer.sign();
    }

    private static boolean bcVerifies(byte[] publicKey, byte[] message, byte[] signature) {
        MLDSASigner verifier = new MLDSASigner();
        verifier.init(false, new MLDSAPublicKeyParameters(MLDSAParameters.ml_dsa_65, publicKey));
        verifier.update(message, 0, message.length);
        return verifier.verifySignature(signature);
    }

    private void same(int round, String what, byte[] one, byte[]... others) {
        for (byte[] other : others) {
            if (!Arrays.equals(one, other)) {
                assertThat(other).as("%s, %s", what, where(round)).isEqualTo(one);
            }
        }
    }

    private static KeyPair jdkKey(String name, NamedParameterSpec set, byte[] seed) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(name);
        generator.initialize(set, new GivenBytes(seed));
        return generator.generateKeyPair();
    }

    private static byte[] raw(PublicKey key) {
        byte[] x509 = key.getEncoded();
        return Arrays.copyOfRange(x509, X509_HEAD, x509.length);
    }

    /** A public key that another library made, as the JDK takes it. */
    private static PublicKey x509(String name, PublicKey form, byte[] raw) throws GeneralSecurityException {
        byte[] x509 = form.getEncoded();
        System.arraycopy(raw, 0, x509, X509_HEAD, raw.length);
        return KeyFactory.getInstance(name).generatePublic(new X509EncodedKeySpec(x509));
    }

    private static boolean jdkVerifies(PublicKey form, byte[] publicKey, byte[] message, byte[] signature) {
        try {
            Signature verifier = Signature.getInstance("ML-DSA-65");
            verifier.initVerify(x509("ML-DSA-65", form, publicKey));
            verifier.update(message);
            return verifier.verify(signature);
        } catch (SignatureException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] flipped(byte[] bytes, Random random) {
        byte[] flipped = bytes.clone();
        flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
        return flipped;
    }

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
