package dev.veilgate.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.random.TestSeed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Where items end in a stream. */
class CborSequenceTest {
    private static CborSequence over(byte[] bytes, int max) {
        return new CborSequence("item", new ByteArrayInputStream(bytes), max);
    }

    /** A random item in canonical form. */
    private static void item(SplittableRandom random, CborWriter out, int depth) {
        switch (random.nextInt(depth > 3 ? 4 : 6)) {
            case 0 -> out.integer(random.nextLong() >> random.nextInt(64));
            case 1 -> out.bytes(new byte[random.nextInt(300)]);
            case 2 -> out.text("x".repeat(random.nextInt(30)));
            case 3 -> out.bool(random.nextBoolean());
            case 4 -> {
                int size = random.nextInt(5);
                out.array(size);
                for (int i = 0; i < size; i++) {
                    item(random, out, depth + 1);
                }
            }
            default -> {
                int size = random.nextInt(5);
                out.map(size);
                for (int i = 0; i < size; i++) {
                    out.integer(i);
                    item(random, out, depth + 1);
                }
            }
        }
    }

    @Test
    void cutsWhereItemsEnd() throws Exception {
        SplittableRandom random = TestSeed.of(CborSequenceTest.class).random("items");
        List<byte[]> items = new ArrayList<>();
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (int i = 0; i < 500; i++) {
            CborWriter out = new CborWriter(64);
            item(random, out, 0);
            items.add(out.toByteArray());
            joined.write(out.toByteArray());
        }
        CborSequence sequence = over(joined.toByteArray(), 1 << 20);
        for (byte[] item : items) {
            assertThat(sequence.next())
                    .hasValueSatisfying(next -> assertThat(next).isEqualTo(item));
        }
        assertThat(sequence.next()).isEmpty();
    }

    @Test
    void refusesABeginning() {
        byte[] item =
                new CborWriter(64).array(2).text("abc").bytes(new byte[40]).toByteArray();
        for (int length = 1; length < item.length; length++) {
            byte[] cut = Arrays.copyOf(item, length);
            assertThatThrownBy(() -> over(cut, 100).next())
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessageContaining("cut off");
        }
    }

    @Test
    void refusesWhatIsTooLong() throws Exception {
        byte[] item = new CborWriter(64).bytes(new byte[100]).toByteArray();
        assertThat(over(item, item.length).next()).isPresent();
        assertThatThrownBy(() -> over(item, item.length - 1).next()).isInstanceOf(MalformedEncodingException.class);
    }

    /** 2^62 items, indefinite lengths, tags, and a string of 2 GiB of which nothing comes. */
    @Test
    void refusesLiesWithoutMemory() {
        for (String hex : List.of("9b4000000000000000", "bb7fffffffffffffff", "9f00ff", "c000", "5b000000007fffffff")) {
            byte[] lie = java.util.HexFormat.of().parseHex(hex);
            assertThatThrownBy(() -> over(lie, 1 << 24).next()).isInstanceOf(MalformedEncodingException.class);
        }
    }

    /** Arrays in arrays cost a byte each: no stack is used. */
    @Test
    void nestingIsBoundedByBytesOnly() throws Exception {
        byte[] deep = new byte[1 << 20];
        Arrays.fill(deep, (byte) 0x81);
        deep[deep.length - 1] = 0;
        assertThat(over(deep, deep.length).next()).isPresent();
    }

    @Test
    void survivesGarbage() throws Exception {
        SplittableRandom random = TestSeed.of(CborSequenceTest.class).random("garbage");
        for (int i = 0; i < 20_000; i++) {
            byte[] garbage = new byte[random.nextInt(60)];
            random.nextBytes(garbage);
            CborSequence sequence = over(garbage, 1 << 16);
            try {
                int total = 0;
                for (Optional<byte[]> next = sequence.next(); next.isPresent(); next = sequence.next()) {
                    total += next.get().length;
                }
                assertThat(total).isEqualTo(garbage.length);
            } catch (MalformedEncodingException e) {
                assertThat(e.getMessage()).startsWith("item");
            }
        }
    }

    @Test
    void passesOnFailuresOfTheStream() {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("broken");
            }
        };
        assertThatThrownBy(() -> new CborSequence("item", broken, 10).next()).isInstanceOf(IOException.class);
    }
}
