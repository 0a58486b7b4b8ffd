package dev.veilgate.peks.lattice.ntru;

/** The phases of all kept coefficients of A·t_w, row by row as early rejection computes them: exact modulo 2^32. */
final class Rows {
    private Rows() {}

    /** The phases of a {@link HotBlock} at index {@code at}, times a {@link TestKernel#window}. */
    static int[] phases(NtruParameters p, byte[] hot, int at, int[] window) {
        int[] phases = new int[p.kept()];
        for (int row = 0; row < phases.length; row += 2) {
            long pair = TestKernel.innerProducts(
                    hot, at + HotBlock.PHASES_AT, window, p.n() - 1 - row * p.stride(), p.stride(), p.n());
            phases[row] = (int) pair;
            phases[row + 1] = (int) (pair >>> 32);
        }
        return phases;
    }
}
