package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.TwoSided;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Counts how wrong keywords fare. The published code matched every other wrong keyword and its authors' tests did not
 * notice; here none may match in fifty million slots, and each row must throw out half of the wrong slots, neither more
 * (then it would throw out right ones too) nor less.
 */
class NoFalsePositiveStatTest {
    private static final NtruIndexScheme SCHEME = NtruIndexScheme.accepting(NtruParameters.all());

    @Test
    void noneOfFiftyMillionWrongSlotsMatches() throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N2048_Q29;
        List<StoredBlock> blocks = blocks(p, 400);
        long slots = 0;
        long survivors = 0;
        for (int i = 0; i < 500; i++) {
            PreparedTrapdoor wrong = SCHEME.prepare(TestKeys.scoped(p, TestKeys.keyword(i)));
            for (StoredBlock block : blocks) {
                survivors += SCHEME.mayMatch(wrong, block.hot(), 0) ? 1 : 0;
                slots += 256;
                assertThat(SCHEME.match(wrong, block)).isEmpty();
            }
        }
        assertThat(slots).isGreaterThan(50_000_000);
        // 256 slots that survive 40 rows, of which 25 speak: one pair in 10,000 is looked at twice
        assertThat(survivors).isLessThan(100);
    }

    @ParameterizedTest
    @MethodSource("dev.veilgate.peks.lattice.ntru.NtruParameters#all")
    void everyRowThatSpeaksHalvesTheWrongSlots(NtruParameters p) throws MalformedEncodingException {
        TestKernel kernel = new TestKernel(p);
        List<PlainBlock> payloads = new ArrayList<>();
        List<byte[]> hots = new ArrayList<>();
        for (IndexBlock block : sealed(p, 40)) {
            payloads.add(PlainBlock.parse(block.payload()));
            hots.add(HotBlock.of(BlockPayload.decode(block.payload())));
        }
        int depth = 8;
        long rows = 0;
        long speaking = 0;
        long bits = 0;
        long agreeing = 0;
        long ones = 0;
        long[] reached = new long[depth + 1];
        for (Trapdoor trapdoor : TestKeys.trapdoors(p, 0, 60)) {
            int[] window = TestKernel.window(trapdoor.t());
            for (int b = 0; b < hots.size(); b++) {
                PlainBlock payload = payloads.get(b);
                int[] phases = Rows.phases(p, hots.get(b), 0, window);
                boolean[] dead = new boolean[payload.slots];
                int spoken = 0;
                reached[0] += payload.slots;
                for (int row = 0; row < p.kept(); row++) {
                    int phase = phases[row];
                    rows++;
                    if (!kernel.speaks(phase)) {
                        continue;
                    }
                    speaking++;
                    int implied = TestKernel.impliedBit(phase);
                    ones += implied;
                    spoken++;
                    for (int slot = 0; slot < payload.slots; slot++) {
                        boolean agrees = payload.bit(row, slot) == implied;
                        bits++;
                        agreeing += agrees ? 1 : 0;
                        dead[slot] |= !agrees;
                        if (spoken <= depth && !dead[slot]) {
                            reached[spoken]++;
                        }
                    }
                }
            }
        }
        TwoSided check = new TwoSided();
        Tosses.check(check, "bits that agree", agreeing, bits, 0.5);
        Tosses.check(check, "implied ones", ones, speaking, 0.5);
        Tosses.check(check, "rows that speak", speaking, rows, 1 - 8 * p.rowBound() / p.q());
        for (int k = 1; k <= depth; k++) {
            Tosses.check(check, "slots after " + k + " rows", reached[k], reached[0], Math.pow(0.5, k));
        }
        assertThat(check.outliers()).isEmpty();
    }

    private static List<StoredBlock> blocks(NtruParameters p, int count) throws MalformedEncodingException {
        List<StoredBlock> out = new ArrayList<>();
        List<IndexBlock> sealed = sealed(p, count);
        for (int i = 0; i < sealed.size(); i++) {
            out.add(SCHEME.storedForm(sealed.get(i), TestKeys.context(i)));
        }
        return out;
    }

    /** Full blocks of keywords that nobody has a trapdoor of. */
    private static List<IndexBlock> sealed(NtruParameters p, int count) {
        NtruIndexSealer sealer = TestKeys.sealer(p, "NoFalsePositiveStatTest");
        List<Posting> postings = new ArrayList<>();
        for (int i = 0; i < p.maxKeywords(); i++) {
            postings.add(Posting.of(TestKeys.keyword(1_000_000 + i), i));
        }
        List<IndexBlock> out = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            out.addAll(sealer.seal(TestKeys.DOMAIN, TestKeys.context(i), 256, postings));
        }
        return out;
    }
}
