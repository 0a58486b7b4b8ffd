package dev.veilgate.abe.cp.bsw07;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.abe.kem.CpaKem.Encapsulated;
import dev.veilgate.abe.kem.KeyPair;
import dev.veilgate.abe.kem.OutsourcedKem;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.encoding.ByteReader;
import dev.veilgate.random.CoinStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Freezes what keys and ciphertexts look like: a digest that changes is a new format, which takes a new version number. */
class Bsw07WireFormatTest {
    private static final Bsw07 SCHEME = new Bsw07();
    private static final KeyPair<PublicKey, MasterKey> AUTHORITY = SCHEME.setup(coins(1));

    /** A stream for each use. */
    private static CoinStream coins(int use) {
        byte[] seed = new byte[CoinStream.SEED_BYTES];
        seed[0] = (byte) use;
        return CoinStream.ofSeed(seed);
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    private static final String ATTRIBUTES = "role:auditor, site:plant-7@2026-11, clearance = 5";
    private static final String POLICY =
            "(role:auditor AND site:plant-7@2026-11) OR 2 of (role:dpo, team:a, clearance >= 3)";

    @Test
    void bytesAreFrozen() throws Exception {
        AttributeSet attributes = AttributeSet.parse(ATTRIBUTES);
        Policy policy = Policy.parse(POLICY);
        byte[] publicKey = SCHEME.encodePublicKey(AUTHORITY.publicKey());
        byte[] masterKey = AUTHORITY.masterKey().encode();
        SecretKey key = SCHEME.keyGen(AUTHORITY.masterKey(), attributes, coins(2));
        Encapsulated<Ciphertext> sent = SCHEME.encapsulate(AUTHORITY.publicKey(), policy, coins(3));
        SecretKey delegated = SCHEME.delegate(AUTHORITY.publicKey(), key, AttributeSet.parse("role:auditor"), coins(4));
        Map<String, String> digests = new TreeMap<>();
        digests.put("public key", sha256(publicKey));
        digests.put("master key", sha256(masterKey));
        digests.put("key", sha256(SCHEME.encodeKey(key)));
        digests.put("delegated key", sha256(SCHEME.encodeKey(delegated)));
        OutsourcedKem.Blinded<SecretKey> blinded = SCHEME.blind(key, coins(7));
        digests.put("transform key", sha256(SCHEME.encodeTransformKey(blinded.transformKey())));
        digests.put("retrieval key", sha256(blinded.retrievalKey().encode()));
        digests.put("ciphertext", sha256(SCHEME.encodeCiphertext(sent.ciphertext())));
        digests.put("encapsulated key", sha256(sent.key().encode()));
        assertThat(digests)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "public key", "1b3503225ab6d6a848ce7832bb33d3368f9bfe9c355238bce2f2ff7d6f6c51fb",
                        "master key", "b75d5512761d3e3ec23039426675a9edb49014618b1f96634ce42b239084e0fe",
                        "key", "09b08241ef391d350cca11978a2636b6c2a614f804ac8443e9636709a9bb983a",
                        "delegated key", "09e17d0ee595f821667706bd439f022272605224678f8a212ffcdc70a58dd63d",
                        "transform key", "a6e28f622c28389b3d577eab4d7611b3addf60728bb2948d89515e8df69df869",
                        "retrieval key", "4217b67a7a3c42be0fca164bb453ca394e230f466afbc154a350f49621a83d0d",
                        "ciphertext", "39f7640e8900fd7909b668a7bbdfcf0ff55bb2b662aa0a3bc31b77eae1d6bd6d",
                        "encapsulated key", "502004dba2257ad1588529121dc0a586663df51c90867ba540c3e3f1ffd09674"));
        assertThat(SCHEME.decapsulate(key, sent.ciphertext())).contains(sent.key());
    }

    /** Field by field, so that the layout does not hang on the code that is tested. */
    @Test
    void fieldsStandInThisOrder() throws Exception {
        byte[] publicKey = SCHEME.encodePublicKey(AUTHORITY.publicKey());
        assertThat(publicKey).hasSize(1 + 96 + 48 + 576).startsWith(1);
        assertThat(Arrays.copyOfRange(publicKey, 1, 97))
                .isEqualTo(AUTHORITY.publicKey().h().encode());
        assertThat(AUTHORITY.masterKey().encode()).hasSize(1 + 32 + 48).startsWith(1);

        AttributeSet attributes = AttributeSet.parse("a:b, c:d");
        SecretKey key = SCHEME.keyGen(AUTHORITY.masterKey(), attributes, coins(5));
        byte[] keyBytes = SCHEME.encodeKey(key);
        String set = "0002" + "00" + "0161" + "0162" + "00" + "00" + "0163" + "0164" + "00";
        assertThat(HexFormat.of().formatHex(keyBytes)).startsWith("01" + set);
        ByteReader in = new ByteReader("key", keyBytes);
        in.skip("header", 1 + set.length() / 2);
        assertThat(in.bytes("d", 48)).isEqualTo(key.parts().d().encode());
        for (SecretKey.Component component : key.parts().components().values()) {
            assertThat(in.bytes("d-u", 48)).isEqualTo(component.d().encode());
            assertThat(in.bytes("d'-u", 96)).isEqualTo(component.dPrime().encode());
        }
        in.end();

        Ciphertext sent = SCHEME.encapsulate(AUTHORITY.publicKey(), Policy.parse("a:b AND c:d"), coins(6))
                .ciphertext();
        byte[] bytes = SCHEME.encodeCiphertext(sent);
        String policy =
                "01" + "0002" + "0002" + "00" + "00" + "0161" + "0162" + "00" + "00" + "00" + "0163" + "0164" + "00";
        assertThat(HexFormat.of().formatHex(bytes)).startsWith("01" + policy);
        in = new ByteReader("ciphertext", bytes);
        in.skip("header", 1 + policy.length() / 2);
        assertThat(in.bytes("c", 96)).isEqualTo(sent.c().encode());
        for (Ciphertext.Leaf leaf : sent.leaves()) {
            assertThat(in.bytes("c-i", 96)).isEqualTo(leaf.c().encode());
            assertThat(in.bytes("c'-i", 48)).isEqualTo(leaf.cPrime().encode());
        }
        in.end();
    }
}
