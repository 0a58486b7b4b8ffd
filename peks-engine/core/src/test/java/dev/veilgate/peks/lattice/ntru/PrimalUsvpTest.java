package dev.veilgate.peks.lattice.ntru;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrimalUsvpTest {
    private static final double TERNARY = Math.sqrt(2.0 / 3);

    /** The table of the scheme's specification, which rounds: a block size of two either way. */
    @ParameterizedTest
    @CsvSource({"2048, 29, 718, 210", "1024, 27, 314, 92", "512, 24, 134, 39"})
    void ternarySecretsOfTheParameterSets(int n, double log2Q, int beta, double bits) {
        int measured = PrimalUsvp.blockSize(n, n, log2Q, TERNARY);
        assertEquals(beta, measured, 2);
        assertEquals(bits, PrimalUsvp.classicalBits(measured), 1);
    }

    @Test
    void hintsAndSmallerDimensionsHelpTheAttacker() {
        int beta = PrimalUsvp.blockSize(2048, 2048, 29, TERNARY);
        assertTrue(PrimalUsvp.blockSize(2048, 2048, 29, TERNARY * Math.sqrt(0.5)) < beta);
        assertTrue(PrimalUsvp.blockSize(2000, 2048, 29, TERNARY) < beta);
        assertTrue(PrimalUsvp.blockSize(2048, 2048, 30, TERNARY) < beta);
    }

    @Test
    void isTheLeastBlockSizeThatSolves() {
        int beta = PrimalUsvp.blockSize(1024, 1024, 27, TERNARY);
        for (int b = 60; b < 2049; b++) {
            assertEquals(b >= beta, PrimalUsvp.solves(b, 1024, 1024, 27, TERNARY), "block size " + b);
        }
    }

    @Test
    void rejectsNonsense() {
        assertThrows(IllegalArgumentException.class, () -> PrimalUsvp.blockSize(0, 1, 29, TERNARY));
        assertThrows(IllegalArgumentException.class, () -> PrimalUsvp.blockSize(8, 8, 29, 0));
        assertThrows(IllegalArgumentException.class, () -> PrimalUsvp.blockSize(8, 8, Double.NaN, 1));
    }
}
