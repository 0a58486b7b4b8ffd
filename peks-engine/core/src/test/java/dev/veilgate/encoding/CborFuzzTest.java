package dev.veilgate.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.random.TestSeed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whatever comes, the reader answers with an item or a MalformedEncodingException, and never reads outside its part. */
class CborFuzzTest {
    private static final TestSeed SEED = TestSeed.of(CborFuzzTest.class);

    @Test
    void anyCallOnAnyBytesReadsOrRefuses() {
        SplittableRandom random = SEED.random("bytes");
        int read = 0;
        for (int round = 0; round < 200_000; round++) {
            byte[] bytes = new byte[random.nextInt(24)];
            random.nextBytes(bytes);
            int from = random.nextInt(bytes.length + 1);
            int to = random.nextInt(from, bytes.length + 1);
            CborReader in = new CborReader("thing", bytes, from, to);
            try {
                while (in.remaining() > 0) {
                    int before = in.position();
                    call(in, random);
                    assertThat(in.position()).isBetween(before, to);
                    read++;
                    if (in.position() == before) {
                        break;
                    }
                }
                in.end();
            } catch (MalformedEncodingException e) {
                assertThat(in.position()).isBetween(from, to);
            }
        }
        assertThat(read).isGreaterThan(5_000);
    }

    private static void call(CborReader in, SplittableRandom random) throws MalformedEncodingException {
        int max = random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(30);
        switch (random.nextInt(11)) {
            case 0 -> in.unsigned("f", max);
            case 1 -> in.integer("f");
            case 2 -> in.bytes("f", max);
            case 3 -> in.fixedBytes("f", random.nextInt(8));
            case 4 -> in.text("f", max);
            case 5 -> in.array("f", max);
            case 6 -> in.map("f", max);
            case 7 -> in.bool("f");
            case 8 -> in.skipBytes("f", max);
            case 9 -> in.mapKeys("f").nextInt();
            default -> in.rawItem("f");
        }
    }
}
