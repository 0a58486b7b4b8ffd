package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.HexFormat;
import org.bouncycastle.crypto.params.MLDSAParameters;
import org.bouncycastle.crypto.params.MLDSAPublicKeyParameters;
import org.bouncycastle.crypto.signers.MLDSASigner;
import org.junit.jupiter.api.Test;

class KeysTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    @Test
    void signingKeysSurviveTheirEncoding() throws Exception {
        SigningKey key = SigningKey.generate("Presse 4 ü", RANDOM);
        SigningKey again = SigningKey.decode(key.encode());
        assertThat(again).isEqualTo(key).hasSameHashCodeAs(key);
        assertThat(again.publicKey()).isEqualTo(key.publicKey());
        byte[] signature = again.sign("bundle", new byte[] {1});
        assertThat(signature).hasSize(SenderPublicKey.SIGNATURE_BYTES);
        assertThat(key.publicKey().verify("bundle", new byte[] {1}, signature)).isTrue();
        assertThat(SigningKey.generate("Presse 4 ü", RANDOM)).isNotEqualTo(key);
    }

    @Test
    void senderPublicKeysSurviveTheirEncodingAndHaveAFingerprint() throws Exception {
        SenderPublicKey key = Samples.SENDER.publicKey();
        assertThat(SenderPublicKey.decode(key.encode())).isEqualTo(key);
        assertThat(key.fingerprint()).hasSize(64).isEqualTo(HexFormat.of().formatHex(Hashes.sha256(key.encode())));
        assertThat(SenderPublicKey.decode(key.encode()).fingerprint()).isEqualTo(key.fingerprint());
    }

    @Test
    void kemKeysSurviveTheirEncoding() throws Exception {
        KemSecretKey key = KemSecretKey.generate(RANDOM);
        assertThat(KemSecretKey.decode(key.encode())).isEqualTo(key);
        assertThat(KemPublicKey.decode(key.publicKey().bytes())).isEqualTo(key.publicKey());
        assertThat(KemSecretKey.generate(RANDOM)).isNotEqualTo(key);
    }

    @Test
    void kemPublicKeysThatAreNotReducedAreRefused() {
        byte[] bytes = Samples.TENANT.publicKey().bytes();
        bytes[0] = (byte) 0xff; // the first coefficient is 4095, beyond q = 3329
        bytes[1] |= 0x0f;
        assertThatThrownBy(() -> KemPublicKey.decode(bytes)).isInstanceOf(MalformedEncodingException.class);
    }

    @Test
    void closedKeysAreErasedAndRefuseToWork() throws Exception {
        SigningKey signing = SigningKey.generate("x", RANDOM);
        byte[] encoded = signing.encode();
        signing.close();
        assertThatThrownBy(signing::encode).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> signing.sign("x", new byte[1])).isInstanceOf(IllegalStateException.class);
        assertThat(signing).isNotEqualTo(SigningKey.decode(encoded));
        KemSecretKey kem = KemSecretKey.generate(RANDOM);
        byte[] ciphertext =
                XWing.encapsulate(kem.publicKey().bytes(), new byte[64]).ciphertext();
        kem.close();
        assertThatThrownBy(kem::encode).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> kem.decapsulate(ciphertext)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void secretsAreNeverPrinted() {
        String signing = HexFormat.of().formatHex(Samples.SENDER.encode());
        String kem = HexFormat.of().formatHex(Samples.TENANT.encode());
        assertThat(Samples.SENDER.toString()).contains("hidden").doesNotContain(signing.substring(30, 50));
        assertThat(Samples.TENANT.toString()).contains("hidden").doesNotContain(kem.substring(2, 22));
        assertThat(Samples.draft(2).toString()).doesNotContain("line").doesNotContain("press");
    }

    /** Each half is a plain signature of its standard, over the input that the format's page gives. */
    @Test
    void bothHalvesVerifyWithOtherSoftware() throws Exception {
        byte[] message = "hello".getBytes(StandardCharsets.US_ASCII);
        SenderPublicKey key = Samples.SENDER.publicKey();
        byte[] signature = Samples.SENDER.sign("envelope", message);
        byte[] input = SenderPublicKey.signatureInput(
                "envelope",
                HexFormat.of().parseHex(key.fingerprint()),
                Hashes.sha512().digest(message));
        assertThat(new String(input, StandardCharsets.ISO_8859_1))
                .startsWith("\u0014veilgate/signature/1\u0008envelope");
        assertThat(input).hasSize(21 + 9 + 32 + 64);

        Signature ed = Signature.getInstance("Ed25519");
        byte[] y = key.ed25519();
        boolean odd = (y[31] & 0x80) != 0;
        y[31] &= 0x7f;
        byte[] reversed = new byte[32];
        for (int i = 0; i < 32; i++) {
            reversed[i] = y[31 - i];
        }
        ed.initVerify(KeyFactory.getInstance("Ed25519")
                .generatePublic(new EdECPublicKeySpec(
                        NamedParameterSpec.ED25519, new EdECPoint(odd, new BigInteger(1, reversed)))));
        ed.update(input);
        assertThat(ed.verify(Arrays.copyOf(signature, 64))).isTrue();

        MLDSASigner mlDsa = new MLDSASigner();
        mlDsa.init(false, new MLDSAPublicKeyParameters(MLDSAParameters.ml_dsa_65, key.mlDsa65()));
        mlDsa.update(input, 0, input.length);
        assertThat(mlDsa.verifySignature(Arrays.copyOfRange(signature, 64, signature.length)))
                .isTrue();
    }

    @Test
    void idsAreUuidsOfVersionSevenAndNeverTheSame() {
        var first = UuidV7.make(Samples.CLOCK, RANDOM);
        var second = UuidV7.make(Samples.CLOCK, RANDOM);
        assertThat(first.version()).isEqualTo(7);
        assertThat(first.variant()).isEqualTo(2);
        assertThat(first.getMostSignificantBits() >>> 16).isEqualTo(Samples.NOW.toEpochMilli());
        assertThat(first).isNotEqualTo(second);
    }

    @Test
    void namesAreChecked() {
        assertThatThrownBy(() -> SigningKey.generate("", RANDOM)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SigningKey.generate("x".repeat(256), RANDOM))
                .isInstanceOf(IllegalArgumentException.class);
        byte[] nameless = Samples.SENDER.encode();
        byte[] bytes = new byte[66];
        bytes[0] = 1;
        System.arraycopy(nameless, nameless.length - 64, bytes, 2, 64);
        assertThatThrownBy(() -> SigningKey.decode(bytes)).isInstanceOf(MalformedEncodingException.class);
    }
}
