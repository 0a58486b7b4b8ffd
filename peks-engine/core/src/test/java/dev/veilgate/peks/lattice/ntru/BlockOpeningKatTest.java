package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.SlotMatch;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Known answers: r of the frozen blocks ({@link WireFormatTest}), a byte a coefficient, as SHA-256. Computed once by a
 * program in Python with whole numbers of any size from the bytes of the secret key and of A alone: (V·f - U·F)/q,
 * divided without a remainder. And the records that are known to be in them.
 */
class BlockOpeningKatTest {
    private static final Map<String, String> R = Map.of(
            "N512_Q24.block", "d88f608970fd4863308dad9d0b0b22ba5d43990eb831ddbeed53032716fe1c64",
            "N512_Q24.large-block", "0ad74ee996d5d277bf0bf8526142a1ed03352ec3e5ddccde210edfcf9442f2eb",
            "N1024_Q27.block", "c0ab022f430ee64ca263cc80f3b19f9c9f9311a24e40e621c20a58563d14a389",
            "N1024_Q27.large-block", "6afd467482e513acb7fada770bf7b5ea4ea4f07e1213713c26378cd557c8ca6f",
            "N2048_Q29.block", "218893456d0b90ebdcf55180fe01bf452ce6b058b6e0c07d50dcbf56983892a5",
            "N2048_Q29.large-block", "8b8b7a747ed3e22571b8c028f00e9a704b284e642c90ec44862475773068de56");

    private static String digest(int[] r) {
        byte[] bytes = new byte[r.length];
        for (int i = 0; i < r.length; i++) {
            bytes[i] = (byte) r[i];
        }
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<RecordSet> found(SecretKey key, IndexBlock block, Keyword keyword)
            throws MalformedEncodingException {
        NtruPeks scheme = TestKeys.scheme(key.parameters());
        try (BlockOpening opening = scheme.open(key, WireFormatTest.DOMAIN.tenant(), block, WireFormatTest.CONTEXT)) {
            assertThat(opening.isWellFormed()).isTrue();
            return opening.find(keyword).stream().map(SlotMatch::records).toList();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.veilgate.peks.lattice.ntru.NtruParameters#all")
    void frozenBlocksHaveTheirMasksAndRecords(NtruParameters p) throws IOException, MalformedEncodingException {
        Map<String, byte[]> artefacts = WireFormatTest.artefacts(p);
        SecretKey key = SecretKey.decode(artefacts.get("secret-key"));
        for (String name : List.of("block", "large-block")) {
            IndexBlock block = IndexBlock.decode(artefacts.get(name));
            MaskDecoder.Decoded mask = key.decode(PlainBlock.parse(block.payload()).a);
            assertThat(digest(mask.r())).isEqualTo(R.get(p + "." + name));
            assertThat(found(key, block, WireFormatTest.FOUND))
                    .containsExactly(name.equals("block") ? RecordSet.of(1, 4) : WireFormatTest.every(3));
            assertThat(found(key, block, Keyword.text("word", "w1")))
                    .containsExactly(name.equals("block") ? RecordSet.of(1) : WireFormatTest.every(60));
            assertThat(found(key, block, Keyword.text("word", "nowhere"))).isEmpty();
        }
    }

    /** Blocks of the version before, whose A is not shifted, are opened as they are found. */
    @Test
    void storedBlocksOfTheVersionBeforeAreOpened() throws IOException, MalformedEncodingException {
        SecretKey key = SecretKey.decode(
                WireFormatTest.artefacts(NtruParameters.N512_Q24).get("secret-key"));
        IndexBlock block = IndexBlock.decode(WireFormatTest.stored("block-2"));
        IndexBlock large = IndexBlock.decode(WireFormatTest.stored("large-block-2"));
        assertThat(found(key, block, WireFormatTest.FOUND)).containsExactly(RecordSet.of(1, 4));
        assertThat(found(key, large, WireFormatTest.FOUND)).containsExactly(WireFormatTest.every(3));
        assertThat(found(key, large, Keyword.text("word", "nowhere"))).isEmpty();
    }
}
