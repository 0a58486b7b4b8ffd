package dev.veilgate.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.ScopedTrapdoor;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holds which blocks a trapdoor is offered: those that agree with it in scheme, parameters, key, scope and epoch. */
class BlockTargetTest {
    private static final KeyId KEY = KeyId.of(HexFormat.of().parseHex("00112233445566778899aabbccddeeff"));
    private static final BlockTarget TRAPDOOR =
            BlockTarget.of(new ScopedTrapdoor("toy", "P", KEY, "plant", "2026-11", new byte[] {0x5e, 0x0c}));

    /** Blocks that differ from the trapdoor in one name each; and the last in the cut between two. */
    private static final List<IndexBlock> OTHERS = List.of(
            new IndexBlock("toz", "P", KEY, "plant", "2026-11", new byte[9]),
            new IndexBlock("toy", "Q", KEY, "plant", "2026-11", new byte[9]),
            new IndexBlock("toy", "P", KeyId.of(new byte[16]), "plant", "2026-11", new byte[9]),
            new IndexBlock("toy", "P", KEY, "plan", "2026-11", new byte[9]),
            new IndexBlock("toy", "P", KEY, "plant", "2026-12", new byte[9]),
            new IndexBlock("toy", "P", KEY, "plan", "t2026-11", new byte[9]));

    @Test
    void isTheSameForBlocksThatAgreeInEveryName() {
        for (byte[] payload : List.of(new byte[0], new byte[9])) {
            BlockTarget block = BlockTarget.of(new IndexBlock("toy", "P", KEY, "plant", "2026-11", payload));
            assertThat(block).isEqualTo(TRAPDOOR).hasSameHashCodeAs(TRAPDOOR);
            assertThat(block.encode()).isEqualTo(TRAPDOOR.encode());
        }
    }

    @Test
    void differsWithEachName() {
        for (IndexBlock other : OTHERS) {
            assertThat(BlockTarget.of(other)).isNotEqualTo(TRAPDOOR);
            assertThat(BlockTarget.of(other).encode()).isNotEqualTo(TRAPDOOR.encode());
        }
    }

    @Test
    void isThatOfItsEmptyBlock() {
        assertThat(BlockTarget.of(TRAPDOOR.emptyBlock())).isEqualTo(TRAPDOOR);
        assertThat(TRAPDOOR.emptyBlock().payload()).isEmpty();
    }
}
