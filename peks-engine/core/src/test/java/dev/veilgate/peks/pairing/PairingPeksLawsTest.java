package dev.veilgate.peks.pairing;

import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.CONTEXT;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.DOMAIN;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.postings;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.word;
import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.TestSeed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the schemes over pairings say of themselves beyond the contract of all schemes. */
public abstract class PairingPeksLawsTest {
    private PairingSchemeUnderTest scheme;
    private TestSeed seed;

    /** The scheme under test. */
    protected abstract PairingSchemeUnderTest scheme();

    @BeforeEach
    void prepare() {
        scheme = scheme();
        seed = TestSeed.of(getClass());
    }

    @Test
    void sizesTellSlotsInSixteensAndRecordsOnly() throws MalformedEncodingException {
        for (int[] of : new int[][] {{1, 1, 16}, {16, 1, 16}, {17, 8, 32}, {2, 9, 16}, {2, 256, 16}}) {
            IndexBlock block = scheme.block(of[0], of[1], new ReplayableRandom(seed.coins("sizes")));
            int slot = scheme.shareBytes() + 8 + 16 + (of[1] + 7) / 8;
            assertThat(block.payload()).hasSize(3 + scheme.blockPointBytes() + of[2] * slot);
        }
    }

    @Test
    void oneKeywordPerBlockIsOneSlotPerBlock() throws MalformedEncodingException {
        List<IndexBlock> blocks = scheme.oneKeywordPerBlock(new ReplayableRandom(seed.coins("single")))
                .seal(DOMAIN, CONTEXT, 9, postings(3, 9));
        assertThat(blocks).hasSize(3);
        PreparedTrapdoor trapdoor = scheme.scheme().prepare(scheme.trapdoor(DOMAIN, word(2)));
        List<RecordSet> found = new ArrayList<>();
        for (IndexBlock block : blocks) {
            assertThat(block.payload()).hasSize(3 + scheme.blockPointBytes() + scheme.shareBytes() + 8 + 16 + 2);
            StoredBlock stored = scheme.admit(block, block.payload());
            scheme.scheme().match(trapdoor, stored).forEach(match -> found.add(match.records()));
        }
        assertThat(found).containsExactly(RecordSet.of(2));
    }

    @Test
    void anySetOfRecordsComesBack() throws MalformedEncodingException {
        SplittableRandom random = seed.random("records");
        PreparedTrapdoor trapdoor = scheme.scheme().prepare(scheme.trapdoor(DOMAIN, word(0)));
        for (int round = 0; round < 12; round++) {
            int records = 1 + random.nextInt(256);
            int[] ordinals = random.ints(1 + random.nextInt(300), 0, records).toArray();
            IndexBlock block = scheme.oneKeywordPerBlock(new ReplayableRandom(seed.coins("round " + round)))
                    .seal(DOMAIN, CONTEXT, records, List.of(Posting.of(word(0), ordinals)))
                    .getFirst();
            assertThat(scheme.scheme().match(trapdoor, scheme.admit(block, block.payload())))
                    .singleElement()
                    .satisfies(match -> assertThat(match.records()).isEqualTo(RecordSet.of(ordinals)));
        }
    }

    @Test
    void aKeywordHasOneTrapdoorForEver() throws MalformedEncodingException {
        assertThat(scheme.trapdoor(DOMAIN, word(1))).isEqualTo(scheme.trapdoor(DOMAIN, word(1)));
        assertThat(scheme.trapdoor(DOMAIN, word(1)).bytes())
                .isNotEqualTo(scheme.trapdoor(DOMAIN, word(2)).bytes())
                .isNotEqualTo(scheme.trapdoor(new KeywordDomain("acme", "plant-7", "2026-12"), word(1))
                        .bytes());
        assertThat(scheme.recodedSecretKey(scheme.secretKey())).isEqualTo(scheme.secretKey());
    }

    @Test
    void nothingThatIsSecretIsPrinted() throws MalformedEncodingException {
        PreparedTrapdoor trapdoor = scheme.scheme().prepare(scheme.trapdoor(DOMAIN, word(1)));
        assertThat(trapdoor.toString()).doesNotContain("w1").hasSizeLessThan(150);
    }
}
