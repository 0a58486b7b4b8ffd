package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteWriter;
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
 * Hybrid of X25519 and FrodoKEM-976 with AES (third round, without salt):
 *
 * <pre>
 *   s || seedSE || z || skX = SHAKE256(len8(label) || "key" || seed, 96)      pk = pkF (15632) || pkX (32)
 *   ssF, ctF = FrodoKEM-976.Encaps(pkF; mu)          ctX = X25519(ekX, 9)          ssX = X25519(ekX, pkX)
 *   ss = SHA3-256(len8(label) || "secret" || ssF (24) || ssX (32) || SHA3-256(pk) || ctF (15744) || ctX (32))
 *   label = "veilgate/x25519+frodokem-976/1",        ciphertext = ctF || ctX
 * </pre>
 *
 * <p>IND-CCA secure if FrodoKEM-976 is (plain LWE, of which no structure is known), or classically if the strong
 * Diffie-Hellman problem on Curve25519 is hard: both ciphertexts and the public key are hashed into the secret (Giacon,
 * Heuer, Poettering, PKC 2018, with SHA3 as the split-key pseudorandom function). X-Wing leaves its ciphertext out, for
 * which it needs a property that is proved of ML-KEM only. Among n ciphertexts of one key the Frodo secret of some one
 * is found by 2^192 / n guesses, since there is no salt. Not authenticated: anybody can encapsulate.
 *
 * <p>Coins: mu (24 bytes), then the ephemeral X25519 key (32).
 */
@Secret
final class X25519Frodo976 {
    private static final KemParameters FRODO = KemParameters.FRODOKEM_976_AES;
    private static final int X_BYTES = 32;

    static final int PUBLIC_KEY_BYTES = FRODO.publicKeyBytes() + X_BYTES;
    static final int CIPHERTEXT_BYTES = FRODO.ciphertextBytes() + X_BYTES;
    static final int ENCAPSULATION_COINS_BYTES = FRODO.coinsBytes() + X_BYTES;

    private static final String LABEL = "veilgate/x25519+frodokem-976/1";

    private X25519Frodo976() {}

    /** A seed expanded. */
    static final class DecapsulationKey implements HybridSecretKey {
        private final dev.veilgate.pq.DecapsulationKey skF;
        private final byte[] skX;
        private final byte[] publicKey;
        private final byte[] publicKeyDigest;

        DecapsulationKey(byte[] seed) {
            byte[] input = new ByteWriter(80)
                    .shortString(LABEL)
                    .shortString("key")
                    .bytes(seed)
                    .toByteArray();
            byte[] expanded = new byte[FRODO.seedBytes() + X_BYTES];
            SHAKEDigest shake = new SHAKEDigest(256);
            shake.update(input, 0, input.length);
            shake.doFinal(expanded, 0, expanded.length);
            byte[] seedF = Arrays.copyOf(expanded, FRODO.seedBytes());
            skX = Arrays.copyOfRange(expanded, FRODO.seedBytes(), expanded.length);
            skF = PostQuantum.current().frodoKem976().key(seedF);
            publicKey = Arrays.copyOf(skF.publicKey(), PUBLIC_KEY_BYTES);
            X25519.generatePublicKey(skX, 0, publicKey, FRODO.publicKeyBytes());
            publicKeyDigest = sha3().digest(publicKey);
            Arrays.fill(input, (byte) 0);
            Arrays.fill(expanded, (byte) 0);
            Arrays.fill(seedF, (byte) 0);
        }

        @Override
        public byte[] publicKey() {
            return publicKey.clone();
        }

        @Override
        public byte[] decapsulate(byte[] ciphertext) {
            byte[] ssF = skF.decapsulate(Arrays.copyOf(ciphertext, FRODO.ciphertextBytes()));
            byte[] ssX = new byte[X_BYTES];
            X25519.scalarMult(skX, 0, ciphertext, FRODO.ciphertextBytes(), ssX, 0);
            return combineAndErase(ssF, ssX, publicKeyDigest, ciphertext);
        }

        @Override
        public void destroy() {
            skF.close();
            Arrays.fill(skX, (byte) 0);
        }
    }

    /** @throws IllegalArgumentException for a wrong length; all bytes of the right one are a key */
    static void checkPublicKey(byte[] publicKey) {
        if (publicKey.length != PUBLIC_KEY_BYTES) {
            throw new IllegalArgumentException(
                    "a public key of X25519 and FrodoKEM-976 has " + PUBLIC_KEY_BYTES + " bytes");
        }
    }

    /** @param coins 56 uniform bytes that nothing else uses; erased */
    static EncapsulatedSecret encapsulate(byte[] publicKey, byte[] coins) {
        checkPublicKey(publicKey);
        byte[] mu = Arrays.copyOf(coins, FRODO.coinsBytes());
        byte[] ekX = Arrays.copyOfRange(coins, FRODO.coinsBytes(), ENCAPSULATION_COINS_BYTES);
        EncapsulatedSecret kem =
                PostQuantum.current().frodoKem976().encapsulate(Arrays.copyOf(publicKey, FRODO.publicKeyBytes()), mu);
        byte[] ciphertext = Arrays.copyOf(kem.ciphertext(), CIPHERTEXT_BYTES);
        byte[] ssX = new byte[X_BYTES];
        X25519.generatePublicKey(ekX, 0, ciphertext, FRODO.ciphertextBytes());
        X25519.scalarMult(ekX, 0, publicKey, FRODO.publicKeyBytes(), ssX, 0);
        Arrays.fill(mu, (byte) 0);
        Arrays.fill(ekX, (byte) 0);
        Arrays.fill(coins, (byte) 0);
        byte[] secret = combineAndErase(kem.secret(), ssX, sha3().digest(publicKey), ciphertext);
        return new EncapsulatedSecret(secret, ciphertext);
    }

    private static byte[] combineAndErase(byte[] ssF, byte[] ssX, byte[] publicKeyDigest, byte[] ciphertext) {
        MessageDigest sha3 = sha3();
        sha3.update(new ByteWriter(64).shortString(LABEL).shortString("secret").toByteArray());
        sha3.update(ssF);
        sha3.update(ssX);
        sha3.update(publicKeyDigest);
        byte[] secret = sha3.digest(ciphertext);
        Arrays.fill(ssF, (byte) 0);
        Arrays.fill(ssX, (byte) 0);
        return secret;
    }

    private static MessageDigest sha3() {
        try {
            return MessageDigest.getInstance("SHA3-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA3-256", e);
        }
    }
}
