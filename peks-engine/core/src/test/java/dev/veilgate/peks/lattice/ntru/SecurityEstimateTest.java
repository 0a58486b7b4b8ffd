package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /** (f, g) is so long that finding it, or the sublattice of its rotations, is far harder than the ciphertexts. */
    @ParameterizedTest
    @CsvSource({"N512_Q24, 481, 843", "N1024_Q27, 973, 1743", "N2048_Q29, 1962, 3570"})
    void keysAreHarderThanCiphertexts(String set, int secretKeyRecovery, int denseSublattice) throws Exception {
        NtruParameters p = NtruParameters.byId(set);
        NtruKeyAttacks keys = new NtruKeyAttacks(p.n(), p.q(), 1.17 * Math.sqrt(p.q() / (2.0 * p.n())));
        assertThat(keys.secretKeyRecovery()).isEqualTo(secretKeyRecovery);
        assertThat(keys.denseSublatticeDiscovery()).isEqualTo(denseSublattice);
        assertThat(Math.min(secretKeyRecovery, denseSublattice))
                .isGreaterThan(p.security().bkzBlockSize() * 2);
    }

    /**
     * Only their width protects the keys: with ternary f and g, as NTRU has them elsewhere, q is so large that the dense sublattice is found before
     * the ciphertexts are broken. Whoever shortens the keys meets this test.
     */
    @ParameterizedTest
    @CsvSource({"N1024_Q27, 313, 141", "N2048_Q29, 718, 398"})
    void ternaryKeysWouldFallToTheDenseSublattice(String set, int secretKeyRecovery, int denseSublattice)
            throws Exception {
        NtruParameters p = NtruParameters.byId(set);
        NtruKeyAttacks keys = new NtruKeyAttacks(p.n(), p.q(), NtruParameters.TERNARY_WIDTH);
        assertThat(keys.secretKeyRecovery()).isEqualTo(secretKeyRecovery);
        assertThat(keys.denseSublatticeDiscovery())
                .isEqualTo(denseSublattice)
                .isLessThan(p.security().bkzBlockSize());
    }
}
