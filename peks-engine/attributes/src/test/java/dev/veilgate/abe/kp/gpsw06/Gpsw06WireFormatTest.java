package dev.veilgate.abe.kp.gpsw06;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.abe.kem.CpaKem.Encapsulated;
import dev.veilgate.abe.kem.KeyPair;
import dev.veilgate.abe.kem.OutsourcedKem;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.encoding.ByteReader;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.random.CoinStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Freezes what keys and ciphertexts look like: a digest that changes is a new format, which takes a new version number. */
class Gpsw06WireFormatTest {
    private static final Gpsw06 SCHEME = new Gpsw06();
    private static final KeyPair<PublicKey, MasterKey> AUTHORITY = SCHEME.setup(coins(1));

    private static final String ATTRIBUTES = "role:auditor, site:plant-7@2026-11, clearance = 5";
    private static final String POLICY =
            "(role:auditor AND site:plant-7@2026-11) OR 2 of (role:dpo, team:a, clearance >= 3)";

    /** A stream for each use. */
    private static CoinStream coins(int use) {
        byte[] seed = new byte[CoinStream.SEED_BYTES];
        seed[0] = (byte) use;
        return CoinStream.ofSeed(seed);
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    @Test
    void bytesAreFrozen() throws Exception {
        SecretKey key = SCHEME.keyGen(AUTHORITY.masterKey(), Policy.parse(POLICY), coins(2));
        Encapsulated<Ciphertext> sent =
                SCHEME.encapsulate(AUTHORITY.publicKey(), AttributeSet.parse(ATTRIBUTES), coins(3));
        Map<String, String> digests = new TreeMap<>();
        digests.put("public key", sha256(SCHEME.encodePublicKey(AUTHORITY.publicKey())));
        digests.put("master key", sha256(AUTHORITY.masterKey().encode()));
        digests.put("key", sha256(SCHEME.encodeKey(key)));
        OutsourcedKem.Blinded<SecretKey> blinded = SCHEME.blind(key, coins(7));
        digests.put("transform key", sha256(SCHEME.encodeTransformKey(blinded.transformKey())));
        digests.put("retrieval key", sha256(blinded.retrievalKey().encode()));
        digests.put("ciphertext", sha256(SCHEME.encodeCiphertext(sent.ciphertext())));
        digests.put("encapsulated key", sha256(sent.key().encode()));
        assertThat(digests)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "public key", "5ba7f4cb72fcd2a28c1e91e54fa6a668906480df567218f2762203cc3576f6ce",
                        "master key", "1ac444c1a100c591dbcfc9acc676f62fc7ca561176eb31a5878b348cb3b9b4a1",
                        "key", "59e38e9c81f33082e40f40e5fb27ee040cf48fa53c62d580ea840338146e628a",
                        "transform key", "3ba7e27cb0de08efb4fbdfc534bdf7b6701089223f2e385633a117d05e7d1dd1",
                        "retrieval key", "4217b67a7a3c42be0fca164bb453ca394e230f466afbc154a350f49621a83d0d",
                        "ciphertext", "3b2d753ff4a669057afbeb559ca0d8da96a2a8adc75623d436a2076fd997f40b",
                        "encapsulated key", "945ebe801679122a946b45a6b76235b1470c41b98b38efbac63bb34334ae3853"));
        assertThat(SCHEME.decapsulate(key, sent.ciphertext())).contains(sent.key());
    }

    /** Field by field, so that the layout does not hang on the code that is tested. */
    @Test
    void fieldsStandInThisOrder() throws Exception {
        assertThat(SCHEME.encodePublicKey(AUTHORITY.publicKey()))
                .hasSize(1 + 576)
                .startsWith(1);
        assertThat(AUTHORITY.masterKey().encode()).hasSize(1 + 32).startsWith(1);

        SecretKey key = SCHEME.keyGen(AUTHORITY.masterKey(), Policy.parse("a:b AND c:d"), coins(5));
        byte[] keyBytes = SCHEME.encodeKey(key);
        String a = "00" + "0161" + "0162" + "00";
        String c = "00" + "0163" + "0164" + "00";
        String policy = "01" + "0002" + "0002" + "00" + a + "00" + c;
        assertThat(HexFormat.of().formatHex(keyBytes)).startsWith("01" + policy);
        ByteReader in = new ByteReader("key", keyBytes);
        in.skip("header", 1 + policy.length() / 2);
        for (SecretKey.Leaf leaf : key.parts().leaves()) {
            assertThat(in.bytes("d-i", 48)).isEqualTo(leaf.d().encode());
            assertThat(in.bytes("r-i", 96)).isEqualTo(leaf.r().encode());
        }
        in.end();

        Ciphertext sent = SCHEME.encapsulate(AUTHORITY.publicKey(), AttributeSet.parse("a:b, c:d"), coins(6))
                .ciphertext();
        byte[] bytes = SCHEME.encodeCiphertext(sent);
        String attributes = "0002" + a + c;
        assertThat(HexFormat.of().formatHex(bytes)).startsWith("01" + attributes);
        in = new ByteReader("ciphertext", bytes);
        in.skip("header", 1 + attributes.length() / 2);
        assertThat(in.bytes("e-0", 96)).isEqualTo(sent.e0().encode());
        for (G1 e : sent.e().values()) {
            assertThat(in.bytes("e-u", 48)).isEqualTo(e.encode());
        }
        in.end();
    }
}
