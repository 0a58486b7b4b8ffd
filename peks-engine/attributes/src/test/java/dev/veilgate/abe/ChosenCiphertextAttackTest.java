package dev.veilgate.abe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever changes a ciphertext, anywhere, gets no answer that depends on the secret; neither does one that was made for another authority. */
class ChosenCiphertextAttackTest {
    private static final String POLICY = "a:x AND b:y";
    private static final String ATTRIBUTES = "a:x, b:y";
    private static final int STEP = 5;

    static List<AttributeKem> all() {
        return AttributeKems.all();
    }

    /** How often each answer came. */
    private int malformed;

    private int unsatisfied;
    private int refused;

    private void isRefused(AttributeKem kem, AttributeSecretKey key, byte[] ciphertext, String what) {
        try {
            kem.decapsulate(AuthoritiesUnderTest.of(kem).publicKey(), key, ciphertext);
            throw new AssertionError("opened with " + what + " changed");
        } catch (MalformedEncodingException e) {
            malformed++;
        } catch (UnsatisfiedPolicyException e) {
            unsatisfied++;
        } catch (RefusedCiphertextException e) {
            refused++;
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyChangedByteIsRefused(AttributeKem kem) throws Exception {
        byte[] sent = AuthoritiesUnderTest.sent(kem, POLICY, ATTRIBUTES).ciphertext();
        AttributeSecretKey key = AuthoritiesUnderTest.key(kem, POLICY, ATTRIBUTES);
        int header = 3 + kem.id().length() + 32;
        // all of header, masked m, and label (the first 40 bytes of the body); of the points every fifth byte, and
        // other bits of it
        for (int at = 0; at < sent.length; at += at < header + 40 ? 1 : STEP) {
            byte[] changed = sent.clone();
            changed[at] ^= (byte) (1 << at % 8);
            isRefused(kem, key, changed, "byte " + at);
        }
        assertThat(refused).as("changes of m alone").isGreaterThanOrEqualTo(32);
        assertThat(malformed).isPositive();
        assertThat(unsatisfied).isPositive();
    }

    @ParameterizedTest
    @MethodSource("all")
    void ciphertextsOfAnotherAuthorityAreRefused(AttributeKem kem) throws Exception {
        AttributeKeys others = AuthoritiesUnderTest.of(kem, "another authority");
        byte[] sent = kem.encapsulate(
                        others.publicKey(),
                        AuthoritiesUnderTest.ofCiphertext(kem, POLICY, ATTRIBUTES),
                        AuthoritiesUnderTest.frozen("sent to another"))
                .ciphertext();
        AttributeSecretKey key = AuthoritiesUnderTest.key(kem, POLICY, ATTRIBUTES);
        assertThatThrownBy(() -> kem.decapsulate(AuthoritiesUnderTest.of(kem).publicKey(), key, sent))
                .isInstanceOf(RefusedCiphertextException.class);
    }

    /** Two ciphertexts for the same label: c2 of one with ct of the other. */
    @ParameterizedTest
    @MethodSource("all")
    void halvesOfTwoCiphertextsAreRefused(AttributeKem kem) throws Exception {
        byte[] one = AuthoritiesUnderTest.sent(kem, POLICY, ATTRIBUTES).ciphertext();
        byte[] two = kem.encapsulate(
                        AuthoritiesUnderTest.of(kem).publicKey(),
                        AuthoritiesUnderTest.ofCiphertext(kem, POLICY, ATTRIBUTES),
                        AuthoritiesUnderTest.frozen("second"))
                .ciphertext();
        int c2 = 3 + kem.id().length();
        byte[] mixed = two.clone();
        System.arraycopy(one, c2, mixed, c2, 32);
        assertThat(mixed).isNotEqualTo(one).isNotEqualTo(two);
        isRefused(kem, AuthoritiesUnderTest.key(kem, POLICY, ATTRIBUTES), mixed, "half");
        assertThat(refused).isOne();
    }

    /** AND made OR in the ciphertext's own bytes, by somebody on the way: a reader with one attribute is asked to open. */
    @ParameterizedTest
    @MethodSource("all")
    void weakenedPoliciesAreRefused(AttributeKem kem) throws Exception {
        if (kem.keysHavePolicies()) {
            return; // the policy is not in the ciphertext
        }
        byte[] sent = AuthoritiesUnderTest.sent(kem, POLICY, ATTRIBUTES).ciphertext();
        String hex = HexFormat.of().formatHex(sent);
        String and = "0100020002";
        assertThat(hex).contains(and);
        byte[] weakened = HexFormat.of().parseHex(hex.replace(and, "0100010002"));
        isRefused(kem, AuthoritiesUnderTest.key(kem, POLICY, "a:x"), sent, "nothing");
        assertThat(unsatisfied).isOne();
        isRefused(kem, AuthoritiesUnderTest.key(kem, POLICY, "a:x"), weakened, "policy");
        isRefused(kem, AuthoritiesUnderTest.key(kem, POLICY, ATTRIBUTES), weakened, "policy");
        assertThat(refused).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("all")
    void cutAndLengthenedCiphertextsAreMalformed(AttributeKem kem) throws Exception {
        byte[] sent = AuthoritiesUnderTest.sent(kem, POLICY, ATTRIBUTES).ciphertext();
        AttributeSecretKey key = AuthoritiesUnderTest.key(kem, POLICY, ATTRIBUTES);
        int tried = 0;
        for (int length = 0; length < sent.length; length += 3, tried++) {
            isRefused(kem, key, Arrays.copyOf(sent, length), "length");
        }
        isRefused(kem, key, Arrays.copyOf(sent, sent.length + 1), "length");
        assertThat(malformed).isEqualTo(tried + 1);
    }
}
