package dev.veilgate.ese;

import static dev.veilgate.ese.EseUnderTest.frozen;
import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.ese.elgamal.ElGamalUnderTest;
import dev.veilgate.ese.ntru.NtruUnderTest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Freezes keys and ciphertexts of fixed coins: encryption is deterministic, so that a digest that changes makes everything that is stored impossible to find. */
class EseWireFormatTest {
    private static void isFrozen(EseUnderTest<?, ?> instance, Map<String, String> digests) {
        Map<String, String> actual = new LinkedHashMap<>();
        actual.put("public-key", sha256(instance.keys().publicKey().encode()));
        actual.put("secret-key", sha256(instance.keys().secretKey().encode()));
        actual.put("ciphertext", sha256(instance.encrypt("level:error").encode()));
        actual.put(
                "tag",
                HexFormat.of().formatHex(instance.encrypt("level:error").tag().encode()));
        assertThat(actual).isEqualTo(digests);
    }

    @Test
    void elGamalIsFrozen() {
        isFrozen(
                ElGamalUnderTest.of(frozen(1)),
                Map.of(
                        "public-key",
                        "ae5b1db1b5418627bdba6848a3093a9af0e5c82522bf77b70022b74b55f30a10",
                        "secret-key",
                        "d775fdbcd65beccd755717968c11270f7b94b825c568a037c1ee6e9d826b9008",
                        "ciphertext",
                        "d75c28c0907d6e7effd0e71c8f91f715dac6cf33e2aa07bf85e2a4ac1dbcea11",
                        "tag",
                        "b28f86c52458487eed2c1395ea7fe26116e342dbe69c6decda62ce86c222e5b8"));
    }

    @Test
    void ntruIsFrozen() {
        isFrozen(
                NtruUnderTest.of(frozen(1)),
                Map.of(
                        "public-key",
                        "36fdfa32323f504eafb3ee8392c5023faf8109662924b22cc00f2aad9e25e34b",
                        "secret-key",
                        "79ba8608bc5e43e12147ce0c3b53bb9afe1a9a4022bf13cb13773893f980d719",
                        "ciphertext",
                        "0a6eabac338adf0aa68f9164417b63e45dc64fb7804a3ceb04b088b6e7b5485d",
                        "tag",
                        "2f404884966b40442e796dfc0c55a0ffb31bfbc7ef3852ebcf56470b6be84344"));
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
