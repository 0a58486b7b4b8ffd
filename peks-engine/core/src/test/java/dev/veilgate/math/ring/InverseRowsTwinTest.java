package dev.veilgate.math.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The inverse transform of many elements at once is that of each. */
class InverseRowsTwinTest {
    private static final TestSeed SEED = TestSeed.of(InverseRowsTwinTest.class);

    @ParameterizedTest
    @CsvSource({"2, 17", "16, 7681", "256, 16770049", "256, 134215681", "256, 536813569", "64, 1073738753"})
    void everyLaneIsTheInverseOfItsValues(int n, int q) {
        NegacyclicNtt ntt = new NegacyclicNtt(n, q);
        SplittableRandom random = SEED.random(n + "/" + q);
        for (int lanes : new int[] {1, 2, 16, 17, 64, 100, 256}) {
            int[][] rows = new int[n][lanes];
            int[][] single = new int[lanes][n];
            for (int lane = 0; lane < lanes; lane++) {
                for (int j = 0; j < n; j++) {
                    int value = switch (lane % 5) {
                        case 0 -> q - 1;
                        case 1 -> j % 2 == 0 ? q - 1 : 0;
                        case 2 -> j < n / 2 ? 0 : q - 1;
                        default -> random.nextInt(q);
                    };
                    rows[j][lane] = value;
                    single[lane][j] = value;
                }
            }
            ntt.inverseRowsInPlace(rows);
            for (int lane = 0; lane < lanes; lane++) {
                ntt.inverseInPlace(single[lane]);
                int at = lane;
                assertThat(Arrays.stream(rows).mapToInt(row -> row[at]).toArray())
                        .isEqualTo(single[lane]);
            }
        }
    }
}
