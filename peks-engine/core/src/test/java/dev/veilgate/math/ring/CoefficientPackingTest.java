package dev.veilgate.math.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.TestSeed;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Packing is the little-endian number of the digits, for every width, and nothing else unpacks: one encoding a value. */
class CoefficientPackingTest {
    private static final TestSeed SEED = TestSeed.of(CoefficientPackingTest.class);
    private static final int[] COUNTS = {1, 2, 3, 7, 8, 9, 31, 64, 100};
    private static final int MARGIN = 3;

    static IntStream widths() {
        return IntStream.rangeClosed(1, 32);
    }

    @ParameterizedTest
    @MethodSource("widths")
    void packsAsALittleEndianNumberAndTouchesNothingElse(int width) throws MalformedEncodingException {
        for (int count : COUNTS) {
            for (int[] values : inputs(count, width)) {
                int length = CoefficientPacking.bytes(count, width);
                byte[] expected = plain(values, width);
                byte[] out = new byte[length + 2 * MARGIN];
                Arrays.fill(out, (byte) 0x5a);
                CoefficientPacking.pack(values, width, out, MARGIN);
                assertThat(Arrays.copyOfRange(out, MARGIN, MARGIN + length)).isEqualTo(expected);
                for (int i = 0; i < MARGIN; i++) {
                    assertThat(out[i]).isEqualTo((byte) 0x5a);
                    assertThat(out[MARGIN + length + i]).isEqualTo((byte) 0x5a);
                }
                int[] back = new int[count];
                CoefficientPacking.unpack(out, MARGIN, width, back, 1L << width, "field");
                assertThat(back).isEqualTo(values);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("widths")
    void refusesValuesOfTheLimitOrMore(int width) throws MalformedEncodingException {
        SplittableRandom random = SEED.random("limits of " + width);
        for (int count : COUNTS) {
            for (long limit : new long[] {1, (1L << width) - 1, 1 + random.nextLong(1L << width)}) {
                if (limit < 1 || limit == 1L << width) {
                    continue;
                }
                for (int at : new int[] {0, count / 2, count - 1}) {
                    int[] values = new int[count];
                    values[at] = (int) (limit - 1);
                    int[] back = new int[count];
                    CoefficientPacking.unpack(plain(values, width), 0, width, back, limit, "field");
                    assertThat(back).isEqualTo(values);
                    for (long tooLarge : new long[] {limit, (1L << width) - 1}) {
                        values[at] = (int) tooLarge;
                        byte[] packed = plain(values, width);
                        assertMalformed(
                                () -> CoefficientPacking.unpack(packed, 0, width, new int[count], limit, "some-field"));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("widths")
    void refusesEveryUnusedBit(int width) {
        for (int count : COUNTS) {
            int[] values = inputs(count, width)[2];
            byte[] packed = plain(values, width);
            for (long bit = (long) count * width; bit < 8L * packed.length; bit++) {
                byte[] forged = packed.clone();
                forged[forged.length - 1] |= (byte) (1 << (int) (bit & 7));
                assertMalformed(
                        () -> CoefficientPacking.unpack(forged, 0, width, new int[count], 1L << width, "some-field"));
            }
        }
    }

    private static void assertMalformed(ThrowingCallable unpack) {
        assertThatThrownBy(unpack)
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("some-field");
    }

    /** Whatever unpacks packs to the same bytes. */
    @ParameterizedTest
    @MethodSource("widths")
    void whatIsAcceptedIsCanonical(int width) {
        SplittableRandom random = SEED.random("canonical " + width);
        int accepted = 0;
        for (int i = 0; i < 300; i++) {
            int count = 1 + random.nextInt(3);
            byte[] bytes = new byte[CoefficientPacking.bytes(count, width)];
            random.nextBytes(bytes);
            if (random.nextBoolean()) {
                bytes[bytes.length - 1] &= (byte) (0xff >>> 8 * bytes.length - count * width);
            }
            int[] values = new int[count];
            try {
                CoefficientPacking.unpack(bytes, 0, width, values, 1L << width, "field");
            } catch (MalformedEncodingException e) {
                continue;
            }
            accepted++;
            byte[] again = new byte[bytes.length];
            CoefficientPacking.pack(values, width, again, 0);
            assertThat(again).isEqualTo(bytes);
        }
        assertThat(accepted).isGreaterThan(50);
    }

    @Test
    void lengthIsTheBitsRoundedUpAndDoesNotOverflow() {
        assertThat(CoefficientPacking.bytes(0, 7)).isZero();
        assertThat(CoefficientPacking.bytes(1, 1)).isEqualTo(1);
        assertThat(CoefficientPacking.bytes(8, 1)).isEqualTo(1);
        assertThat(CoefficientPacking.bytes(9, 1)).isEqualTo(2);
        assertThat(CoefficientPacking.bytes(2048, 29)).isEqualTo(7424);
        assertThat(CoefficientPacking.bytes(1 << 27, 32)).isEqualTo(1 << 29);
    }

    private static int[][] inputs(int count, int width) {
        SplittableRandom random = SEED.random(count + " of " + width);
        int largest = (int) ((1L << width) - 1);
        int[] full = new int[count];
        Arrays.fill(full, largest);
        return new int[][] {
            new int[count], full, random.ints(count).map(x -> x & largest).toArray()
        };
    }

    /** The plain twin. */
    private static byte[] plain(int[] values, int width) {
        BigInteger number = BigInteger.ZERO;
        for (int i = values.length - 1; i >= 0; i--) {
            number = number.shiftLeft(width).add(BigInteger.valueOf(values[i] & 0xffff_ffffL));
        }
        byte[] out = new byte[(values.length * width + 7) / 8];
        for (int i = 0; i < out.length; i++) {
            out[i] = number.shiftRight(8 * i).byteValue();
        }
        return out;
    }
}
