package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The security estimates that the parameter sets carry are what {@link PrimalUsvp} computes from N and q. */
class SecurityEstimateTest {
    private static List<NtruParameters> sets() {
        return NtruParameters.all();
    }

    @ParameterizedTest
    @MethodSource("sets")
    void isRecomputed(NtruParameters p) {
        double log2Q = Math.log(p.q()) / Math.log(2);
        int beta = PrimalUsvp.blockSize(p.n(), p.n(), log2Q, NtruParameters.TERNARY_WIDTH);
        assertThat(p.security().bkzBlockSize()).isEqualTo(beta);
        assertThat(p.security().classicalBits()).isEqualTo((int) PrimalUsvp.classicalBits(beta));
        assertThat(p.security().quantumBits()).isEqualTo((int) PrimalUsvp.quantumBits(beta));
    }

    /** (f, g) is so long that finding it is far harder than the ciphertexts. */
    @ParameterizedTest
    @MethodSource("sets")
    void keysAreHarderThanCiphertexts(NtruParameters p) {
        double log2Q = Math.log(p.q()) / Math.log(2);
        double width = 1.17 * Math.sqrt(p.q() / (2.0 * p.n()));
        int beta = PrimalUsvp.blockSize(p.n(), p.n(), log2Q, width);
        assertThat(beta).isGreaterThan(p.security().bkzBlockSize() * 2);
    }
}
