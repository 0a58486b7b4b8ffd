package dev.veilgate.abe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Readers with a server's help, and readers who delegate, at the door. */
class AttributeOutsourcingTest {
    private static final String POLICY = "role:auditor AND site:plant-7";
    private static final String AUDITOR = "role:auditor, site:plant-7";
    private static final SplittableRandom RANDOM =
            TestSeed.of(AttributeOutsourcingTest.class).random("bytes");

    static List<AttributeKem> all() {
        return AttributeKems.all();
    }

    private static AttributeBlindedKey blinded(AttributeKem kem, String attributes) throws Exception {
        AttributeSecretKey key = AuthoritiesUnderTest.key(kem, POLICY, attributes);
        return kem.blind(key, AuthoritiesUnderTest.frozen(kem.id() + "/blind/" + attributes));
    }

    @ParameterizedTest
    @MethodSource("all")
    void serverAndReaderFindTheSecret(AttributeKem kem) throws Exception {
        AttributePublicKey publicKey = AuthoritiesUnderTest.of(kem).publicKey();
        AttributeBlindedKey blinded = blinded(kem, AUDITOR);
        AttributeTransformKey server =
                AttributeTransformKey.decode(blinded.transformKey().encode());
        AttributeRetrievalKey reader =
                AttributeRetrievalKey.decode(blinded.retrievalKey().encode());
        assertThat(server).isEqualTo(blinded.transformKey()).hasSameHashCodeAs(blinded.transformKey());
        assertThat(server.label()).isEqualTo(AuthoritiesUnderTest.ofKey(kem, POLICY, AUDITOR));
        assertThat(reader).isEqualTo(blinded.retrievalKey()).hasSameHashCodeAs(blinded.retrievalKey());
        assertThat(reader.publicKeyId()).isEqualTo(publicKey.id()).isEqualTo(server.publicKeyId());

        Encapsulation sent = AuthoritiesUnderTest.sent(kem, POLICY, AUDITOR);
        byte[] answer = kem.transform(server, sent.ciphertext());
        assertThat(answer).hasSize(576);
        assertThat(kem.decapsulate(publicKey, reader, answer, sent.ciphertext()))
                .isEqualTo(sent.secret());
    }

    @ParameterizedTest
    @MethodSource("all")
    void wrongAnswersAndChangedCiphertextsAreRefused(AttributeKem kem) throws Exception {
        AttributeKeys keys = AuthoritiesUnderTest.of(kem);
        AttributePublicKey publicKey = keys.publicKey();
        AttributeBlindedKey blinded = blinded(kem, AUDITOR);
        AttributeRetrievalKey reader = blinded.retrievalKey();
        byte[] sent = AuthoritiesUnderTest.sent(kem, POLICY, AUDITOR).ciphertext();
        byte[] other = kem.encapsulate(
                        publicKey,
                        AuthoritiesUnderTest.ofCiphertext(kem, POLICY, AUDITOR),
                        AuthoritiesUnderTest.frozen("other"))
                .ciphertext();
        byte[] answer = kem.transform(blinded.transformKey(), sent);
        byte[] wrong = kem.transform(blinded.transformKey(), other);
        assertThatThrownBy(() -> kem.decapsulate(publicKey, reader, wrong, sent))
                .isInstanceOf(RefusedCiphertextException.class);
        byte[] changed = sent.clone();
        changed[3 + kem.id().length()] ^= 1; // c2
        assertThatThrownBy(() -> kem.decapsulate(publicKey, reader, answer, changed))
                .isInstanceOf(RefusedCiphertextException.class);
        AttributeRetrievalKey another = kem.blind(
                        AuthoritiesUnderTest.key(kem, POLICY, AUDITOR), AuthoritiesUnderTest.frozen("another"))
                .retrievalKey();
        assertThatThrownBy(() -> kem.decapsulate(publicKey, another, answer, sent))
                .isInstanceOf(RefusedCiphertextException.class);
        for (byte[] bytes :
                List.of(new byte[0], new byte[576], Arrays.copyOf(answer, 575), Arrays.copyOf(answer, 577))) {
            assertThatThrownBy(() -> kem.decapsulate(publicKey, reader, bytes, sent))
                    .isInstanceOf(MalformedEncodingException.class);
        }
        AttributePublicKey foreign = AuthoritiesUnderTest.of(kem, "foreign").publicKey();
        assertThatIllegalArgumentException().isThrownBy(() -> kem.decapsulate(foreign, reader, answer, sent));
        reader.close();
        assertThatIllegalStateException().isThrownBy(() -> kem.decapsulate(publicKey, reader, answer, sent));
    }

    @ParameterizedTest
    @MethodSource("all")
    void serverSaysWhatIsLacking(AttributeKem kem) throws Exception {
        AttributeTransformKey server = blinded(kem, "role:auditor").transformKey();
        byte[] sent = AuthoritiesUnderTest.sent(kem, POLICY, "role:auditor").ciphertext();
        assertThatThrownBy(() -> kem.transform(server, sent))
                .isInstanceOf(UnsatisfiedPolicyException.class)
                .hasMessageContaining("site:plant-7");
    }

    @ParameterizedTest
    @MethodSource("all")
    void damagedKeysAreRefusedOrCanonicalAndNoneIsTakenForAnother(AttributeKem kem) throws Exception {
        AttributeBlindedKey blinded = blinded(kem, AUDITOR);
        byte[] transformKey = blinded.transformKey().encode();
        byte[] retrievalKey = blinded.retrievalKey().encode();
        byte[] secretKey = AuthoritiesUnderTest.key(kem, POLICY, AUDITOR).encode();
        for (int i = 0; i < 30; i++) {
            byte[] bytes = damaged(transformKey);
            try {
                assertThat(AttributeTransformKey.decode(bytes).encode()).isEqualTo(bytes);
            } catch (MalformedEncodingException e) {
                assertThat(e).hasMessageContaining(":");
            }
            byte[] other = damaged(retrievalKey);
            try {
                assertThat(AttributeRetrievalKey.decode(other).encode()).isEqualTo(other);
            } catch (MalformedEncodingException e) {
                assertThat(e).hasMessageContaining(":");
            }
        }
        for (byte[] wrong : List.of(secretKey, retrievalKey, Arrays.copyOf(transformKey, transformKey.length + 1))) {
            assertThatThrownBy(() -> AttributeTransformKey.decode(wrong))
                    .isInstanceOf(MalformedEncodingException.class);
        }
        for (byte[] wrong : List.of(secretKey, transformKey, Arrays.copyOf(retrievalKey, retrievalKey.length + 1))) {
            assertThatThrownBy(() -> AttributeRetrievalKey.decode(wrong))
                    .isInstanceOf(MalformedEncodingException.class);
        }
        assertThatThrownBy(() -> AttributeSecretKey.decode(transformKey))
                .isInstanceOf(MalformedEncodingException.class);
    }

    private static byte[] damaged(byte[] valid) {
        if (RANDOM.nextInt(3) == 0) {
            return Arrays.copyOf(valid, RANDOM.nextInt(valid.length));
        }
        byte[] bytes = valid.clone();
        bytes[RANDOM.nextInt(Math.min(bytes.length, 60))] ^= (byte) (1 << RANDOM.nextInt(8));
        return bytes;
    }

    @ParameterizedTest
    @MethodSource("all")
    void delegatesWhereTheSchemeCan(AttributeKem kem) throws Exception {
        AttributePublicKey publicKey = AuthoritiesUnderTest.of(kem).publicKey();
        AttributeSecretKey key = AuthoritiesUnderTest.key(kem, POLICY, AUDITOR);
        Label less = AuthoritiesUnderTest.ofKey(kem, "role:auditor", "role:auditor");
        assertThat(kem.canDelegate()).isEqualTo(kem.id().equals("cp-bsw07"));
        if (!kem.canDelegate()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> kem.delegate(publicKey, key, less, AuthoritiesUnderTest.frozen("delegate")))
                    .withMessage("keys of " + kem.id() + " cannot be delegated");
        }
    }

    @Test
    void delegatedKeysOpenWhatTheirAttributesAllow() throws Exception {
        AttributeKem kem = AttributeKems.byId("cp-bsw07");
        AttributePublicKey publicKey = AuthoritiesUnderTest.of(kem).publicKey();
        AttributeSecretKey key = AuthoritiesUnderTest.key(kem, POLICY, AUDITOR);
        AttributeSecretKey child = AttributeSecretKey.decode(
                kem.delegate(publicKey, key, Label.attributes("role:auditor"), AuthoritiesUnderTest.frozen("delegate"))
                        .encode());
        assertThat(child.label()).isEqualTo(Label.attributes("role:auditor"));
        Encapsulation sent = AuthoritiesUnderTest.sent(kem, "role:auditor", AUDITOR);
        assertThat(kem.decapsulate(publicKey, child, sent.ciphertext())).isEqualTo(sent.secret());
        byte[] both = AuthoritiesUnderTest.sent(kem, POLICY, AUDITOR).ciphertext();
        assertThatThrownBy(() -> kem.decapsulate(publicKey, child, both))
                .isInstanceOf(UnsatisfiedPolicyException.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> kem.delegate(
                        publicKey, child, Label.attributes(AUDITOR), AuthoritiesUnderTest.frozen("delegate")));
        AttributePublicKey foreign = AuthoritiesUnderTest.of(kem, "foreign").publicKey();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> kem.delegate(
                        foreign, key, Label.attributes("role:auditor"), AuthoritiesUnderTest.frozen("delegate")));
    }
}
