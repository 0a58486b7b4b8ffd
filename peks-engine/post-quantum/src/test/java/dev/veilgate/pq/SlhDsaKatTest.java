package dev.veilgate.pq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** SLH-DSA-SHA2-128f against tests of NIST's ACVP server; SOURCE.md beside the file says which. */
class SlhDsaKatTest {
    private static final SignatureScheme SCHEME = PostQuantum.platform().slhDsaSha2128f();
    private static final int N = 16;

    static List<List<String>> keyGen() throws IOException {
        return lines("keyGen");
    }

    static List<List<String>> sigGen() throws IOException {
        return lines("sigGen");
    }

    private static List<List<String>> lines(String kind) throws IOException {
        try (InputStream in = SlhDsaKatTest.class.getResourceAsStream("slh-dsa-sha2-128f.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .filter(line -> line.startsWith(kind))
                    .map(line -> List.of(line.split(" ")))
                    .toList();
        }
    }

    private static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    @ParameterizedTest
    @MethodSource("keyGen")
    void keysAreThoseOfNist(List<String> test) {
        try (SignatureSecretKey key = SCHEME.key(hex(test.get(2)))) {
            assertThat(key.publicKey()).isEqualTo(hex(test.get(3))).hasSize(32);
        }
    }

    @ParameterizedTest
    @MethodSource("sigGen")
    void signaturesAreThoseOfNist(List<String> test) throws Exception {
        byte[] secret = hex(test.get(2));
        byte[] message = hex(test.get(4));
        try (SignatureSecretKey key = SCHEME.key(Arrays.copyOf(secret, 3 * N));
                GivenBytes random = new GivenBytes(hex(test.get(3)))) {
            byte[] publicKey = Arrays.copyOfRange(secret, 2 * N, 4 * N);
            assertThat(key.publicKey()).isEqualTo(publicKey);
            byte[] signature = key.sign(message, random);
            random.requireAllTaken();
            assertThat(signature).hasSize(SCHEME.parameters().signatureBytes());
            assertThat(MessageDigest.getInstance("SHA-256").digest(signature)).isEqualTo(hex(test.get(5)));
            assertThat(SCHEME.publicKey(publicKey).verify(message, signature)).isTrue();
        }
    }

    /** As NIST's sigVer alters them: R, a part of SIG_FORS, one of SIG_HT, the message, the length. */
    @Test
    void alteredSignaturesAreFalse() throws Exception {
        List<String> test = sigGen().getFirst();
        byte[] secret = hex(test.get(2));
        byte[] message = hex(test.get(4));
        SignaturePublicKey verifier = SCHEME.publicKey(Arrays.copyOfRange(secret, 2 * N, 4 * N));
        try (SignatureSecretKey key = SCHEME.key(Arrays.copyOf(secret, 3 * N))) {
            byte[] signature = key.sign(message, new GivenBytes(hex(test.get(3))));
            assertThat(verifier.verify(message, signature)).isTrue();
            for (int at : new int[] {0, N, 1000, 33 * 7 * N, 10_000, signature.length - 1}) {
                byte[] altered = signature.clone();
                altered[at] ^= 1;
                assertThat(verifier.verify(message, altered)).as("byte %d", at).isFalse();
            }
            assertThat(verifier.verify(new byte[] {0x3e}, signature)).isFalse();
            assertThat(verifier.verify(new byte[0], signature)).isFalse();
            for (int length : new int[] {0, 1, signature.length - 1, signature.length + 1}) {
                assertThat(verifier.verify(message, Arrays.copyOf(signature, length)))
                        .as("%d bytes", length)
                        .isFalse();
            }
        }
    }

    @Test
    void signaturesOfAnotherKeyAreFalse() {
        byte[] seed = new byte[48];
        new Random(44).nextBytes(seed);
        try (SignatureSecretKey key = SCHEME.key(seed);
                SignatureSecretKey other = SCHEME.key(new byte[48])) {
            byte[] signature = key.sign(new byte[] {1}, new SecureRandom());
            assertThat(SCHEME.publicKey(key.publicKey()).verify(new byte[] {1}, signature))
                    .isTrue();
            assertThat(SCHEME.publicKey(other.publicKey()).verify(new byte[] {1}, signature))
                    .isFalse();
        }
    }

    @Test
    void theSeedIsCopiedAndAClosedKeyIsErased() {
        byte[] seed = new byte[48];
        new Random(45).nextBytes(seed);
        SignatureSecretKey key = SCHEME.key(seed);
        byte[] publicKey = key.publicKey();
        Arrays.fill(seed, (byte) 0);
        assertThat(SCHEME.publicKey(publicKey).verify(new byte[] {1}, key.sign(new byte[] {1}, new SecureRandom())))
                .isTrue();
        key.close();
        assertThatThrownBy(() -> key.sign(new byte[] {1}, new SecureRandom()))
                .isInstanceOf(IllegalStateException.class);
        assertThat(key).hasToString("SLH-DSA-SHA2-128f[hidden]");
    }

    @Test
    void wrongLengthsAreRefused() {
        assertThatThrownBy(() -> SCHEME.key(new byte[47]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a seed of SLH-DSA-SHA2-128f has 48 bytes, not 47");
        assertThatThrownBy(() -> SCHEME.publicKey(new byte[33])).isInstanceOf(IllegalArgumentException.class);
    }

    /** liboqs 0.13 has SPHINCS+ of before the standard. */
    @Test
    void theNativeProviderHasThePlatforms() throws Exception {
        assertThat(TestLiboqs.load().slhDsaSha2128f()).isSameAs(SCHEME);
    }
}
