package dev.veilgate.pq;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Vectors of NIST for ML-KEM-768 and ML-DSA-65, by each provider. */
class AcvpKatTest {
    /** A vector: names and values of its lines. */
    private record Vector(String kind, String id, Map<String, String> lines) {
        byte[] bytes(String name) {
            return Base64.getDecoder().decode(text(name));
        }

        String text(String name) {
            return Objects.requireNonNull(lines.get(name), () -> this + " has no " + name);
        }

        @Override
        public String toString() {
            return kind + " " + id;
        }
    }

    private static List<Vector> vectors(String kind, int count) throws IOException {
        List<Vector> vectors = new ArrayList<>();
        try (InputStream in = Objects.requireNonNull(AcvpKatTest.class.getResourceAsStream("acvp-1.1.0.38.txt"))) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.US_ASCII).split("\n")) {
                String[] words = line.split(" ", 3);
                if (words[0].equals("case")) {
                    vectors.add(new Vector(words[1], words[2], new LinkedHashMap<>()));
                } else if (!line.isEmpty() && !line.startsWith("#")) {
                    vectors.getLast().lines.put(words[0], line.substring(words[0].length() + 1));
                }
            }
        }
        vectors.removeIf(vector -> !vector.kind.equals(kind));
        assertThat(vectors).hasSize(count);
        return vectors;
    }

    private static String sha256(byte[] bytes) throws GeneralSecurityException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    @ParameterizedTest
    @MethodSource("dev.veilgate.pq.TestLiboqs#providers")
    void keysOfMlKemFollowFromTheirSeeds(PostQuantumProvider provider) throws Exception {
        for (Vector vector : vectors("ml-kem-key", 25)) {
            try (DecapsulationKey key = provider.mlKem768().key(vector.bytes("seed"))) {
                assertThat(sha256(key.publicKey())).as("%s", vector).isEqualTo(vector.text("publicKeySha256"));
                assertThat(sha256(TestLiboqs.expanded(key))).as("%s", vector).isEqualTo(vector.text("secretKeySha256"));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.veilgate.pq.TestLiboqs#providers")
    void encapsulationsFollowFromTheirCoins(PostQuantumProvider provider) throws Exception {
        for (Vector vector : vectors("ml-kem-encapsulation", 6)) {
            EncapsulatedSecret made = provider.mlKem768().encapsulate(vector.bytes("publicKey"), vector.bytes("coins"));
            assertThat(made.secret()).as("%s", vector).isEqualTo(vector.bytes("secret"));
            assertThat(sha256(made.ciphertext())).as("%s", vector).isEqualTo(vector.text("ciphertextSha256"));
        }
    }

    /** Half of the ciphertexts were modified: their secrets are those of the implicit rejection. */
    @ParameterizedTest
    @MethodSource("dev.veilgate.pq.TestLiboqs#providers")
    void decapsulationsAcceptAndRejectAsNistDoes(PostQuantumProvider provider) throws Exception {
        List<Vector> vectors = vectors("ml-kem-decapsulation", 10);
        try (DecapsulationKey key =
                TestLiboqs.key(provider.mlKem768(), vectors.getFirst().bytes("secretKey"))) {
            for (Vector vector : vectors) {
                assertThat(key.decapsulate(vector.bytes("ciphertext")))
                        .as("%s", vector)
                        .isEqualTo(vector.bytes("secret"));
            }
        }
        assertThat(vectors).extracting(vector -> vector.text("reason")).contains("modified ciphertext");
    }

    @ParameterizedTest
    @MethodSource("dev.veilgate.pq.TestLiboqs#providers")
    void keysOfMlDsaFollowFromTheirSeeds(PostQuantumProvider provider) throws Exception {
        for (Vector vector : vectors("ml-dsa-key", 25)) {
            try (SignatureSecretKey key = provider.mlDsa65().key(vector.bytes("seed"))) {
                assertThat(sha256(key.publicKey())).as("%s", vector).isEqualTo(vector.text("publicKeySha256"));
                assertThat(sha256(TestLiboqs.expanded(key))).as("%s", vector).isEqualTo(vector.text("secretKeySha256"));
            }
        }
    }

    /** The first is deterministic: its random bytes are zeros. */
    @ParameterizedTest
    @MethodSource("dev.veilgate.pq.TestLiboqs#providers")
    void signaturesFollowFromTheirRandomBytes(PostQuantumProvider provider) throws Exception {
        for (Vector vector : vectors("ml-dsa-signature", 2)) {
            byte[] message = vector.bytes("message");
            try (SignatureSecretKey key = TestLiboqs.key(provider.mlDsa65(), vector.bytes("secretKey"));
                    GivenBytes random = new GivenBytes(vector.bytes("random"))) {
                byte[] signature = key.sign(message, random);
                random.requireAllTaken();
                assertThat(sha256(signature)).as("%s", vector).isEqualTo(vector.text("signatureSha256"));
                assertThat(provider.mlDsa65()
                                .publicKey(vector.bytes("publicKey"))
                                .verify(message, signature))
                        .isTrue();
            }
        }
    }

    /** Vectors that do not pass hold under a context, or for a hash of the message, and must not hold without. */
    @ParameterizedTest
    @MethodSource("dev.veilgate.pq.TestLiboqs#providers")
    void signaturesHoldWithTheEmptyContextOnly(PostQuantumProvider provider) throws Exception {
        for (Vector vector : vectors("ml-dsa-check", 3)) {
            SignaturePublicKey key = provider.mlDsa65().publicKey(vector.bytes("publicKey"));
            assertThat(key.verify(vector.bytes("message"), vector.bytes("signature")))
                    .as("%s", vector)
                    .isEqualTo(Boolean.parseBoolean(vector.text("passes")));
        }
    }
}
