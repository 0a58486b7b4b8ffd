package dev.veilgate.envelope;

import dev.veilgate.pq.EncapsulatedSecret;
import dev.veilgate.pq.KemParameters;
import dev.veilgate.pq.PostQuantum;
import dev.veilgate.secret.Secret;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.bouncycastle.crypto.digests.SHAKEDigest;
import org.bouncycastle.math.ec.rfc7748.X25519;

/**
 * X-Wing, the hybrid of X25519 and ML-KEM-768:
 *
 * <pre>
 *   d || z || skX = SHAKE256(seed, 96)              pk = pkM (1184) || pkX (32)
 *   ssM, ctM = ML-KEM-768.Encaps(pkM)               ctX = X25519(ekX, 9)      ssX = X25519(ekX, pkX)
 *   ss = SHA3-256(ssM || ssX || ctX || pkX || label)        label = 5c 2e 2f 2f 5e 5c
 * </pre>
 *
 * <p>IND-CCA secure if ML-KEM-768 is, or classically if the strong Diffie-Hellman problem on Curve25519 is hard. Not
 * authenticated: anybody can encapsulate.
 *
 * <p>Source: draft-connolly-cfrg-xwing-kem. X25519 is Bouncy Castle's, without the JCA around it: keys come from
 * seeds, and what is secret stays in arrays that can be erased. ML-KEM is of {@link PostQuantum#current}.
 */
@Secret
final class XWing {
    static final int PUBLIC_KEY_BYTES = 1216;
    static final int CIPHERTEXT_BYTES = 1120;
    /** m of ML-KEM, then the ephemeral X25519 key. */
    static final int ENCAPSULATION_COINS_BYTES = 64;

    private static final int PK_M_BYTES = KemParameters.ML_KEM_768.publicKeyBytes();
    private static final int CT_M_BYTES = KemParameters.ML_KEM_768.ciphertextBytes();
    private static final int X_BYTES = 32;
    private static final byte[] LABEL = {0x5c, 0x2e, 0x2f, 0x2f, 0x5e, 0x5c};

    private XWing() {}

    /** A seed expanded. */
    static final class DecapsulationKey implements HybridSecretKey {
        private final dev.veilgate.pq.DecapsulationKey skM;
        private final byte[] skX = new byte[X_BYTES];
        private final byte[] pkX = new byte[X_BYTES];

        DecapsulationKey(byte[] seed) {
            byte[] expanded = new byte[96];
            SHAKEDigest shake = new SHAKEDigest(256);
            shake.update(seed, 0, WrapAlgorithm.SEED_BYTES);
            shake.doFinal(expanded, 0, expanded.length);
            byte[] seedM = Arrays.copyOf(expanded, KemParameters.ML_KEM_768.seedBytes());
            skM = PostQuantum.current().mlKem768().key(seedM);
            Arrays.fill(seedM, (byte) 0);
            System.arraycopy(expanded, 64, skX, 0, X_BYTES);
            X25519.generatePublicKey(skX, 0, pkX, 0);
            Arrays.fill(expanded, (byte) 0);
        }

        @Override
        public byte[] publicKey() {
            byte[] pk = Arrays.copyOf(skM.publicKey(), PUBLIC_KEY_BYTES);
            System.arraycopy(pkX, 0, pk, PK_M_BYTES, X_BYTES);
            return pk;
        }

        @Override
        public byte[] decapsulate(byte[] ciphertext) {
            byte[] ctM = Arrays.copyOf(ciphertext, CT_M_BYTES);
            byte[] ctX = Arrays.copyOfRange(ciphertext, CT_M_BYTES, CIPHERTEXT_BYTES);
            byte[] ssM = skM.decapsulate(ctM);
            byte[] ssX = new byte[X_BYTES];
            X25519.scalarMult(skX, 0, ctX, 0, ssX, 0);
            return combineAndErase(ssM, ssX, ctX, pkX);
        }

        @Override
        public void destroy() {
            skM.close();
            Arrays.fill(skX, (byte) 0);
        }
    }

    /**
     * @throws IllegalArgumentException for a wrong length, or an ML-KEM part that is not reduced (FIPS 203, section
     * 7.2)
     */
    static void checkPublicKey(byte[] publicKey) {
        PostQuantum.current().mlKem768().checkPublicKey(mlKemPart(publicKey));
    }

    /** @param coins 64 uniform bytes that nothing else uses; erased */
    static EncapsulatedSecret encapsulate(byte[] publicKey, byte[] coins) {
        byte[] pkX = Arrays.copyOfRange(publicKey, PK_M_BYTES, PUBLIC_KEY_BYTES);
        byte[] m = Arrays.copyOf(coins, 32);
        byte[] ekX = Arrays.copyOfRange(coins, 32, ENCAPSULATION_COINS_BYTES);
        EncapsulatedSecret kem = PostQuantum.current().mlKem768().encapsulate(mlKemPart(publicKey), m);
        byte[] ctX = new byte[X_BYTES];
        byte[] ssX = new byte[X_BYTES];
        X25519.generatePublicKey(ekX, 0, ctX, 0);
        X25519.scalarMult(ekX, 0, pkX, 0, ssX, 0);
        byte[] ciphertext = Arrays.copyOf(kem.ciphertext(), CIPHERTEXT_BYTES);
        System.arraycopy(ctX, 0, ciphertext, CT_M_BYTES, X_BYTES);
        byte[] secret = combineAndErase(kem.secret(), ssX, ctX, pkX);
        Arrays.fill(m, (byte) 0);
        Arrays.fill(ekX, (byte) 0);
        Arrays.fill(coins, (byte) 0);
        return new EncapsulatedSecret(secret, ciphertext);
    }

    private static byte[] mlKemPart(byte[] publicKey) {
        if (publicKey.length != PUBLIC_KEY_BYTES) {
            throw new IllegalArgumentException("an X-Wing public key has " + PUBLIC_KEY_BYTES + " bytes");
        }
        return Arrays.copyOf(publicKey, PK_M_BYTES);
    }

    private static byte[] combineAndErase(byte[] ssM, byte[] ssX, byte[] ctX, byte[] pkX) {
        try {
            MessageDigest sha3 = MessageDigest.getInstance("SHA3-256");
            sha3.update(ssM);
            sha3.update(ssX);
            sha3.update(ctX);
            sha3.update(pkX);
            return sha3.digest(LABEL);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA3-256", e);
        } finally {
            Arrays.fill(ssM, (byte) 0);
            Arrays.fill(ssX, (byte) 0);
        }
    }
}
