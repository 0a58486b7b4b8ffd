package dev.veilgate.envelope;

import dev.veilgate.pq.EncapsulatedSecret;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Hybrid key encapsulation mechanism that content keys are wrapped with. Each is IND-CCA secure if one of its two
 * halves is; their public keys differ in length, so that a key says which it is of.
 */
public enum WrapAlgorithm {
    /** X-Wing: X25519 and ML-KEM-768, whose module lattices are structured. Small and fast. */
    X_WING("x25519+ml-kem-768", 1, XWing.PUBLIC_KEY_BYTES, XWing.CIPHERTEXT_BYTES, XWing.ENCAPSULATION_COINS_BYTES) {
        @Override
        HybridSecretKey expand(byte[] seed) {
            return new XWing.DecapsulationKey(seed);
        }

        @Override
        void checkPublicKey(byte[] publicKey) {
            XWing.checkPublicKey(publicKey);
        }

        @Override
        EncapsulatedSecret encapsulate(byte[] publicKey, byte[] coins) {
            return XWing.encapsulate(publicKey, coins);
        }
    },

    /**
     * X25519 and FrodoKEM-976, whose lattices have no structure: for what has to stay secret for decades. An envelope
     * is 14.7 KB longer, a public key 14.4 KB.
     */
    X25519_FRODOKEM_976(
            "x25519+frodokem-976",
            3,
            X25519Frodo976.PUBLIC_KEY_BYTES,
            X25519Frodo976.CIPHERTEXT_BYTES,
            X25519Frodo976.ENCAPSULATION_COINS_BYTES) {
        @Override
        HybridSecretKey expand(byte[] seed) {
            return new X25519Frodo976.DecapsulationKey(seed);
        }

        @Override
        void checkPublicKey(byte[] publicKey) {
            X25519Frodo976.checkPublicKey(publicKey);
        }

        @Override
        EncapsulatedSecret encapsulate(byte[] publicKey, byte[] coins) {
            return X25519Frodo976.encapsulate(publicKey, coins);
        }
    };

    /** Bytes of the seed that a secret key is. */
    static final int SEED_BYTES = 32;

    /** Longest public key of any. */
    static final int MAX_PUBLIC_KEY_BYTES =
            Arrays.stream(values()).mapToInt(each -> each.publicKeyBytes).max().orElseThrow();

    private final String id;
    private final int secretKeyVersion;
    private final int publicKeyBytes;
    private final int ciphertextBytes;
    private final int coinsBytes;

    WrapAlgorithm(String id, int secretKeyVersion, int publicKeyBytes, int ciphertextBytes, int coinsBytes) {
        this.id = id;
        this.secretKeyVersion = secretKeyVersion;
        this.publicKeyBytes = publicKeyBytes;
        this.ciphertextBytes = ciphertextBytes;
        this.coinsBytes = coinsBytes;
    }

    /** The algorithm of an id. */
    public static Optional<WrapAlgorithm> byId(String id) {
        return Arrays.stream(values()).filter(each -> each.id.equals(id)).findFirst();
    }

    /** All ids, for people. */
    public static String ids() {
        return Arrays.stream(values()).map(WrapAlgorithm::id).collect(Collectors.joining(", "));
    }

    /** @throws IllegalArgumentException if no algorithm has public keys of that length */
    static WrapAlgorithm ofPublicKey(byte[] publicKey) {
        return Arrays.stream(values())
                .filter(each -> each.publicKeyBytes == publicKey.length)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a key to wrap for has "
                        + Arrays.stream(values())
                                .map(each -> each.publicKeyBytes + " bytes (" + each.id + ")")
                                .collect(Collectors.joining(" or "))));
    }

    /** Name of the algorithm in wraps. */
    public String id() {
        return id;
    }

    /** First byte of an encoded secret key. */
    int secretKeyVersion() {
        return secretKeyVersion;
    }

    int ciphertextBytes() {
        return ciphertextBytes;
    }

    int coinsBytes() {
        return coinsBytes;
    }

    /** The secret key of a seed of {@value #SEED_BYTES} bytes, which is copied. */
    abstract HybridSecretKey expand(byte[] seed);

    /** @throws IllegalArgumentException if it is none, as far as can be told */
    abstract void checkPublicKey(byte[] publicKey);

    /** @param coins uniform bytes that nothing else uses; erased */
    abstract EncapsulatedSecret encapsulate(byte[] publicKey, byte[] coins);
}
