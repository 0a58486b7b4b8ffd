package dev.veilgate.peks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.random.TestSeed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Holds sets of records and their bitmaps to each other, at every number of records where a byte begins or ends: a wrong bit
 * here is a hit on the wrong record.
 */
class RecordSetTest {
    private static final TestSeed SEED = TestSeed.of(RecordSetTest.class);

    @Test
    void holdsExactlyItsOrdinals() {
        RecordSet set = RecordSet.of(0, 7, 8, 255, 7);
        assertThat(set.ordinals()).containsExactly(0, 7, 8, 255);
        assertThat(set.last()).isEqualTo(255);
        assertThat(set.contains(7)).isTrue();
        for (int other : new int[] {-1, Integer.MIN_VALUE, 1, 254, 256, Integer.MAX_VALUE}) {
            assertThat(set.contains(other)).isFalse();
        }
        assertThat(set.isEmpty()).isFalse();
    }

    @Test
    void theEmptySetIsASet() {
        RecordSet empty = RecordSet.of();
        assertThat(empty.isEmpty()).isTrue();
        assertThat(empty.last()).isEqualTo(-1);
        assertThat(empty.ordinals()).isEmpty();
        assertThatThrownBy(() -> new Posting(Keyword.text("f", "v"), empty))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ordinalsOutsideAreRefused() {
        for (int ordinal : new int[] {-1, 256, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> RecordSet.of(0, ordinal)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void bitmapsOfEverySizeAreReadBack() {
        SplittableRandom random = SEED.random("data");
        for (int records = 1; records <= RecordSet.MAX_RECORDS; records++) {
            int count = records;
            int[] ordinals = random.ints(1 + random.nextInt(records), 0, count).toArray();
            RecordSet set = RecordSet.of(ordinals);
            byte[] bitmap = set.toBitmap(records);
            assertThat(bitmap).hasSize((records + 7) / 8);
            for (int i = 0; i < 8 * bitmap.length; i++) {
                assertThat(bitmap[i >> 3] >> (i & 7) & 1).isEqualTo(set.contains(i) ? 1 : 0);
            }
            assertThat(RecordSet.fromBitmap(bitmap, records)).isEqualTo(set);
        }
    }

    /** The pad that decrypts a bitmap fills whole bytes: what is beyond the last record is noise. */
    @Test
    void bitsBeyondTheRecordsAreIgnored() {
        byte[] ones = {-1, -1, -1};
        for (int records = 1; records <= 24; records++) {
            RecordSet set = RecordSet.fromBitmap(ones, records);
            assertThat(set.last()).isEqualTo(records - 1);
            assertThat(set.ordinals()).hasSize(records);
        }
        assertThat(RecordSet.fromBitmap(new byte[32], 256).isEmpty()).isTrue();
        assertThat(RecordSet.fromBitmap(new byte[] {1}, 256)).isEqualTo(RecordSet.of(0));
    }

    /** A bitmap shows the ordinals below the number of records, and nothing in the rest of its last byte. */
    @Test
    void ordinalsBeyondTheRecordsAreLeftOut() {
        RecordSet set = RecordSet.of(0, 2, 3, 7, 8, 200);
        assertThat(set.toBitmap(3)).containsExactly(0b101);
        assertThat(set.toBitmap(8)).containsExactly(0x8d);
        assertThat(set.toBitmap(9)).containsExactly(0x8d, 1);
    }

    @Test
    void unionLeavesBothAsTheyWere() {
        RecordSet a = RecordSet.of(1, 2);
        RecordSet b = RecordSet.of(2, 200);
        assertThat(a.union(b)).isEqualTo(RecordSet.of(1, 2, 200)).isEqualTo(b.union(a));
        assertThat(a).isEqualTo(RecordSet.of(1, 2));
        assertThat(b).isEqualTo(RecordSet.of(2, 200));
        assertThat(a.union(RecordSet.of())).isEqualTo(a).hasSameHashCodeAs(a);
    }

    @Test
    void theSourceOfABitmapMayChangeAfterwards() {
        byte[] bitmap = {5};
        RecordSet set = RecordSet.fromBitmap(bitmap, 8);
        bitmap[0] = 0;
        assertThat(set).isEqualTo(RecordSet.of(0, 2));
        set.toBitmap(8)[0] = 0;
        assertThat(set).isEqualTo(RecordSet.of(0, 2));
    }
}
