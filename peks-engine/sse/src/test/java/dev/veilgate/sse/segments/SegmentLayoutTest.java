package dev.veilgate.sse.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.BlobName;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SegmentLayoutTest {
    private final TestSeed seed = TestSeed.of(getClass());

    private static byte[] encode(SegmentEntry entry) {
        CborWriter out = new CborWriter(200);
        entry.encode(out);
        return out.toByteArray();
    }

    private static SegmentEntry decode(byte[] bytes) throws MalformedEncodingException {
        CborReader in = new CborReader("manifest", bytes);
        SegmentEntry entry = SegmentEntry.decode(in);
        in.end();
        return entry;
    }

    private static SegmentEntry random(SplittableRandom random) {
        int documents = random.nextInt(1 << random.nextInt(31));
        long words = random.nextLong(1L << random.nextInt(40));
        SegmentLayout layout = new SegmentLayout(
                1 + (random.nextBoolean() ? 0 : random.nextInt(SegmentLayout.MAX_RULES)),
                documents,
                random.nextLong(Long.MAX_VALUE),
                words,
                List.of(
                        random.nextLong(1L << 20),
                        random.nextLong(1L << 20),
                        words == 0 ? 0 : 1 + random.nextLong(1L << 30),
                        random.nextLong(1L << 30),
                        documents == 0 ? 0 : 1 + random.nextLong(1L << 30)));
        byte[] v = new byte[32];
        random.nextBytes(v);
        return new SegmentEntry(new BlobName("0a".repeat(32)), v, layout.objectBytes(), layout);
    }

    @Test
    void decodesWhatItEncodes() throws Exception {
        SplittableRandom random = seed.random("entries");
        for (int i = 0; i < 2000; i++) {
            SegmentEntry entry = random(random);
            assertThat(decode(encode(entry))).isEqualTo(entry);
            long size = entry.bytes();
            assertThat(SizeGrid.atLeast(size)).isEqualTo(size);
            assertThat(size)
                    .isLessThanOrEqualTo(2 * Math.max(1024, entry.layout().placeOf(SegmentPart.PADDING)));
        }
    }

    @Test
    void acceptsNothingThatItWouldNotWrite() {
        SplittableRandom random = seed.random("fuzz");
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = encode(random(random));
            for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(encode(decode(bytes))).isEqualTo(bytes);
            } catch (MalformedEncodingException e) {
                assertThat(e).hasMessageStartingWith("manifest");
            }
        }
    }

    @Test
    void refusesFormatsOfTheFuture() {
        assertThatThrownBy(() -> decodeLayout(3, 10))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("newer program");
    }

    private static SegmentLayout decodeLayout(int format, int items, int... last) throws MalformedEncodingException {
        CborWriter out = new CborWriter(20).array(items).integer(format);
        for (int i = 1; i < items - last.length; i++) {
            out.integer(0);
        }
        for (int each : last) {
            out.integer(each);
        }
        CborReader in = new CborReader("manifest", out.toByteArray());
        SegmentLayout layout = SegmentLayout.decode(in);
        in.end();
        return layout;
    }

    @Test
    void aSegmentThatSaysNothingIsOfRules1() throws Exception {
        assertThat(decodeLayout(1, 9).rules()).isEqualTo(1);
        assertThat(decodeLayout(2, 10, 2).rules()).isEqualTo(2);
        CborWriter out = new CborWriter(20);
        decodeLayout(1, 9).encode(out);
        assertThat(out.toByteArray()).as("as before there were others").startsWith(0x89, 0x01);
        for (int rules : new int[] {0, 1, SegmentLayout.MAX_RULES + 1}) {
            assertThatThrownBy(() -> decodeLayout(2, 10, rules)).isInstanceOf(MalformedEncodingException.class);
        }
        assertThatThrownBy(() -> decodeLayout(1, 10, 2)).isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> decodeLayout(2, 9)).isInstanceOf(MalformedEncodingException.class);
    }

    @Test
    void sizesOfObjectsAreOnTheGrid() throws Exception {
        SplittableRandom random = seed.random("sizes");
        Archives archive = new Archives(seed, "sizes");
        for (int i = 0; i < 120; i++) {
            SealedSegment sealed = archive.seal(Archives.random(random, random.nextInt(i + 1), 20));
            long size = sealed.object().length();
            assertThat(size).isEqualTo(sealed.entry().bytes());
            assertThat(sealed.object().open().readAllBytes().length).isEqualTo((int) size);
            int shift = 60 - Long.numberOfLeadingZeros(size);
            assertThat(size % (1L << shift)).isZero();
            assertThat(size).isGreaterThanOrEqualTo(1024);
        }
    }

    @Test
    void gridHasEightSizesAnOctave() {
        long last = 0;
        int inOctave = 0;
        for (long size = SizeGrid.atLeast(1); size < 1L << 42; size = SizeGrid.atLeast(size + 1)) {
            if (Long.bitCount(size) == 1) {
                assertThat(inOctave).isEqualTo(last == 0 ? 0 : 8);
                inOctave = 0;
            }
            assertThat(size * 8).isLessThanOrEqualTo(last == 0 ? size * 8 : last * 9);
            assertThat(SizeGrid.atLeast(last + 1)).isEqualTo(size);
            assertThat(SizeGrid.atLeast(size)).isEqualTo(size);
            inOctave++;
            last = size;
        }
        for (long used = 1; used < 40_000; used++) {
            long padding = SizeGrid.padding(used);
            long pages = (padding + PageCipher.PAGE_BYTES - 1) / PageCipher.PAGE_BYTES;
            long size = used + padding + pages * PageCipher.TAG_BYTES;
            assertThat(size).isEqualTo(SizeGrid.atLeast(size));
            assertThat(size).isLessThan(Math.max(1025 + 128, used + used / 4 + 1));
        }
    }

    @Test
    void lengthClassesAreExactToAnEighth() {
        int last = -1;
        for (int n = 0; n < 1 << 20; n++) {
            int lengthClass = LengthClass.of(n);
            assertThat(lengthClass == last || lengthClass == last + 1).isTrue();
            last = lengthClass;
            int least = LengthClass.least(lengthClass);
            assertThat(least <= n && n <= least + least / 8.0).isTrue();
            assertThat(LengthClass.of(least)).isEqualTo(lengthClass);
        }
        assertThat(LengthClass.of(Long.MAX_VALUE)).isEqualTo(231);
    }
}
