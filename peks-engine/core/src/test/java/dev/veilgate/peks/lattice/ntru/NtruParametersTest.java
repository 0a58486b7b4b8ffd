package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.RecordSet;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Recomputes from the specification's formulas what the parameter sets derive: widths, bounds, the probability of a
 * miss, and the size on the wire that capacity plans are made with.
 */
class NtruParametersTest {
    private static final String ALL = "dev.veilgate.peks.lattice.ntru.NtruParameters#all";

    @Test
    void thePublishedSetsAreThese() throws MalformedEncodingException {
        assertThat(NtruParameters.all())
                .extracting(
                        NtruParameters::id,
                        NtruParameters::code,
                        NtruParameters::n,
                        NtruParameters::q,
                        NtruParameters::kept,
                        NtruParameters::maxKeywords,
                        NtruParameters::use)
                .containsExactly(
                        tuple("N512_Q24", 1, 512, 16_770_049, 256, 23, NtruParameters.Use.TESTS_AND_BENCHMARKS),
                        tuple("N1024_Q27", 2, 1024, 134_215_681, 256, 92, NtruParameters.Use.WHEN_NAMED),
                        tuple("N2048_Q29", 3, 2048, 536_813_569, 256, 256, NtruParameters.Use.DEFAULT));
        for (NtruParameters p : NtruParameters.all()) {
            assertThat(NtruParameters.byId(p.id())).isSameAs(p);
            assertThat(NtruParameters.byCode(p.code())).isSameAs(p);
            assertThat(p.toString()).isEqualTo(p.id());
        }
        for (String id : new String[] {"", "n512_q24", "N4096_Q30", "secret"}) {
            assertThatThrownBy(() -> NtruParameters.byId(id))
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessage("parameters: must be one of [N512_Q24, N1024_Q27, N2048_Q29]");
        }
        for (int code : new int[] {0, 4, 255, -1}) {
            assertThatThrownBy(() -> NtruParameters.byCode(code)).isInstanceOf(MalformedEncodingException.class);
        }
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void theRingIsOne(NtruParameters p) {
        assertThat(BigInteger.valueOf(p.q()).isProbablePrime(100)).isTrue();
        assertThat((p.q() - 1) % (2 * p.n())).isZero();
        assertThat(p.q() >> p.ring().modulus().bits()).isZero();
        assertThat(p.stride() * p.kept()).isEqualTo(p.n());
        assertThat(p.ring().n()).isEqualTo(p.n());
        assertThat(p.keptRing().n()).isEqualTo(p.kept());
    }

    /**
     * eta_eps(Z^2N) = sqrt(ln(4N(1 + 1/eps))/2)/pi, eps = 1/sqrt(2^64·lambda), lambda = 128 or 256: no sampler
     * narrower.
     */
    @ParameterizedTest
    @MethodSource(ALL)
    void theSmoothingWidthIsWide(NtruParameters p) {
        double lambda = p.n() == 512 ? 128 : 256;
        double epsilon = 1 / Math.sqrt(0x1p64 * lambda);
        double eta = Math.sqrt(Math.log(4.0 * p.n() * (1 + 1 / epsilon)) / 2) / Math.PI;
        assertThat(p.smoothing()).isBetween(eta, eta + 0.001);
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void widthsAndBoundsFollowTheirFormulas(NtruParameters p) {
        double sigma = p.smoothing() * 1.17 * Math.sqrt(p.q());
        assertThat(p.sigma()).isCloseTo(sigma, within(sigma));
        double norm = 1.1 * sigma * Math.sqrt(2.0 * p.n());
        assertThat(p.normBound()).isCloseTo(norm, within(norm));
        assertThat((double) p.normSquaredLimit()).isCloseTo(norm * norm, within(norm * norm));
        double sigmaZ = Math.sqrt(2.0 / 3) * sigma * Math.sqrt(2.0 * p.n());
        assertThat((double) p.floodBound()).isCloseTo(2 * sigmaZ, Offset.offset(1.0));
        double phases = p.rowTail() / 2 * norm * p.q() / 0x1p32;
        double first = p.firstHalfBound();
        double rho = p == NtruParameters.N2048_Q29 ? 0.25 : 0.5;
        assertThat(p.shiftVariance()).isEqualTo(rho);
        double tau = p.rowTail() * Math.sqrt(2.0 / 3 * norm * norm + rho * first * first) + p.floodBound() + phases;
        assertThat(p.rowBound()).isCloseTo(tau, within(tau));
        assertThat(p.rowBound()).isLessThan(p.q() / 8.0);
        // a trapdoor's coefficients fit 20 bits with room for twelve widths
        assertThat(12 * sigma).isLessThan(1 << 19);
    }

    private static Offset<Double> within(double value) {
        return Offset.offset(Math.abs(value) * 1e-9);
    }

    /**
     * The bound of the specification's table, over one slot: a row beyond tau, of all L, or a kept coefficient beyond
     * q/8 (Chernoff over r0, rho and e1, whatever the trapdoor, if its s has the norm that all but 2^-64 have;
     * Hoeffding for the phases, in the rows at the width that tau allows, in decoding at three times that).
     */
    @ParameterizedTest
    @MethodSource(ALL)
    void aRightKeywordIsHardlyEverMissed(NtruParameters p) {
        double norm = p.normBound();
        double phases = p.rowTail() / 2 * norm * p.q() / 0x1p32;
        double rows = p.kept() * 2 * 2 * Math.exp(-p.rowTail() * p.rowTail() / 2);
        double width = Math.sqrt(2.0 / 3 * norm * norm + p.shiftVariance() * Math.pow(p.firstHalfBound(), 2));
        double tail = (p.q() / 8.0 - p.floodBound() - 3 * phases) / width;
        double decoding = p.kept() * 2 * (Math.exp(-tail * tail / 2) + Math.exp(-9 * p.rowTail() * p.rowTail() / 2));
        double bits = Math.log(rows + decoding) / Math.log(2);
        assertThat(bits).isLessThan(p.use() == NtruParameters.Use.TESTS_AND_BENCHMARKS ? -26 : -64);
    }

    /**
     * The specification's 7,461 bytes a block, 52 or 48 a slot, 16 a cell: slots and cells are paid for in sixteens.
     */
    @Test
    void blocksOfTheDefaultSetAreAsLongAsPlanned() {
        NtruParameters p = NtruParameters.N2048_Q29;
        NtruIndexSealer sealer = TestKeys.sealer(p, "NtruParametersTest");
        for (int keywords : new int[] {1, 16, 17, 200, 250, 256}) {
            List<Posting> many = new ArrayList<>();
            List<Posting> frequent = new ArrayList<>();
            List<Posting> single = new ArrayList<>();
            for (int i = 0; i < keywords; i++) {
                many.add(Posting.of(TestKeys.keyword(i), i, 255));
                frequent.add(new Posting(
                        TestKeys.keyword(i),
                        RecordSet.of(IntStream.rangeClosed(0, i).toArray())));
                single.add(Posting.of(TestKeys.keyword(i), 0));
            }
            int slots = (keywords + 15) / 16 * 16;
            int cells = Math.clamp(keywords - 4, 0, 12) + 2 * Math.max(0, keywords - 16);
            int header = 39
                    + TestKeys.DOMAIN.scope().length()
                    + TestKeys.DOMAIN.epoch().length();
            assertThat(length(sealer.seal(TestKeys.DOMAIN, TestKeys.context(0), 256, many)))
                    .isEqualTo(header + 7461 + 49 * slots);
            assertThat(length(sealer.seal(TestKeys.DOMAIN, TestKeys.context(0), 256, frequent)))
                    .isEqualTo(header + 7461 + 49 * slots + 16 * ((cells + 15) / 16 * 16));
            assertThat(length(sealer.seal(TestKeys.DOMAIN, TestKeys.context(0), 1, single)))
                    .isEqualTo(header + 7461 + 45 * slots);
        }
    }

    private static int length(List<IndexBlock> blocks) {
        assertThat(blocks).hasSize(1);
        return blocks.getFirst().encode().length;
    }
}
