package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.pq.EncapsulatedSecret;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.KeyAgreement;
import org.bouncycastle.crypto.digests.SHAKEDigest;
import org.bouncycastle.crypto.generators.FrodoKEMKeyPairGenerator;
import org.bouncycastle.crypto.kems.FrodoKEMExtractor;
import org.bouncycastle.crypto.params.FrodoKEMKeyGenerationParameters;
import org.bouncycastle.crypto.params.FrodoKEMParameters;
import org.bouncycastle.crypto.params.FrodoKEMPrivateKeyParameters;
import org.junit.jupiter.api.Test;

/**
 * The hybrid of X25519 and FrodoKEM-976 against the text of docs/wire-format.md, computed a second time by other code.
 */
class X25519Frodo976Test {
    private static final int FRODO_CIPHERTEXT = 15_744;

    private static byte[] repeated(int value, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static byte[] cat(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return cat(new byte[] {(byte) bytes.length}, bytes);
    }

    /** The shared secret as the owner of a seed computes it, by Bouncy Castle's FrodoKEM and the JDK's X25519. */
    private static byte[] secretOfTheText(byte[] seed, byte[] publicKey, byte[] ciphertext) throws Exception {
        byte[] label = text("veilgate/x25519+frodokem-976/1");
        byte[] input = cat(label, text("key"), seed);
        byte[] expanded = new byte[96];
        SHAKEDigest shake = new SHAKEDigest(256);
        shake.update(input, 0, input.length);
        shake.doFinal(expanded, 0, 96);

        FrodoKEMKeyPairGenerator generator = new FrodoKEMKeyPairGenerator();
        generator.init(new FrodoKEMKeyGenerationParameters(
                new SecureRandom() {
                    @Override
                    public void nextBytes(byte[] bytes) {
                        System.arraycopy(expanded, 0, bytes, 0, bytes.length);
                    }
                },
                FrodoKEMParameters.efrodokem976aes));
        var pair = generator.generateKeyPair();
        byte[] ssF = new FrodoKEMExtractor((FrodoKEMPrivateKeyParameters) pair.getPrivate())
                .extractSecret(Arrays.copyOf(ciphertext, FRODO_CIPHERTEXT));

        byte[] skX = Arrays.copyOfRange(expanded, 64, 96);
        byte[] ctX = Arrays.copyOfRange(ciphertext, FRODO_CIPHERTEXT, ciphertext.length);
        KeyFactory keys = KeyFactory.getInstance("X25519");
        KeyAgreement agreement = KeyAgreement.getInstance("X25519");
        agreement.init(keys.generatePrivate(new XECPrivateKeySpec(NamedParameterSpec.X25519, skX)));
        agreement.doPhase(
                keys.generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, littleEndian(ctX))), true);
        byte[] ssX = agreement.generateSecret();

        MessageDigest sha3 = MessageDigest.getInstance("SHA3-256");
        byte[] digest = sha3.digest(publicKey);
        return sha3.digest(cat(label, text("secret"), ssF, ssX, digest, ciphertext));
    }

    private static BigInteger littleEndian(byte[] bytes) {
        byte[] reversed = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            reversed[i] = bytes[bytes.length - 1 - i];
        }
        reversed[0] &= 0x7f;
        return new BigInteger(1, reversed);
    }

    @Test
    void computesWhatTheTextSaysAndTheSameForEver() throws Exception {
        byte[] seed = repeated(1, 32);
        X25519Frodo976.DecapsulationKey key = new X25519Frodo976.DecapsulationKey(seed);
        byte[] publicKey = key.publicKey();
        EncapsulatedSecret kem = X25519Frodo976.encapsulate(publicKey, repeated(2, 56));
        assertThat(publicKey).hasSize(15_664);
        assertThat(kem.ciphertext()).hasSize(15_776);
        assertThat(key.decapsulate(kem.ciphertext()))
                .isEqualTo(kem.secret())
                .isEqualTo(secretOfTheText(seed, publicKey, kem.ciphertext()));
        HexFormat hex = HexFormat.of();
        assertThat(List.of(
                        hex.formatHex(Hashes.sha256(publicKey)),
                        hex.formatHex(Hashes.sha256(kem.ciphertext())),
                        hex.formatHex(kem.secret())))
                .containsExactly(
                        "42dbc1aebdfbbfca47b685c115072a21678f3babbb9c9a81e7c2cfd6d456ecfb",
                        "1bdd1ea04ce6fbfbf2d5d2ab173571dfb2c471d0535a05164b1d6b062f2173e2",
                        "f575175fb53419a03f1806e4e6f091eba6d709d260deeb92687e333fb65d8ad0");
        key.destroy();
    }

    /** Neither half alone decides: a change of any part changes the secret. */
    @Test
    void everyBitOfTheCiphertextCounts() {
        X25519Frodo976.DecapsulationKey key = new X25519Frodo976.DecapsulationKey(repeated(3, 32));
        EncapsulatedSecret kem = X25519Frodo976.encapsulate(key.publicKey(), repeated(4, 56));
        for (int at : new int[] {0, 7_000, FRODO_CIPHERTEXT - 1, FRODO_CIPHERTEXT, FRODO_CIPHERTEXT + 31}) {
            byte[] changed = kem.ciphertext().clone();
            changed[at] ^= (byte) 0x80; // of the last byte the bit that X25519 ignores
            assertThat(key.decapsulate(changed)).as("byte %d", at).isNotEqualTo(kem.secret());
        }
        key.destroy();
    }

    @Test
    void keysSayTheirAlgorithmAndAreReadBack() throws Exception {
        KemSecretKey frodo = KemSecretKey.generate(WrapAlgorithm.X25519_FRODOKEM_976, new SecureRandom());
        KemSecretKey wing = KemSecretKey.generate(new SecureRandom());
        assertThat(frodo.encode()).hasSize(33).startsWith(3);
        assertThat(wing.encode()).hasSize(33).startsWith(1);
        for (KemSecretKey key : new KemSecretKey[] {frodo, wing}) {
            KemSecretKey read = KemSecretKey.decode(key.encode());
            assertThat(read).isEqualTo(key);
            assertThat(read.algorithm()).isEqualTo(key.algorithm());
            assertThat(read.publicKey()).isEqualTo(key.publicKey());
            assertThat(KemPublicKey.decode(key.publicKey().bytes()).algorithm()).isEqualTo(key.algorithm());
        }
        byte[] unknown = frodo.encode();
        unknown[0] = 2; // readers' secret by epoch, which is no key
        assertThatThrownBy(() -> KemSecretKey.decode(unknown))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("update the software");
        assertThatThrownBy(() -> KemPublicKey.decode(new byte[15_663])).hasMessageContaining("kem-public-key");
    }

    @Test
    void notesAreForKeysOfXWingAlone() {
        KemPublicKey frodo = KemSecretKey.generate(WrapAlgorithm.X25519_FRODOKEM_976, new SecureRandom())
                .publicKey();
        assertThatThrownBy(() -> SealedNote.seal(frodo, "label", new byte[0], new byte[1], new SecureRandom()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
