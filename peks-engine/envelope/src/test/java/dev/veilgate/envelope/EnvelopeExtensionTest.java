package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.KeyId;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a later version or another maker may add. */
class EnvelopeExtensionTest {
    private static final byte[] NESTED =
            new CborWriter(32).map(1).text("a").array(2).bool(true).integer(-5).toByteArray();

    private static byte[] anonymous() {
        return Samples.sealer(null, new SecureRandom())
                .seal(Samples.draft(2), ChainPosition.first())
                .bytes();
    }

    @Test
    void unknownFieldsAreKeptByteForByteAndDoNoHarm() throws Exception {
        byte[] extended = Surgery.on(anonymous())
                .put(20, NESTED)
                .put(4000, Surgery.text("later"))
                .put("vendor", NESTED)
                .close();
        Envelope envelope = Envelope.decode(extended);
        assertThat(envelope.bytes()).isEqualTo(extended);
        assertThat(Samples.OPENER.open(envelope)).hasSize(2);
    }

    private static void assertRefused(Surgery surgery, String why) {
        assertThatThrownBy(() -> Envelope.decode(surgery.close()))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("critical")
                .hasMessageContaining(why);
    }

    @Test
    void criticalFieldsAreRefusedByName() throws Exception {
        CborWriter list = new CborWriter(8).array(1).integer(20);
        assertRefused(Surgery.on(anonymous()).put(20, NESTED).put(1, list.toByteArray()), "field 20");
        CborWriter texts = new CborWriter(8).array(1).text("vendor");
        assertRefused(Surgery.on(anonymous()).put("vendor", NESTED).put(1, texts.toByteArray()), "text");
    }

    @Test
    void theListOfCriticalFieldsIsNotEmptyAndNamesNoFieldOfThisVersion() throws Exception {
        assertRefused(Surgery.on(anonymous()).put(1, new CborWriter(8).array(0).toByteArray()), "empty");
        for (int known : new int[] {0, 2, 13, 17, 31}) {
            CborWriter list = new CborWriter(8).array(1).integer(known);
            assertRefused(Surgery.on(anonymous()).put(1, list.toByteArray()), "version 1");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 24})
    void otherVersionsAreRefused(int version) throws Exception {
        byte[] other = Surgery.on(anonymous()).put(0, Surgery.integer(version)).close();
        assertThatThrownBy(() -> Envelope.decode(other)).hasMessageContaining("version");
        byte[] none = Surgery.on(anonymous()).remove(0).close();
        assertThatThrownBy(() -> Envelope.decode(none)).hasMessageContaining("version");
    }

    @Test
    void indexBlocksOfUnknownSchemesAreKept() throws Exception {
        IndexBlock block =
                new IndexBlock("later-peks", "SET", KeyId.of(new byte[16]), "scope", "epoch", new byte[] {1, 2});
        byte[] extended = Surgery.on(anonymous())
                .putItems(18, List.of(Surgery.bytes(block.encode())))
                .close();
        Envelope envelope = Envelope.decode(extended);
        assertThat(envelope.index()).containsExactly(block);
        assertThat(envelope.bytes()).isEqualTo(extended);
    }
}
