package dev.veilgate.abe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AttributeKemTest {
    private static final String POLICY = "(role:auditor AND site:plant-7 AND clearance >= 3) OR role:dpo";
    private static final String AUDITOR = "role:auditor, site:plant-7, clearance = 5";
    private static final String CLERK = "role:clerk, site:plant-7, clearance = 2";

    static List<AttributeKem> all() {
        return AttributeKems.all();
    }

    private static byte[] opened(AttributeKem kem, AttributeSecretKey key, Encapsulation sent) throws Exception {
        return kem.decapsulate(AuthoritiesUnderTest.of(kem).publicKey(), key, sent.ciphertext());
    }

    @ParameterizedTest
    @MethodSource("all")
    void opensForTheRightKeysAndForNoOther(AttributeKem kem) throws Exception {
        for (String reader : List.of(AUDITOR, "role:dpo")) {
            Encapsulation sent = AuthoritiesUnderTest.sent(kem, POLICY, reader);
            assertThat(sent.secret()).hasSize(32);
            assertThat(opened(kem, AuthoritiesUnderTest.key(kem, POLICY, reader), sent))
                    .isEqualTo(sent.secret());
        }
        Encapsulation sent = AuthoritiesUnderTest.sent(kem, POLICY, CLERK);
        AttributeSecretKey clerk = AuthoritiesUnderTest.key(kem, POLICY, CLERK);
        UnsatisfiedPolicyException refusal =
                catchThrowableOfType(UnsatisfiedPolicyException.class, () -> opened(kem, clerk, sent));
        assertThat(refusal.policy()).isEqualTo(Policy.parse(POLICY));
        assertThat(refusal.lacking())
                .map(Policy::toString)
                .containsExactly("role:auditor", "clearance >= 3", "role:dpo");
        assertThat(refusal)
                .hasMessage(
                        "the policy ((role:auditor AND site:plant-7 AND clearance >= 3) OR role:dpo) is not satisfied;"
                                + " not there: role:auditor, clearance >= 3, role:dpo");
    }

    @ParameterizedTest
    @MethodSource("all")
    void keysAndCiphertextsAreReadBack(AttributeKem kem) throws Exception {
        AttributeKeys keys = AuthoritiesUnderTest.of(kem);
        AttributeSecretKey key = AuthoritiesUnderTest.key(kem, POLICY, AUDITOR);
        AttributePublicKey publicKey =
                AttributePublicKey.decode(keys.publicKey().encode());
        AttributeMasterKey masterKey =
                AttributeMasterKey.decode(keys.masterKey().encode());
        AttributeSecretKey readKey = AttributeSecretKey.decode(key.encode());
        assertThat(publicKey).isEqualTo(keys.publicKey()).hasSameHashCodeAs(keys.publicKey());
        assertThat(publicKey.id()).isEqualTo(KeyId.ofPublicKey(publicKey.encode()));
        assertThat(masterKey).isEqualTo(keys.masterKey());
        assertThat(masterKey.publicKeyId()).isEqualTo(publicKey.id());
        assertThat(readKey).isEqualTo(key).hasSameHashCodeAs(key);
        assertThat(readKey.label()).isEqualTo(AuthoritiesUnderTest.ofKey(kem, POLICY, AUDITOR));

        Encapsulation sent = AuthoritiesUnderTest.sent(kem, POLICY, AUDITOR);
        assertThat(kem.decapsulate(publicKey, readKey, sent.ciphertext())).isEqualTo(sent.secret());
        assertThat(kem.labelOf(sent.ciphertext())).isEqualTo(AuthoritiesUnderTest.ofCiphertext(kem, POLICY, AUDITOR));
        assertThat(AttributeKems.ofCiphertext(sent.ciphertext())).isSameAs(kem);
        assertThat(AttributeKems.byId(kem.id())).isSameAs(kem);
        Label label = AuthoritiesUnderTest.ofKey(kem, POLICY, AUDITOR);
        assertThat(opened(kem, kem.keyGen(masterKey, publicKey, label, new SecureRandom()), sent))
                .isEqualTo(sent.secret());
    }

    @ParameterizedTest
    @MethodSource("all")
    void keysOfAnEpochOpenWhatIsSealedInIt(AttributeKem kem) throws Exception {
        AttributeKeys keys = AuthoritiesUnderTest.of(kem);
        String policy = "site:plant-7 AND clearance >= 3";
        Label onRecord = AuthoritiesUnderTest.ofKey(kem, policy, AUDITOR);
        SecureRandom random = AuthoritiesUnderTest.frozen("epochs");
        AttributeSecretKey november = kem.keyGen(keys.masterKey(), keys.publicKey(), onRecord.in("2026-11"), random);
        AttributeSecretKey december = kem.keyGen(keys.masterKey(), keys.publicKey(), onRecord.in("2026-12"), random);
        Label sealed = AuthoritiesUnderTest.ofCiphertext(kem, policy, AUDITOR).in("2026-12");
        Encapsulation sent = kem.encapsulate(keys.publicKey(), sealed, random);
        assertThat(opened(kem, december, sent)).isEqualTo(sent.secret());
        assertThatThrownBy(() -> opened(kem, november, sent)).isInstanceOf(UnsatisfiedPolicyException.class);
        assertThat(november.label().in("2026-12"))
                .as("parts that have an epoch keep it")
                .isEqualTo(november.label());
    }

    @ParameterizedTest
    @MethodSource("all")
    void destroyedKeysAreOfNoUse(AttributeKem kem) throws Exception {
        AttributeKeys keys = AuthoritiesUnderTest.of(kem);
        AttributeSecretKey key = AttributeSecretKey.decode(
                AuthoritiesUnderTest.key(kem, POLICY, AUDITOR).encode());
        AttributeMasterKey masterKey =
                AttributeMasterKey.decode(keys.masterKey().encode());
        Encapsulation sent = AuthoritiesUnderTest.sent(kem, POLICY, AUDITOR);
        key.close();
        masterKey.close();
        key.close();
        assertThatIllegalStateException().isThrownBy(() -> opened(kem, key, sent));
        assertThatIllegalStateException().isThrownBy(key::encode);
        assertThatIllegalStateException().isThrownBy(masterKey::encode);
        var itself = key;
        assertThat(key).isEqualTo(itself).isNotEqualTo(AuthoritiesUnderTest.key(kem, POLICY, AUDITOR));
        assertThat(masterKey).isNotEqualTo(keys.masterKey());
    }

    @ParameterizedTest
    @MethodSource("all")
    void mixedKeysAreTheCallersFault(AttributeKem kem) throws Exception {
        AttributeKeys keys = AuthoritiesUnderTest.of(kem);
        AttributeKeys others = AuthoritiesUnderTest.of(kem, "another authority");
        AttributeKem otherKem =
                AttributeKems.all().stream().filter(k -> k != kem).findFirst().orElseThrow();
        AttributeKeys ofOtherKem = AuthoritiesUnderTest.of(otherKem);
        Label label = AuthoritiesUnderTest.ofKey(kem, POLICY, AUDITOR);
        Label wrongKind = kem.keysHavePolicies() ? Label.attributes(AUDITOR) : Label.policy(POLICY);
        SecureRandom random = new SecureRandom();
        AttributeSecretKey key = AuthoritiesUnderTest.key(kem, POLICY, AUDITOR);
        byte[] sent = AuthoritiesUnderTest.sent(kem, POLICY, AUDITOR).ciphertext();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> kem.keyGen(keys.masterKey(), others.publicKey(), label, random));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> kem.keyGen(ofOtherKem.masterKey(), keys.publicKey(), label, random));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> kem.keyGen(keys.masterKey(), keys.publicKey(), wrongKind, random));
        assertThatIllegalArgumentException().isThrownBy(() -> kem.encapsulate(keys.publicKey(), label, random));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> kem.encapsulate(ofOtherKem.publicKey(), wrongKind, random));
        assertThatIllegalArgumentException().isThrownBy(() -> kem.decapsulate(others.publicKey(), key, sent));
        assertThatThrownBy(() -> otherKem.labelOf(sent))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("must be " + otherKem.id());
    }

    @Test
    void defaultHasPoliciesInCiphertexts() throws MalformedEncodingException {
        assertThat(AttributeKems.byDefault().id())
                .isEqualTo(AttributeKems.DEFAULT_ID)
                .isEqualTo("cp-fabeo22");
        assertThat(AttributeKems.byDefault().keysHavePolicies()).isFalse();
        assertThat(AttributeKems.all()).extracting(AttributeKem::id).doesNotHaveDuplicates();
        assertThatThrownBy(() -> AttributeKems.byId("cp-none99"))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("cp-fabeo22");
    }

    @Test
    void secretsAreNotPrinted() throws Exception {
        AttributeKem kem = AttributeKems.byDefault();
        assertThat(AuthoritiesUnderTest.of(kem).masterKey().toString())
                .startsWith("AttributeMasterKey[hidden, cp-fabeo22, ");
        assertThat(AuthoritiesUnderTest.key(kem, POLICY, "a:x").toString())
                .startsWith("AttributeSecretKey[hidden, cp-fabeo22, ")
                .endsWith(", a:x]");
        assertThat(AuthoritiesUnderTest.sent(kem, "a:x", "a:x").toString()).matches("Encapsulation\\[\\d+ bytes]");
    }

    @Test
    void labelsHaveOneEncoding() throws Exception {
        for (Label label : List.of(Label.policy(POLICY), Label.attributes(AUDITOR))) {
            assertThat(Label.decode(label.encode())).isEqualTo(label);
            assertThat(label.in("2026-11"))
                    .isNotEqualTo(label)
                    .isEqualTo(label.in("2026-11").in("2026-12"));
        }
        assertThat(Label.policy("a:x").encode()).startsWith(1);
        assertThat(Label.attributes("a:x").encode()).startsWith(2);
        assertThat(Label.policy("a:x OR b >= 3")).hasToString("(a:x OR b >= 3)");
        assertThat(Label.attributes("b = 3, a:x")).hasToString("a:x, b = 3");
        byte[] trailing = Arrays.copyOf(Label.policy("a:x").encode(), 100);
        assertThatThrownBy(() -> Label.decode(trailing)).isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> Label.decode(new byte[] {3})).isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> Label.decode(new byte[0])).isInstanceOf(MalformedEncodingException.class);
    }

    @ParameterizedTest
    @MethodSource("all")
    void theSizeOfACiphertextIsKnownBefore(AttributeKem kem) throws Exception {
        for (String policy : List.of("a:x", "a:x AND (b >= 3 OR a:x@2026-11) AND 2 of (c:z, d:z, a:x)")) {
            Label label = AuthoritiesUnderTest.ofCiphertext(kem, policy, "a:x, b = 3, c:Z\u00fcrich");
            int bytes = kem.encapsulate(AuthoritiesUnderTest.of(kem).publicKey(), label, new SecureRandom())
                    .ciphertext()
                    .length;
            assertThat(kem.ciphertextBytes(label)).isEqualTo(bytes);
        }
    }

    @Test
    void whatIsLackingIsNamedBriefly() throws Exception {
        String many = IntStream.range(0, 200).mapToObj(i -> "team:number-" + i).collect(Collectors.joining(" AND "));
        UnsatisfiedPolicyException refusal =
                new UnsatisfiedPolicyException(Policy.parse(many), AttributeSet.parse("team:number-0"));
        assertThat(refusal.getMessage()).hasSizeLessThan(1000).contains("team:number-8 and 191 more");
        assertThat(refusal.lacking()).hasSize(199);
    }
}
