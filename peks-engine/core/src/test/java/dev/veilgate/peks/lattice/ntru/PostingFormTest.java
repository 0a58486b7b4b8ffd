package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.RecordSet;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every set of records has one form, it is the one that the specification says, and what is no set's form is no set. */
class PostingFormTest {
    private static final TestSeed SEED = TestSeed.of(PostingFormTest.class);
    private static final int[] RECORDS = {1, 2, 8, 9, 63, 64, 65, 66, 79, 80, 81, 96, 127, 128, 200, 255, 256};
    private static final int[] A = new int[NtruParameters.N512_Q24.n()];

    private static PlainBlock plain(int slots, int records, int cells) {
        return new PlainBlock(NtruParameters.N512_Q24, slots, records, cells, A);
    }

    private static RecordSet random(int size, int records, SplittableRandom random) {
        RecordSet set = RecordSet.of();
        while (set.size() < size) {
            set = set.union(RecordSet.of(random.nextInt(records)));
        }
        return set;
    }

    @Test
    void sizesAreThoseOfTheSpecification() {
        PostingForm full = new PostingForm(256, 256);
        assertThat(new int[] {full.fieldBytes(), full.cellBytes(), full.maxCells()})
                .containsExactly(4, 16, 512);
        PostingForm one = new PostingForm(1, 256);
        assertThat(new int[] {one.fieldBytes(), one.cellBytes(), one.maxCells()})
                .containsExactly(32, 0, 0);
        PostingForm small = new PostingForm(256, 64);
        assertThat(new int[] {small.fieldBytes(), small.cellBytes(), small.maxCells()})
                .containsExactly(8, 0, 0);
        PostingForm single = new PostingForm(16, 1);
        assertThat(new int[] {single.fieldBytes(), single.cellBytes(), single.maxCells()})
                .containsExactly(0, 0, 0);
        PostingForm least = new PostingForm(16, 65);
        assertThat(new int[] {least.fieldBytes(), least.cellBytes(), least.maxCells()})
                .containsExactly(4, 5, 32);
    }

    @Test
    void everySetComesBackAndThePlainDecoderReadsTheSame() {
        SplittableRandom random = SEED.random("sets");
        for (int slots : new int[] {1, 16, 256}) {
            for (int records : RECORDS) {
                PostingForm form = new PostingForm(slots, records);
                PlainBlock plain = plain(slots, records, form.maxCells());
                for (int size = 1; size <= records; size++) {
                    RecordSet set = random(size, records, random);
                    int[] cells = random.ints(0, Math.max(1, form.maxCells()))
                            .distinct()
                            .limit(form.cells(set))
                            .toArray();
                    byte[] field = form.field(set, cells);
                    byte[] content = form.cellContent(set);
                    assertThat(field).hasSize(form.fieldBytes());
                    assertThat(content).hasSize(cells.length * form.cellBytes());
                    assertThat(form.references(field, form.maxCells())).isEqualTo(cells);
                    assertThat(plain.references(field)).isEqualTo(cells);
                    assertThat(form.recordsOf(field, content)).isEqualTo(set);
                    assertThat(plain.records(field, content))
                            .isEqualTo(set.ordinals().toArray());
                }
            }
        }
    }

    /** A set's form, written by hand. */
    @Test
    void bytesAreThoseOfTheSpecification() {
        PostingForm form = new PostingForm(256, 200); // H = 13
        assertThat(form.field(RecordSet.of(9))).containsExactly(9, 9, 9, 9);
        assertThat(form.field(RecordSet.of(3, 150))).containsExactly(3, (byte) 150, (byte) 150, (byte) 150);
        assertThat(form.field(RecordSet.of(0, 1, 2, 3))).containsExactly(0, 1, 2, 3);
        RecordSet five = RecordSet.of(1, 2, 3, 4, 199);
        assertThat(form.cells(five)).isEqualTo(1);
        assertThat(form.cellContent(five)).containsExactly(listOf(1, 2, 3, 4, 199, 13));
        assertThat(form.field(five, 0)).containsExactly(1, 0, 0, 0);
        assertThat(form.field(five, 300)).containsExactly(4, 0, 44, 44);
        RecordSet half = RecordSet.of(IntStream.range(0, 100).toArray());
        assertThat(form.cells(half)).isEqualTo(2);
        byte[] bitmap = new byte[26];
        Arrays.fill(bitmap, 0, 12, (byte) 0xff);
        bitmap[12] = 0x0f;
        assertThat(form.cellContent(half)).isEqualTo(bitmap);
        assertThat(form.field(half, 7, 511)).containsExactly(3, 0, 7, (byte) 255);
        assertThat(form.field(half, 256, 8)).containsExactly(2, 0, 0, 8);
        assertThat(form.cells(RecordSet.of(IntStream.range(0, 13).toArray()))).isEqualTo(1);
        assertThat(form.cells(RecordSet.of(IntStream.range(0, 14).toArray()))).isEqualTo(2);
    }

    private static byte[] listOf(int... ordinalsAndLength) {
        int count = ordinalsAndLength.length - 1;
        byte[] out = new byte[ordinalsAndLength[count]];
        for (int i = 0; i < out.length; i++) {
            out[i] = (byte) ordinalsAndLength[Math.min(i, count - 1)];
        }
        return out;
    }

    /** Random fields and cells: whatever is taken is the very form of what it says, and both decoders agree. */
    @Test
    void whatIsNotTheFormOfASetIsNoSet() {
        SplittableRandom random = SEED.random("garbage");
        int taken = 0;
        int refused = 0;
        for (int round = 0; round < 60_000; round++) {
            int records = RECORDS[6 + random.nextInt(RECORDS.length - 6)];
            PostingForm form = new PostingForm(256, records);
            int cells = 16 * random.nextInt(33);
            byte[] field = new byte[4];
            random.nextBytes(field);
            if (random.nextInt(3) > 0) {
                field = new byte[] {(byte) random.nextInt(7), 0, field[2], random.nextBoolean() ? field[2] : field[3]};
            }
            int[] places = form.references(field, cells);
            assertThat(plain(256, records, cells).references(field)).isEqualTo(places);
            for (int place : places) {
                assertThat(place).isBetween(0, cells - 1);
            }
            byte[] content = content(form, places.length * form.cellBytes(), random);
            RecordSet set = form.recordsOf(field, content);
            assertThat(plain(256, records, 0).records(field, content))
                    .isEqualTo(set.ordinals().toArray());
            if (set.isEmpty()) {
                refused++;
                continue;
            }
            taken++;
            assertThat(set.last()).isLessThan(records);
            assertThat(form.cells(set)).isEqualTo(places.length);
            assertThat(form.field(set, places)).isEqualTo(field);
            assertThat(form.cellContent(set)).isEqualTo(content);
        }
        assertThat(taken).isGreaterThan(1000);
        assertThat(refused).isGreaterThan(1000);
    }

    /** Nearly the content of some set: sorted, or of few bits, or of all. */
    private static byte[] content(PostingForm form, int length, SplittableRandom random) {
        byte[] out = new byte[length];
        for (int i = 0, last = 0; i < length; i++) {
            int step = random.nextInt(30);
            last += step < 15 ? step : 0;
            out[i] = (byte) Math.min(last, form.records() - (step == 29 ? 0 : 1));
        }
        if (length > form.cellBytes() && random.nextInt(3) > 0) {
            random.nextBytes(out);
            int end = (form.records() + 7) / 8;
            Arrays.fill(out, end, length, (byte) (random.nextInt(8) == 0 ? 1 : 0));
            out[end - 1] &= (byte) (random.nextInt(8) == 0 ? 0xff : 0xff >> 8 * end - form.records());
        }
        return out;
    }
}
