package dev.veilgate.math.ring;

import java.util.Arrays;

/**
 * Number-theoretic transform of {@code R_q = Z_q[x]/(x^N + 1)}: evaluation at the N odd powers of a primitive 2N-th
 * root of unity psi, so that a product in R_q is a product of values.
 *
 * <p>Order of the values: the tree of factors x^N + 1 = (x^(N/2) - c)(x^(N/2) + c), and so on, depth first. S = 2^k
 * adjacent values therefore belong to one factor x^S - y, which is what {@link #foldHat} uses.
 *
 * <p>Butterflies are Harvey's ("Faster arithmetic for number-theoretic transforms", J. Symb. Comp. 2014): operands stay
 * in [0, 4q) forwards and in [0, 2q) backwards (4q below 2^32, held in an int as unsigned), products by a constant w
 * use Shoup's precomputed floor(w·2^32/q) and land in [0, 2q) for every 32-bit operand. Results are canonical. No
 * branch or index depends on the values.
 *
 * <p>Immutable; safe for use by several threads.
 */
public final class NegacyclicNtt {
    private static final long LOW_32 = 0xffff_ffffL;

    private final int n;
    private final int q;
    private final Modulus modulus;
    /** Root of node i of the tree (i = 1 .. n-1), and its Shoup companion. */
    private final int[] roots;

    private final int[] rootsShoup;
    private final int[] inverseRoots;
    private final int[] inverseRootsShoup;
    /**
     * The transform is done on a matrix, rows·columns = n: layers above the rows join rows, those below join columns
     * once it is transposed, where each lane has a root of its own. So a butterfly is always a loop over two arrays,
     * which the JIT makes vector instructions of, as it does not of two parts of one array.
     */
    private final int rows;

    private final int columns;
    /** {@code [node of a row's tree][row]}. */
    private final int[][] laneRoots;

    private final int[][] laneRootsShoup;
    private final int[][] laneInverseRoots;
    private final int[][] laneInverseRootsShoup;
    /** 2^-k mod q, with the Montgomery factor. */
    private final int[] foldScalesMont;

    private final int inverseN;
    private final int inverseNShoup;
    private final int psi;

    /**
     * @param n ring degree, a power of two from 2 to 2^15
     * @param q prime with q = 1 mod 2n, below 2^30
     */
    public NegacyclicNtt(int n, int q) {
        this(n, q, primitiveRoot(n, q));
    }

    private NegacyclicNtt(int n, int q, int psi) {
        this.n = n;
        this.q = q;
        this.psi = psi;
        this.modulus = new Modulus(q);
        if (modulus.power(psi, n) != q - 1) {
            throw new IllegalArgumentException("not a primitive 2n-th root of unity");
        }
        roots = new int[n];
        rootsShoup = new int[n];
        inverseRoots = new int[n];
        inverseRootsShoup = new int[n];
        int log = Integer.numberOfTrailingZeros(n);
        for (int i = 1; i < n; i++) {
            int exponent = Integer.reverse(i) >>> 32 - log;
            roots[i] = modulus.power(psi, exponent);
            rootsShoup[i] = shoup(roots[i]);
            inverseRoots[i] = modulus.inverse(roots[i]);
            inverseRootsShoup[i] = shoup(inverseRoots[i]);
        }
        rows = 1 << log / 2;
        columns = n / rows;
        laneRoots = lanes(roots);
        laneRootsShoup = lanes(rootsShoup);
        laneInverseRoots = lanes(inverseRoots);
        laneInverseRootsShoup = lanes(inverseRootsShoup);
        foldScalesMont = new int[log + 1];
        for (int k = 0; k <= log; k++) {
            foldScalesMont[k] = modulus.toMont(modulus.inverse(1 << k));
        }
        inverseN = modulus.inverse(n);
        inverseNShoup = shoup(inverseN);
    }

    /** Node i = 2^l + m of the tree below row r is node rows·2^l + r·2^l + m of the whole tree. */
    private int[][] lanes(int[] ofNodes) {
        int[][] lanes = new int[columns][rows];
        for (int i = 1; i < columns; i++) {
            int width = Integer.highestOneBit(i);
            for (int row = 0; row < rows; row++) {
                lanes[i][row] = ofNodes[rows * width + row * width + i - width];
            }
        }
        return lanes;
    }

    /** Ring degree N. */
    public int n() {
        return n;
    }

    /** Arithmetic modulo q. */
    public Modulus modulus() {
        return modulus;
    }

    /**
     * The transform of the subring Z_q[y]/(y^L + 1), y = x^(N/L), with the root that fits this one's: what
     * {@link #foldHat} returns is in its domain.
     */
    public NegacyclicNtt subring(int l) {
        if (l < 2 || n % l != 0) {
            throw new IllegalArgumentException("l must divide n");
        }
        return new NegacyclicNtt(l, q, modulus.power(psi, n / l));
    }

    /** Coefficients to values, in place; coefficients in [0, q), values in [0, q). */
    public void forwardInPlace(int[] a) {
        assert a.length == n;
        int[][] matrix = rows(a);
        for (int half = rows >> 1, nodes = 1; half >= 1; half >>= 1, nodes <<= 1) {
            for (int node = 0; node < nodes; node++) {
                int w = roots[nodes + node];
                int wShoup = rootsShoup[nodes + node];
                for (int j = 2 * node * half, end = j + half; j < end; j++) {
                    butterflies(matrix[j], matrix[j + half], w, wShoup);
                }
            }
        }
        int[][] turned = columns(matrix);
        for (int half = columns >> 1, nodes = 1; half >= 1; half >>= 1, nodes <<= 1) {
            for (int node = 0; node < nodes; node++) {
                int[] w = laneRoots[nodes + node];
                int[] wShoup = laneRootsShoup[nodes + node];
                for (int j = 2 * node * half, end = j + half; j < end; j++) {
                    butterflies(turned[j], turned[j + half], w, wShoup);
                }
            }
        }
        for (int column = 0; column < columns; column++) {
            int[] lanes = turned[column];
            for (int lane = 0; lane < lanes.length; lane++) {
                lanes[lane] = reduceFrom4q(lanes[lane]);
            }
            for (int row = 0; row < rows; row++) {
                a[row * columns + column] = lanes[row];
            }
        }
        clear(matrix);
        clear(turned);
    }

    /** Values to coefficients, in place; both in [0, q). */
    public void inverseInPlace(int[] aHat) {
        assert aHat.length == n;
        int[][] turned = new int[columns][rows];
        for (int column = 0; column < columns; column++) {
            int[] lanes = turned[column];
            for (int row = 0; row < rows; row++) {
                lanes[row] = aHat[row * columns + column];
            }
        }
        for (int half = 1, nodes = columns >> 1; half < columns; half <<= 1, nodes >>= 1) {
            for (int node = 0; node < nodes; node++) {
                int[] w = laneInverseRoots[nodes + node];
                int[] wShoup = laneInverseRootsShoup[nodes + node];
                for (int j = 2 * node * half, end = j + half; j < end; j++) {
                    inverseButterflies(turned[j], turned[j + half], w, wShoup);
                }
            }
        }
        int[][] matrix = columns(turned);
        for (int half = 1, nodes = rows >> 1; half < rows; half <<= 1, nodes >>= 1) {
            for (int node = 0; node < nodes; node++) {
                int w = inverseRoots[nodes + node];
                int wShoup = inverseRootsShoup[nodes + node];
                for (int j = 2 * node * half, end = j + half; j < end; j++) {
                    inverseButterflies(matrix[j], matrix[j + half], w, wShoup);
                }
            }
        }
        for (int row = 0; row < rows; row++) {
            int[] of = matrix[row];
            for (int j = 0; j < of.length; j++) {
                of[j] = reduceFrom4q(multiplyShoupLazy(of[j], inverseN, inverseNShoup));
            }
            System.arraycopy(of, 0, aHat, row * columns, columns);
        }
        clear(matrix);
        clear(turned);
    }

    /** An element as a matrix, row after row. */
    private int[][] rows(int[] a) {
        int[][] matrix = new int[rows][];
        for (int row = 0; row < rows; row++) {
            matrix[row] = Arrays.copyOfRange(a, row * columns, (row + 1) * columns);
        }
        return matrix;
    }

    /** The transposed matrix. */
    private static int[][] columns(int[][] matrix) {
        int[][] turned = new int[matrix[0].length][matrix.length];
        for (int row = 0; row < matrix.length; row++) {
            int[] of = matrix[row];
            for (int column = 0; column < of.length; column++) {
                turned[column][row] = of[column];
            }
        }
        return turned;
    }

    private static void clear(int[][] matrix) {
        for (int[] row : matrix) {
            Arrays.fill(row, 0);
        }
    }

    private void butterflies(int[] us, int[] vs, int w, int wShoup) {
        int twoQ = 2 * q;
        for (int lane = 0; lane < us.length; lane++) {
            int u = us[lane] - twoQ;
            u += u >> 31 & twoQ; // [0, 2q)
            int t = multiplyShoupLazy(vs[lane], w, wShoup); // [0, 2q)
            us[lane] = u + t;
            vs[lane] = u - t + twoQ;
        }
    }

    private void butterflies(int[] us, int[] vs, int[] w, int[] wShoup) {
        int twoQ = 2 * q;
        for (int lane = 0; lane < us.length; lane++) {
            int u = us[lane] - twoQ;
            u += u >> 31 & twoQ; // [0, 2q)
            int t = multiplyShoupLazy(vs[lane], w[lane], wShoup[lane]); // [0, 2q)
            us[lane] = u + t;
            vs[lane] = u - t + twoQ;
        }
    }

    /**
     * {@link #inverseInPlace} of many elements at once: {@code aHat[j][lane]} is value j of element {@code lane}. A
     * butterfly is then a loop over two rows.
     */
    public void inverseRowsInPlace(int[][] aHat) {
        assert aHat.length == n;
        int nodes = n;
        for (int half = 1; half < n; half <<= 1) {
            nodes >>= 1;
            for (int node = 0; node < nodes; node++) {
                int w = inverseRoots[nodes + node];
                int wShoup = inverseRootsShoup[nodes + node];
                for (int j = 2 * node * half, end = j + half; j < end; j++) {
                    inverseButterflies(aHat[j], aHat[j + half], w, wShoup);
                }
            }
        }
        for (int[] row : aHat) {
            for (int lane = 0; lane < row.length; lane++) {
                row[lane] = reduceFrom4q(multiplyShoupLazy(row[lane], inverseN, inverseNShoup));
            }
        }
    }

    private void inverseButterflies(int[] us, int[] vs, int w, int wShoup) {
        int twoQ = 2 * q;
        for (int lane = 0; lane < us.length; lane++) {
            int u = us[lane];
            int v = vs[lane];
            int sum = u + v - twoQ;
            us[lane] = sum + (sum >> 31 & twoQ); // [0, 2q)
            vs[lane] = multiplyShoupLazy(u - v + twoQ, w, wShoup); // operand in (0, 4q), result in [0, 2q)
        }
    }

    private void inverseButterflies(int[] us, int[] vs, int[] w, int[] wShoup) {
        int twoQ = 2 * q;
        for (int lane = 0; lane < us.length; lane++) {
            int u = us[lane];
            int v = vs[lane];
            int sum = u + v - twoQ;
            us[lane] = sum + (sum >> 31 & twoQ); // [0, 2q)
            vs[lane] = multiplyShoupLazy(u - v + twoQ, w[lane], wShoup[lane]); // likewise
        }
    }

    /** y·w mod q, lazily: in [0, 2q) for every y of 32 bits (unsigned) and w in [0, q) with floor(w·2^32/q). */
    private int multiplyShoupLazy(int y, int w, int wShoup) {
        int quotient = (int) ((y & LOW_32) * (wShoup & LOW_32) >>> 32);
        return y * w - quotient * q;
    }

    /** out = a·b value by value, b carrying the Montgomery factor; out may be a or b. */
    public void multiplyHat(int[] outHat, int[] aHat, int[] bHatMont) {
        for (int j = 0; j < n; j++) { // the JIT makes vector instructions of it
            outHat[j] = modulus.multiplyMont(aHat[j], bHatMont[j]);
        }
    }

    /** Gives every value the Montgomery factor 2^32, in place. */
    public void toMontInPlace(int[] aHat) {
        for (int j = 0; j < aHat.length; j++) {
            aHat[j] = modulus.toMont(aHat[j]);
        }
    }

    /**
     * Values (in {@link #subring}(L)'s domain, out.length = L) of the polynomial of the coefficients j = 0 mod N/L of
     * a·b, without computing the others. With x^S = y the S roots of a factor x^S - y have the mean C_0(y) where a·b =
     * sum_k x^k·C_k(x^S).
     *
     * @param scratch N longs, overwritten with values that tell a·b
     */
    public void foldHat(int[] outHat, int[] aHat, int[] bHatMont, long[] scratch) {
        int stride = n / outHat.length;
        int scaleMont = foldScalesMont[Integer.numberOfTrailingZeros(stride)];
        if ((long) stride * q <= 1L << 32) { // the sum of S products is below q·2^32: one reduction for all of them
            for (int j = 0; j < n; j++) {
                scratch[j] = (long) aHat[j] * bHatMont[j];
            }
        } else {
            for (int j = 0; j < n; j++) {
                scratch[j] = modulus.multiplyMont(aHat[j], bHatMont[j]);
            }
            scaleMont = modulus.toMont(scaleMont); // the sum's reduction takes one factor away
        }
        sumNeighbours(scratch, stride, outHat.length);
        for (int i = 0; i < outHat.length; i++) {
            outHat[i] = modulus.multiplyMont(modulus.reduceMont(scratch[i]), scaleMont);
        }
    }

    /** values[i] = the sum of the S values from i·S on, i = 0 .. count - 1. */
    private static void sumNeighbours(long[] values, int stride, int count) {
        if (stride == 8) { // the default parameters': without a loop of eight steps
            for (int i = 0; i < count; i++) {
                int j = 8 * i;
                long low = values[j] + values[j + 1] + (values[j + 2] + values[j + 3]);
                values[i] = low + (values[j + 4] + values[j + 5] + (values[j + 6] + values[j + 7]));
            }
            return;
        }
        for (int i = 0, j = 0; i < count; i++) {
            long sum = 0;
            for (int end = j + stride; j < end; j++) {
                sum += values[j];
            }
            values[i] = sum;
        }
    }

    /**
     * Inverse of every value, in place (Montgomery's trick: one inversion).
     *
     * @return false, with {@code aHat} unspecified, if a value is 0, so that the element is not invertible
     */
    public boolean invertHatInPlace(int[] aHat) {
        int[] prefix = new int[n];
        long product = 1;
        for (int j = 0; j < n; j++) {
            prefix[j] = (int) product;
            product = product * aHat[j] % q;
        }
        if (product == 0) {
            Arrays.fill(prefix, 0);
            return false;
        }
        long inverse = modulus.inverse((int) product);
        for (int j = n - 1; j >= 0; j--) {
            int a = aHat[j];
            aHat[j] = (int) (inverse * prefix[j] % q);
            inverse = inverse * a % q;
        }
        Arrays.fill(prefix, 0);
        return true;
    }

    private int reduceFrom4q(int a) {
        int u = a - 2 * q;
        u += u >> 31 & 2 * q;
        int v = u - q;
        return v + (v >> 31 & q);
    }

    private int shoup(int w) {
        return (int) (((long) w << 32) / q);
    }

    /**
     * The least primitive 2n-th root of unity that is a power x^((q-1)/2n), x = 2, 3, ...: the same on every machine.
     */
    private static int primitiveRoot(int n, int q) {
        if (n < 2 || n > 1 << 15 || Integer.bitCount(n) != 1) {
            throw new IllegalArgumentException("n must be a power of two from 2 to 2^15");
        }
        Modulus modulus = new Modulus(q);
        if ((q - 1) % (2 * n) != 0) {
            throw new IllegalArgumentException("q must be 1 mod 2n");
        }
        if (!isPrime(q)) { // 697 = 17·41 has roots of order 8, but no inverses by Fermat
            throw new IllegalArgumentException("q is not prime");
        }
        for (int x = 2; x < q; x++) {
            int root = modulus.power(x, (q - 1) / (2L * n));
            if (modulus.power(root, n) == q - 1) {
                return root;
            }
        }
        throw new AssertionError("a prime has primitive roots");
    }

    /** By trial division, for an odd q: at most 2^14 steps. */
    private static boolean isPrime(int q) {
        for (int d = 3; d <= q / d; d += 2) {
            if (q % d == 0) {
                return false;
            }
        }
        return true;
    }
}
