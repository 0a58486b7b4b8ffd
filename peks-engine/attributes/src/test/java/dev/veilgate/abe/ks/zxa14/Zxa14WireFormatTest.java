package dev.veilgate.abe.ks.zxa14;

import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.CONTEXT;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.DOMAIN;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.word;
import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.pairing.PairingSchemeUnderTest;
import dev.veilgate.peks.pairing.PairingWireFormatTest;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class Zxa14WireFormatTest extends PairingWireFormatTest {
    @Override
    protected PairingSchemeUnderTest scheme() {
        return Zxa14UnderTest.of(frozen(1));
    }

    @Override
    protected Map<String, String> digests() {
        return Map.of(
                "public-key",
                "e9b8f37f964eb2d0c6d86149f273e4ccf24c4a613fde2552ac23fd6b10d8b3e7",
                "secret-key",
                "a50dcf532d84cb4a86452a66d2a157c6297521b83c42c97a22eb762b7ff331dd",
                "trapdoor",
                "7b8408648c078f9893516cc4ab6c08304a88cdf74d3dd1a4ef476327786d413c",
                "block",
                "ddfe798687b9c0570de08836fb26b8837aa13de1bd5618766e8d39bc3a8e592d",
                "block-of-one",
                "2228b4b74fb2f3aebb7d1a9dbbd690b61b6a4836a84a69e195cadce93aa3889c");
    }

    @Test
    void searchersKeysAreFrozen() throws Exception {
        byte[] key = Zxa14UnderTest.of(frozen(1)).key().encode();
        assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(key)))
                .isEqualTo("618f7a4170f333cf8a5cfe2e5cafd06ee6a77056056f3c6fd55560853a6e9714");
    }

    /** An index key by epoch, a block and a token under it. */
    @Test
    void theFormByEpochIsFrozen() throws Exception {
        Zxa14UnderTest scheme = Zxa14UnderTest.of(
                frozen(1), Zxa14UnderTest.POLICY, "role:auditor@2026-11, site:plant-7@2026-11, team:a");
        IndexPublicKey index = IndexPublicKey.byEpoch(
                scheme.authority().publicKey(), scheme.index().policy());
        byte[] encoded = index.encode();
        assertThat(encoded[0]).isEqualTo((byte) 2);
        assertThat(Arrays.copyOfRange(encoded, 1, encoded.length))
                .isEqualTo(Arrays.copyOfRange(scheme.publicKey(), 1, encoded.length));
        byte[] token = new Zxa14(frozen(4))
                .token(scheme.key(), index, DOMAIN, word(1))
                .orElseThrow()
                .encode();
        byte[] block = Zxa14IndexSealer.oneKeywordPerBlock(index, frozen(3))
                .seal(DOMAIN, CONTEXT, 256, PairingSchemeUnderTest.postings(1, 256))
                .getFirst()
                .encode();
        assertThat(List.of(sha256(encoded), sha256(token), sha256(block)))
                .containsExactly(
                        "cb47204fe2fcb86d5a87766017cc627a81ef08c83e80e3fc61c54d3bcbf45da1",
                        "0ceb9d598c650ea8509a03819fab7a9f14779c04771aa8e36b00e41cd3a9de5a",
                        "2902e792110f6d58190a01174e436d2ff5717a4263be2dd10de658ce84eed2fe");
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    /** Field by field, so that the layout does not hang on the code that is tested. */
    @Test
    void fieldsStandInThisOrder() throws MalformedEncodingException {
        Zxa14UnderTest scheme = Zxa14UnderTest.of(frozen(1));
        ByteReader key = new ByteReader("key", scheme.publicKey());
        key.expect("version", 1);
        key.expect("authority's version", 1);
        PublicKey authority = scheme.index().authority();
        assertThat(key.bytes("a", 48)).isEqualTo(authority.g1A().encode());
        assertThat(key.bytes("b", 48)).isEqualTo(authority.g1B().encode());
        assertThat(key.bytes("b2", 96)).isEqualTo(authority.g2B().encode());
        assertThat(key.bytes("c", 96)).isEqualTo(authority.g2C().encode());
        assertThat(key.bytes("y", 576)).isEqualTo(authority.y().encode());
        assertThat(key.bytes("policy", key.remaining()))
                .isEqualTo(scheme.index().policy().encode());

        byte[] bytes = scheme.trapdoor(DOMAIN, word(1)).bytes();
        Token token = Token.decode(bytes);
        ByteReader in = new ByteReader("token", bytes);
        assertThat(in.bytes("version, leaves", 3)).isEqualTo(new byte[] {1, 0, 3});
        assertThat(in.bytes("tok1", 48)).isEqualTo(token.tok1().encode());
        assertThat(in.bytes("tok2", 96)).isEqualTo(token.tok2().encode());
        assertThat(in.bytes("tok3", 48)).isEqualTo(token.tok3().encode());
        assertThat(in.bytes("parts", 2)).isEqualTo(new byte[] {0, 2});
        for (int i = 0; i < 2; i++) {
            assertThat(in.bytes("leaf", 2)).isEqualTo(new byte[] {0, (byte) i});
            assertThat(in.bytes("a", 48)).isEqualTo(token.parts().get(i).a().encode());
            assertThat(in.bytes("b", 96)).isEqualTo(token.parts().get(i).b().encode());
        }
        in.end();

        IndexBlock block = scheme.oneKeywordPerBlock(frozen(3))
                .seal(DOMAIN, CONTEXT, 256, PairingSchemeUnderTest.postings(1, 256))
                .getFirst();
        byte[] payload = block.payload();
        assertThat(payload).hasSize(5 + 672 + 8 + 16 + 32);
        assertThat(Arrays.copyOf(payload, 5)).isEqualTo(new byte[] {1, 0, (byte) 255, 0, 3});
        Ciphertext slot = Ciphertext.decode(payload, 5, 3);
        assertThat(Arrays.copyOfRange(payload, 5, 53)).isEqualTo(slot.w0().encode());
        assertThat(Arrays.copyOfRange(payload, 53, 149)).isEqualTo(slot.w().encode());
        assertThat(Arrays.copyOfRange(payload, 149, 245))
                .isEqualTo(slot.wPrime().encode());
        for (int v = 0; v < 3; v++) {
            int at = 245 + 144 * v;
            assertThat(Arrays.copyOfRange(payload, at, at + 96))
                    .isEqualTo(slot.leaves().get(v).w().encode());
            assertThat(Arrays.copyOfRange(payload, at + 96, at + 144))
                    .isEqualTo(slot.leaves().get(v).d().encode());
        }
    }
}
