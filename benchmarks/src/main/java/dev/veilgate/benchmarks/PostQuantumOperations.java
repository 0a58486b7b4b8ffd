package dev.veilgate.benchmarks;

import dev.veilgate.pq.DecapsulationKey;
import dev.veilgate.pq.Kem;
import dev.veilgate.pq.PostQuantumProvider;
import dev.veilgate.pq.SignaturePublicKey;
import dev.veilgate.pq.SignatureScheme;
import dev.veilgate.pq.SignatureSecretKey;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.crypto.KEM;
import org.bouncycastle.crypto.generators.FrodoKEMKeyPairGenerator;
import org.bouncycastle.crypto.kems.FrodoKEMExtractor;
import org.bouncycastle.crypto.kems.FrodoKEMGenerator;
import org.bouncycastle.crypto.kems.MLKEMExtractor;
import org.bouncycastle.crypto.kems.MLKEMGenerator;
import org.bouncycastle.crypto.params.FrodoKEMKeyGenerationParameters;
import org.bouncycastle.crypto.params.FrodoKEMParameters;
import org.bouncycastle.crypto.params.FrodoKEMPrivateKeyParameters;
import org.bouncycastle.crypto.params.FrodoKEMPublicKeyParameters;
import org.bouncycastle.crypto.params.MLDSAParameters;
import org.bouncycastle.crypto.params.MLDSAPrivateKeyParameters;
import org.bouncycastle.crypto.params.MLDSAPublicKeyParameters;
import org.bouncycastle.crypto.params.MLKEMParameters;
import org.bouncycastle.crypto.params.MLKEMPrivateKeyParameters;
import org.bouncycastle.crypto.params.MLKEMPublicKeyParameters;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.crypto.signers.MLDSASigner;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/**
 * The operations of {@link PostQuantumFigures}, of each library in the way that is fastest there: keys are ready for
 * use, but each encapsulation has a public key that arrived as bytes. All sign 129 bytes, as envelopes do.
 */
final class PostQuantumOperations {
    /** Who computes. */
    enum Library {
        /** By its own classes, without the JCA. */
        BOUNCY_CASTLE("Bouncy Castle"),
        /** By the JCA. */
        JDK("JDK"),
        /** The product's Java. */
        PLATFORM("platform"),
        /** The product's native provider. */
        LIBOQS("liboqs");

        private final String label;

        Library(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    /** Between the name of an operation and that of who computes. */
    static final String BY = " by ";

    private static final String ML_KEM = "ML-KEM-768";
    private static final String ML_DSA = "ML-DSA-65";
    private static final String FRODO_KEM = "FrodoKEM-976-AES";
    private static final int SIGNED_BYTES = 129;
    /** Signing tries until a signature fits, how often depends on the message: the mean of so many messages counts. */
    private static final int MESSAGES = 64;

    private final Map<String, Callable<?>> operations = new LinkedHashMap<>();
    private final byte[][] messages = new byte[MESSAGES][SIGNED_BYTES];
    private int next;

    private PostQuantumOperations() {
        for (int i = 0; i < MESSAGES; i++) {
            messages[i][0] = (byte) i;
        }
    }

    /** All, in the order of the tables. */
    static Map<String, Callable<?>> all(PostQuantumProvider platform, PostQuantumProvider liboqs) throws Exception {
        PostQuantumOperations all = new PostQuantumOperations();
        all.mlKemOfBouncyCastle(new byte[64], new byte[32]);
        all.mlKemOfJdk(new byte[64], new byte[32]);
        all.kem(Library.PLATFORM, platform.mlKem768());
        all.kem(Library.LIBOQS, liboqs.mlKem768());
        all.mlDsaOfBouncyCastle(new byte[32]);
        all.mlDsaOfJdk(new byte[32]);
        all.signatures(Library.PLATFORM, platform.mlDsa65());
        all.signatures(Library.LIBOQS, liboqs.mlDsa65());
        all.frodoKemOfBouncyCastle();
        all.kem(Library.PLATFORM, platform.frodoKem976());
        all.kem(Library.LIBOQS, liboqs.frodoKem976());
        all.signatures(Library.PLATFORM, platform.slhDsaSha2128f());
        all.ed25519();
        return all.operations;
    }

    static String name(String operation, Library library) {
        return operation + BY + library.label;
    }

    private void add(String scheme, String operation, Library library, Callable<?> call) {
        operations.put(name(scheme + " " + operation, library), call);
    }

    private byte[] message() {
        next = (next + 1) % MESSAGES;
        return messages[next];
    }

    private void kem(Library library, Kem kem) {
        String scheme = kem.parameters().name();
        byte[] seed = new byte[kem.parameters().seedBytes()];
        byte[] coins = new byte[kem.parameters().coinsBytes()];
        DecapsulationKey key = kem.key(seed);
        byte[] publicKey = key.publicKey();
        byte[] ciphertext = kem.encapsulate(publicKey, coins).ciphertext();
        add(scheme, "key", library, () -> {
            try (DecapsulationKey made = kem.key(seed)) {
                return made;
            }
        });
        add(scheme, "encapsulation", library, () -> kem.encapsulate(publicKey, coins));
        add(scheme, "decapsulation", library, () -> key.decapsulate(ciphertext));
    }

    private void signatures(Library library, SignatureScheme scheme) {
        byte[] seed = new byte[scheme.parameters().seedBytes()];
        String name = scheme.parameters().name();
        SignatureSecretKey key = scheme.key(seed);
        SignaturePublicKey publicKey = scheme.publicKey(key.publicKey());
        byte[] signed = messages[0];
        byte[] signature = key.sign(signed, new Zeros());
        add(name, "key", library, () -> {
            try (SignatureSecretKey made = scheme.key(seed)) {
                return made;
            }
        });
        add(name, "signature", library, () -> key.sign(message(), new Zeros()));
        add(name, "check", library, () -> holds(publicKey.verify(signed, signature)));
    }

    private void mlKemOfBouncyCastle(byte[] seed, byte[] coins) {
        MLKEMPrivateKeyParameters key = new MLKEMPrivateKeyParameters(MLKEMParameters.ml_kem_768, seed.clone());
        byte[] publicKey = key.getPublicKey();
        byte[] ciphertext = encapsulatedByBouncyCastle(publicKey, coins);
        add(
                ML_KEM,
                "key",
                Library.BOUNCY_CASTLE,
                () -> new MLKEMPrivateKeyParameters(MLKEMParameters.ml_kem_768, seed.clone()));
        add(ML_KEM, "encapsulation", Library.BOUNCY_CASTLE, () -> encapsulatedByBouncyCastle(publicKey, coins));
        add(ML_KEM, "decapsulation", Library.BOUNCY_CASTLE, () -> new MLKEMExtractor(key).extractSecret(ciphertext));
    }

    private static byte[] encapsulatedByBouncyCastle(byte[] publicKey, byte[] coins) {
        return MLKEMGenerator.internalGenerateEncapsulated(
                        new MLKEMPublicKeyParameters(MLKEMParameters.ml_kem_768, publicKey), coins)
                .getEncapsulation();
    }

    private void mlKemOfJdk(byte[] seed, byte[] coins) throws GeneralSecurityException {
        KeyPair pair = jdkKey(ML_KEM, NamedParameterSpec.ML_KEM_768);
        KEM kem = KEM.getInstance(ML_KEM);
        byte[] ciphertext = kem.newEncapsulator(pair.getPublic(), null, new Zeros())
                .encapsulate()
                .encapsulation();
        if (seed.length != 64 || coins.length != 32) {
            throw new IllegalArgumentException("the JDK takes 64 and 32 bytes");
        }
        add(ML_KEM, "key", Library.JDK, () -> jdkKey(ML_KEM, NamedParameterSpec.ML_KEM_768));
        add(
                ML_KEM,
                "encapsulation",
                Library.JDK,
                () -> kem.newEncapsulator(pair.getPublic(), null, new Zeros()).encapsulate());
        add(
                ML_KEM,
                "decapsulation",
                Library.JDK,
                () -> kem.newDecapsulator(pair.getPrivate()).decapsulate(ciphertext));
    }

    private void mlDsaOfBouncyCastle(byte[] seed) throws Exception {
        MLDSAPrivateKeyParameters key = new MLDSAPrivateKeyParameters(MLDSAParameters.ml_dsa_65, seed.clone());
        MLDSAPublicKeyParameters publicKey = key.getPublicKeyParameters();
        byte[] signed = messages[0];
        byte[] signature = signedByBouncyCastle(key, signed);
        add(
                ML_DSA,
                "key",
                Library.BOUNCY_CASTLE,
                () -> new MLDSAPrivateKeyParameters(MLDSAParameters.ml_dsa_65, seed.clone()).getPublicKey());
        add(ML_DSA, "signature", Library.BOUNCY_CASTLE, () -> signedByBouncyCastle(key, message()));
        add(ML_DSA, "check", Library.BOUNCY_CASTLE, () -> {
            MLDSASigner verifier = new MLDSASigner();
            verifier.init(false, publicKey);
            verifier.update(signed, 0, SIGNED_BYTES);
            return holds(verifier.verifySignature(signature));
        });
    }

    private static byte[] signedByBouncyCastle(MLDSAPrivateKeyParameters key, byte[] message) throws Exception {
        MLDSASigner signer = new MLDSASigner();
        signer.init(true, new ParametersWithRandom(key, new Zeros()));
        signer.update(message, 0, SIGNED_BYTES);
        return signer.generateSignature();
    }

    private void mlDsaOfJdk(byte[] seed) throws GeneralSecurityException {
        KeyPair pair = jdkKey(ML_DSA, NamedParameterSpec.ML_DSA_65);
        if (seed.length != 32) {
            throw new IllegalArgumentException("the JDK takes 32 bytes");
        }
        add(ML_DSA, "key", Library.JDK, () -> jdkKey(ML_DSA, NamedParameterSpec.ML_DSA_65));
        addJdkSignatures(ML_DSA, pair);
    }

    private void addJdkSignatures(String scheme, KeyPair pair) throws GeneralSecurityException {
        byte[] signed = messages[0];
        Callable<byte[]> signing = () -> {
            Signature signer = Signature.getInstance(scheme);
            signer.initSign(pair.getPrivate(), new Zeros());
            signer.update(message());
            return signer.sign();
        };
        Signature first = Signature.getInstance(scheme);
        first.initSign(pair.getPrivate(), new Zeros());
        first.update(signed);
        byte[] signature = first.sign();
        if (scheme.equals(ML_DSA)) {
            add(scheme, "signature", Library.JDK, signing);
        }
        add(scheme, "check", Library.JDK, () -> {
            Signature verifier = Signature.getInstance(scheme);
            verifier.initVerify(pair.getPublic());
            verifier.update(signed);
            return holds(verifier.verify(signature));
        });
    }

    private static KeyPair jdkKey(String scheme, NamedParameterSpec set) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(scheme);
        generator.initialize(set, new Zeros());
        return generator.generateKeyPair();
    }

    private void frodoKemOfBouncyCastle() {
        FrodoKEMParameters set = FrodoKEMParameters.efrodokem976aes;
        FrodoKEMKeyPairGenerator generator = new FrodoKEMKeyPairGenerator();
        generator.init(new FrodoKEMKeyGenerationParameters(new Zeros(), set));
        var pair = generator.generateKeyPair();
        byte[] publicKey = ((FrodoKEMPublicKeyParameters) pair.getPublic()).getEncoded();
        FrodoKEMPrivateKeyParameters key = (FrodoKEMPrivateKeyParameters) pair.getPrivate();
        Callable<byte[]> encapsulation = () -> new FrodoKEMGenerator(new Zeros())
                .generateEncapsulated(new FrodoKEMPublicKeyParameters(set, publicKey))
                .getEncapsulation();
        byte[] ciphertext = new FrodoKEMGenerator(new Zeros())
                .generateEncapsulated(pair.getPublic())
                .getEncapsulation();
        add(FRODO_KEM, "key", Library.BOUNCY_CASTLE, generator::generateKeyPair);
        add(FRODO_KEM, "encapsulation", Library.BOUNCY_CASTLE, encapsulation);
        add(
                FRODO_KEM,
                "decapsulation",
                Library.BOUNCY_CASTLE,
                () -> new FrodoKEMExtractor(key).extractSecret(ciphertext));
    }

    /** The other half of every signature of ours, for scale. */
    private void ed25519() throws GeneralSecurityException {
        byte[] secretKey = new byte[Ed25519.SECRET_KEY_SIZE];
        byte[] publicKey = new byte[Ed25519.PUBLIC_KEY_SIZE];
        Ed25519.generatePublicKey(secretKey, 0, publicKey, 0);
        byte[] signed = messages[0];
        byte[] signature = new byte[Ed25519.SIGNATURE_SIZE];
        Ed25519.sign(secretKey, 0, signed, 0, SIGNED_BYTES, signature, 0);
        Ed25519.PublicPoint point = Ed25519.validatePublicKeyFullExport(publicKey, 0);
        add(
                "Ed25519",
                "check",
                Library.BOUNCY_CASTLE,
                () -> holds(Ed25519.verify(signature, 0, point, signed, 0, SIGNED_BYTES)));
        addJdkSignatures("Ed25519", KeyPairGenerator.getInstance("Ed25519").generateKeyPair());
    }

    private static boolean holds(boolean verified) {
        if (!verified) {
            throw new IllegalStateException("a signature does not hold");
        }
        return true;
    }

    /** Gives zeros, so that no random generator is measured, and all compute the same. */
    private static final class Zeros extends SecureRandom {
        private static final long serialVersionUID = 1L;

        @Override
        public void nextBytes(byte[] bytes) {
            Arrays.fill(bytes, (byte) 0);
        }
    }
}
