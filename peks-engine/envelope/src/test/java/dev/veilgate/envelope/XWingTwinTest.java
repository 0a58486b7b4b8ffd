package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.pq.EncapsulatedSecret;
import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.KEM;
import javax.crypto.KeyAgreement;
import org.bouncycastle.crypto.digests.SHAKEDigest;
import org.bouncycastle.pqc.crypto.xwing.XWingKEMExtractor;
import org.bouncycastle.pqc.crypto.xwing.XWingKEMGenerator;
import org.bouncycastle.pqc.crypto.xwing.XWingPrivateKeyParameters;
import org.bouncycastle.pqc.crypto.xwing.XWingPublicKeyParameters;
import org.junit.jupiter.api.Test;

/** Ours, Bouncy Castle's own X-Wing, and one made of the JDK's ML-KEM and X25519 agree. */
class XWingTwinTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int ROUNDS = 20;

    @Test
    void bouncyCastlesXWingOpensOursAndTheOtherWayRound() {
        for (int i = 0; i < ROUNDS; i++) {
            byte[] seed = bytes(32);
            XWing.DecapsulationKey ours = new XWing.DecapsulationKey(seed);
            XWingPrivateKeyParameters theirs = new XWingPrivateKeyParameters(seed);
            EncapsulatedSecret kem = XWing.encapsulate(ours.publicKey(), bytes(64));
            assertThat(new XWingKEMExtractor(theirs).extractSecret(kem.ciphertext()))
                    .isEqualTo(kem.secret());
            var back =
                    new XWingKEMGenerator(RANDOM).generateEncapsulated(new XWingPublicKeyParameters(ours.publicKey()));
            assertThat(ours.decapsulate(back.getEncapsulation())).isEqualTo(back.getSecret());
        }
    }

    @Test
    void theJdksPartsGiveTheSameSecret() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            byte[] seed = bytes(32);
            EncapsulatedSecret kem = XWing.encapsulate(new XWing.DecapsulationKey(seed).publicKey(), bytes(64));
            assertThat(jdkDecapsulate(seed, kem.ciphertext())).isEqualTo(kem.secret());
        }
    }

    private static byte[] jdkDecapsulate(byte[] seed, byte[] ciphertext) throws Exception {
        byte[] expanded = new byte[96];
        SHAKEDigest shake = new SHAKEDigest(256);
        shake.update(seed, 0, 32);
        shake.doFinal(expanded, 0, 96);
        KeyPairGenerator generator = KeyPairGenerator.getInstance("ML-KEM-768");
        generator.initialize(NamedParameterSpec.ML_KEM_768, new Fixed(Arrays.copyOf(expanded, 64)));
        KeyPair pair = generator.generateKeyPair();
        byte[] ssM = KEM.getInstance("ML-KEM")
                .newDecapsulator(pair.getPrivate())
                .decapsulate(Arrays.copyOf(ciphertext, 1088))
                .getEncoded();
        byte[] skX = Arrays.copyOfRange(expanded, 64, 96);
        byte[] ctX = Arrays.copyOfRange(ciphertext, 1088, 1120);
        byte[] nine = new byte[32];
        nine[0] = 9;
        MessageDigest sha3 = MessageDigest.getInstance("SHA3-256");
        sha3.update(ssM);
        sha3.update(x25519(skX, ctX));
        sha3.update(ctX);
        sha3.update(x25519(skX, nine));
        return sha3.digest(HexFormat.of().parseHex("5c2e2f2f5e5c"));
    }

    private static byte[] x25519(byte[] scalar, byte[] point) throws Exception {
        KeyFactory factory = KeyFactory.getInstance("X25519");
        byte[] reversed = new byte[32];
        for (int i = 0; i < 32; i++) {
            reversed[i] = point[31 - i];
        }
        reversed[0] &= 0x7f;
        PublicKey peer =
                factory.generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, new BigInteger(1, reversed)));
        KeyAgreement agreement = KeyAgreement.getInstance("X25519");
        agreement.init(factory.generatePrivate(new XECPrivateKeySpec(NamedParameterSpec.X25519, scalar)));
        agreement.doPhase(peer, true);
        return agreement.generateSecret();
    }

    /** Gives out what ML-KEM key generation draws. */
    private static final class Fixed extends SecureRandom {
        private static final long serialVersionUID = 1L;

        private final byte[] coins;
        private int at;

        Fixed(byte[] coins) {
            super(null, null);
            this.coins = coins;
        }

        @Override
        public void nextBytes(byte[] out) {
            System.arraycopy(coins, at, out, 0, out.length);
            at += out.length;
        }
    }

    @Test
    void anAlteredCiphertextGivesAnotherSecretAndNoError() {
        XWing.DecapsulationKey key = new XWing.DecapsulationKey(bytes(32));
        EncapsulatedSecret kem = XWing.encapsulate(key.publicKey(), bytes(64));
        for (int at : new int[] {0, 1087, 1088, 1110}) {
            byte[] altered = kem.ciphertext().clone();
            altered[at] ^= 1;
            assertThat(key.decapsulate(altered)).isNotEqualTo(kem.secret());
        }
    }

    @Test
    void publicKeysThatAreNotReducedAreRefused() {
        byte[] key = new XWing.DecapsulationKey(bytes(32)).publicKey();
        key[0] = key[1] = key[2] = -1;
        assertThatThrownBy(() -> XWing.checkPublicKey(key)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> KemPublicKey.decode(key)).hasMessageContaining("kem-public-key");
        assertThatThrownBy(() -> KemPublicKey.decode(new byte[1215])).hasMessageContaining("kem-public-key");
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}
