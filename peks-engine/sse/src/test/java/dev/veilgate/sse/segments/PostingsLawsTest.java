package dev.veilgate.sse.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PostingsLawsTest {
    private final TestSeed seed = TestSeed.of(getClass());

    private static Postings decode(int documents, int count, byte[] list, int length) {
        return Postings.decode(number -> 0, documents, count, list, 0, length);
    }

    @Test
    void listsAreReadAsTheyAreWritten() {
        SplittableRandom random = seed.random("lists");
        PostingEncoder encoder = new PostingEncoder();
        for (int round = 0; round < 3000; round++) {
            int count = 1 + random.nextInt(round % 3 == 0 ? 300 : 40);
            int bits = random.nextInt(30 - (31 - Integer.numberOfLeadingZeros(count)));
            int[] numbers = new int[count];
            int[] times = new int[count];
            int next = random.nextInt(1 << bits);
            encoder.clear();
            for (int i = 0; i < count; i++) {
                numbers[i] = next;
                times[i] = random.nextInt(3) == 0 ? 1 + random.nextInt(1 << random.nextInt(31)) : 1;
                encoder.add(numbers[i], times[i]);
                next += 1 + random.nextInt(1 << random.nextInt(bits + 1));
            }
            assertThat(encoder.count()).isEqualTo(count);
            ByteBag bytes = encoder.finish();
            Postings read = decode(SegmentLayout.MAX_DOCUMENTS, count, bytes.bytes, bytes.length);
            assertThat(read.numbers()).isEqualTo(numbers);
            for (int i = 0; i < count; i++) {
                assertThat(read.number(i)).isEqualTo(numbers[i]);
                assertThat(read.tf(i)).isEqualTo(times[i]);
            }
        }
    }

    @Test
    void widestGapsAreRead() {
        PostingEncoder encoder = new PostingEncoder();
        int[] numbers = new int[33];
        numbers[0] = SegmentLayout.MAX_DOCUMENTS - 33;
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = numbers[0] + i;
            encoder.add(numbers[i], Integer.MAX_VALUE - i);
        }
        ByteBag bytes = encoder.finish();
        Postings read = decode(SegmentLayout.MAX_DOCUMENTS, 33, bytes.bytes, bytes.length);
        assertThat(read.numbers()).isEqualTo(numbers);
        assertThat(read.tf(32)).isEqualTo(Integer.MAX_VALUE - 32);
        assertThatThrownBy(() -> decode(SegmentLayout.MAX_DOCUMENTS - 1, 33, bytes.bytes, bytes.length))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    /** Lists are authentic, so this is about whoever has the key: no answer is out of range, nothing runs for ever. */
    @Test
    void anyBytesAreAListOrRefused() {
        SplittableRandom random = seed.random("fuzz");
        for (int round = 0; round < 100_000; round++) {
            byte[] bytes = new byte[random.nextInt(1, 60)];
            random.nextBytes(bytes);
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] &= (byte) (random.nextInt(4) == 0 ? 0xff : 0x07);
            }
            try {
                Postings read = decode(1000, 1 + random.nextInt(70), bytes, bytes.length);
                int[] numbers = read.numbers();
                assertThat(Arrays.stream(numbers).distinct().count()).isEqualTo(numbers.length);
                assertThat(numbers[numbers.length - 1]).isLessThan(1000);
            } catch (IndexOutOfBoundsException | ArithmeticException e) {
                assertThat(e).isNotNull();
            }
        }
    }
}
