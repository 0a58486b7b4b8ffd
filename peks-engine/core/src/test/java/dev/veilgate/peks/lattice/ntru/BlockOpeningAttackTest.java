package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.TestSeed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Blocks that are not sealed as they should be: what an authority finds in them is what the specification's section 8
 * says, term by term.
 */
class BlockOpeningAttackTest {
    private static final TestSeed SEED = TestSeed.of(BlockOpeningAttackTest.class);
    private static final String ALL = "dev.veilgate.peks.lattice.ntru.NtruParameters#all";
    private static final int OWN_WORDS = 8;

    private static BlockOpening open(NtruParameters p, ForgedBlock forged) throws MalformedEncodingException {
        return TestKeys.scheme(p)
                .open(TestKeys.of(p).secretKey(), TestKeys.DOMAIN.tenant(), forged.block(), ForgedBlock.CONTEXT);
    }

    private static void assertAsThePage(NtruParameters p, ForgedBlock forged, String family)
            throws MalformedEncodingException {
        PlainOpening plain = new PlainOpening(TestKeys.of(p));
        int[] r = plain.r(forged.plain().a).orElse(null);
        try (BlockOpening opening = open(p, forged)) {
            assertThat(opening.isWellFormed()).as(family).isEqualTo(r != null);
            for (int i = 0; i < 2 * OWN_WORDS; i++) {
                List<SlotMatch> expected =
                        r == null ? List.of() : plain.match(forged.plain(), forged.binding(), r, TestKeys.keyword(i));
                assertThat(opening.find(TestKeys.keyword(i))).as(family).isEqualTo(expected);
            }
        }
    }

    /** Each family of forged masks with slots for words of which its sender has trapdoors, v = A·t_w. */
    @ParameterizedTest
    @MethodSource(ALL)
    void forgedMasksHaveNoKeywords(NtruParameters p) throws MalformedEncodingException {
        SplittableRandom random = SEED.random("families/" + p);
        Map<String, int[]> families = new HashMap<>(new ForgedMasks(p, random).all());
        families.put("honest", ForgedBlock.honestA(p, "BlockOpeningAttackTest"));
        for (Map.Entry<String, int[]> family : families.entrySet()) {
            ForgedBlock forged = ForgedBlock.shifted(p, 16, 1, family.getValue());
            for (int i = 0; i < OWN_WORDS; i++) {
                int[] t = TestKeys.trapdoor(p, TestKeys.keyword(i)).t();
                forged.seal(i, PlainTwin.kept(p, PlainTwin.product(p, forged.plain().a, t)));
            }
            assertAsThePage(p, forged, family.getKey());
        }
    }

    /**
     * Slots at the flood bound: v in the quarter beside that of u, whose nearest element is so far away. At the bound
     * a slot is found, beyond it is not, though its tag is right and Test, which allows for more, finds both.
     */
    @Test
    void countsARowWithinTheFloodBoundAndNotBeyond() throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N2048_Q29;
        PlainOpening plain = new PlainOpening(TestKeys.of(p));
        int[] a0 = ForgedBlock.honestA(p, "flood");
        int[] counts = new int[2];
        long[] nearest = {Long.MAX_VALUE, Long.MAX_VALUE};
        for (int word = 0; word < 60; word++) {
            ForgedBlock forged = ForgedBlock.shifted(p, 16, 1, a0);
            int[] r = plain.r(forged.plain().a).orElseThrow();
            int[] u = plain.product(r, TestKeys.keyword(word));
            for (int row = 0; row < u.length; row++) {
                for (int quarter = 0; quarter < 4; quarter++) {
                    long distance = plain.distance(u[row], quarter);
                    if (distance == 0 || distance > 2L * p.floodBound()) {
                        continue;
                    }
                    int[] v = u.clone();
                    v[row] = (int) ((2L * quarter + 1) * p.q() / 8);
                    forged.seal(3, v);
                    boolean within = distance <= p.floodBound();
                    try (BlockOpening opening = open(p, forged)) {
                        assertThat(opening.find(TestKeys.keyword(word))).hasSize(within ? 1 : 0);
                    }
                    counts[within ? 0 : 1]++;
                    int side = within ? 0 : 1;
                    nearest[side] = Math.min(nearest[side], Math.abs(distance - p.floodBound()));
                }
            }
        }
        assertThat(counts[0]).isGreaterThan(300);
        assertThat(counts[1]).isGreaterThan(300);
        assertThat(Math.max(nearest[0], nearest[1])).isLessThan(p.floodBound() / 20L);
    }

    /** A bit of a row that speaks is turned, and the tag is right: no slot. */
    @Test
    void allRowsHaveToAgree() throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N2048_Q29;
        PlainOpening plain = new PlainOpening(TestKeys.of(p));
        ForgedBlock forged = ForgedBlock.shifted(p, 16, 1, ForgedBlock.honestA(p, "rows"));
        int[] r = plain.r(forged.plain().a).orElseThrow();
        int[] u = plain.product(r, TestKeys.keyword(5));
        byte[] column = PlainTwin.bits(u, p, false);
        byte[] slotKey = PlainTwin.bits(u, p, true);
        int turned = 0;
        for (int row = 0; row < p.kept(); row++) {
            byte[] changed = column.clone();
            changed[row >> 3] ^= (byte) (1 << (row & 7));
            int beside = (int) (4L * u[row] / p.q());
            if (Math.min(plain.distance(u[row], beside + 1 & 3), plain.distance(u[row], beside + 3 & 3))
                    <= p.floodBound()) {
                continue; // an honest e2 may turn it
            }
            forged.put(3, changed, slotKey);
            try (BlockOpening opening = open(p, forged)) {
                assertThat(opening.isWellFormed()).isTrue();
                assertThat(opening.find(TestKeys.keyword(5))).isEmpty();
            }
            turned++;
        }
        assertThat(turned).isGreaterThan(200);
        forged.put(3, column, slotKey);
        try (BlockOpening opening = open(p, forged)) {
            assertThat(opening.find(TestKeys.keyword(5)))
                    .extracting(SlotMatch::slot)
                    .containsExactly(3);
        }
    }

    /** Why a trapdoor that was issued has to be asked as well. */
    @Test
    void aHolderOfATrapdoorMakesASlotThatOnlyTheSecretKeyFinds() throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N2048_Q29;
        PublicKey key = TestKeys.of(p).publicKey();
        NtruIndexScheme scheme = NtruIndexScheme.accepting(NtruParameters.all());
        int[] t = TestKeys.trapdoor(p, TestKeys.keyword(5)).t();
        int[] h1 = PlainTwin.hash(p, key, TestKeys.DOMAIN, TestKeys.keyword(5));
        ForgedBlock forged = new HiddenSlot(key, t, h1).seal(key, ForgedBlock.CONTEXT, 1);
        try (BlockOpening opening = open(p, forged)) {
            assertThat(opening.isWellFormed()).isTrue();
            assertThat(opening.find(TestKeys.keyword(5))).hasSize(1);
        }
        assertThat(scheme.match(scheme.prepare(TestKeys.scoped(p, TestKeys.keyword(5))), admitted(p, forged)))
                .isEmpty();
    }

    private static StoredBlock admitted(NtruParameters p, ForgedBlock forged) throws MalformedEncodingException {
        return NtruIndexScheme.accepting(NtruParameters.all())
                .verifier(TestKeys.of(p).publicKey().encode())
                .verify(List.of(forged.block()), ForgedBlock.CONTEXT)
                .getFirst();
    }
}
