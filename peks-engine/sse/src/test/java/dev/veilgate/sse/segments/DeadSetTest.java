package dev.veilgate.sse.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DeadSetTest {
    private final TestSeed seed = TestSeed.of(getClass());

    private static DeadSet random(SplittableRandom random, int documents) {
        return DeadSet.of(
                random.ints(random.nextInt(documents + 1), 0, documents).toArray());
    }

    @Test
    void holdsWhatATreeSetHolds() throws Exception {
        SplittableRandom random = seed.random("twin");
        for (int round = 0; round < 300; round++) {
            int documents = 1 + random.nextInt(round < 100 ? 20 : 5000);
            int[] numbers = random.ints(random.nextInt(documents), 0, documents).toArray();
            int[] more = random.ints(random.nextInt(9), 0, documents).toArray();
            TreeSet<Integer> twin = new TreeSet<>(Arrays.stream(numbers).boxed().toList());
            DeadSet before = DeadSet.of(numbers);
            DeadSet set = before.with(more);
            Arrays.stream(more).forEach(twin::add);
            assertThat(set.numbers())
                    .containsExactly(twin.stream().mapToInt(i -> i).toArray());
            assertThat(set.size()).isEqualTo(twin.size());
            for (int i = -1; i <= documents; i++) {
                assertThat(set.contains(i)).isEqualTo(twin.contains(i));
            }
            assertThat(set.containsAll(before)).isTrue();
            assertThat(before.containsAll(set)).isEqualTo(before.equals(set));
            assertThat(DeadSet.decode(set.encode(), documents)).isEqualTo(set);
            assertThat(set.encode().length).isLessThanOrEqualTo(DeadSet.mostBytes(documents));
        }
    }

    @Test
    void knowsLargeNumbers() throws Exception {
        DeadSet set = DeadSet.of(0, 1, SegmentLayout.MAX_DOCUMENTS - 1);
        assertThat(set.contains(SegmentLayout.MAX_DOCUMENTS - 1)).isTrue();
        assertThat(set.contains(SegmentLayout.MAX_DOCUMENTS - 2)).isFalse();
        assertThat(set.encode().length).isLessThan(10);
        assertThat(DeadSet.decode(set.encode(), SegmentLayout.MAX_DOCUMENTS)).isEqualTo(set);
        assertThatThrownBy(() -> DeadSet.of(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void opensWhatWasSealed() throws Exception {
        SplittableRandom random = seed.random("seal");
        Archives archive = new Archives(seed, "seal");
        for (int documents : new int[] {1, 100, 10_000, 300_000}) {
            DeadSet set = random(random, documents);
            SealedObject sealed = set.seal(archive.keys, archive.coins);
            assertThat(sealed.object().length())
                    .isEqualTo(SizeGrid.atLeast(sealed.object().length()));
            archive.store.put(sealed.name(), sealed.object());
            assertThat(DeadSet.open(archive.store, archive.keys, sealed.name(), sealed.v(), set.size(), documents))
                    .isEqualTo(set);
            assertThatThrownBy(() -> DeadSet.open(
                            archive.store, archive.keys, sealed.name(), sealed.v(), set.size() + 1, documents))
                    .isInstanceOf(DamagedObjectException.class);
        }
    }

    @Test
    void everyChangedByteIsDamage() throws Exception {
        Archives archive = new Archives(seed, "flip");
        DeadSet set = DeadSet.of(1, 5, 9);
        SealedObject sealed = set.seal(archive.keys, archive.coins);
        byte[] bytes = sealed.object().open().readAllBytes();
        for (int i = 0; i < bytes.length; i++) {
            byte[] other = bytes.clone();
            other[i] ^= (byte) (1 << i % 8);
            if (i < ObjectHead.BYTES) { // says what the manifest says, and is not read
                assertThat(open(archive, other, sealed)).isEqualTo(set);
            } else {
                assertThatThrownBy(() -> open(archive, other, sealed)).isInstanceOf(DamagedObjectException.class);
            }
        }
        for (int length = 0; length < bytes.length; length++) {
            byte[] shorter = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> open(archive, shorter, sealed)).isInstanceOf(DamagedObjectException.class);
        }
        SealedObject another = DeadSet.of(1, 5, 8).seal(archive.keys, archive.coins);
        assertThatThrownBy(() -> open(archive, another.object().open().readAllBytes(), sealed))
                .isInstanceOf(DamagedObjectException.class)
                .hasMessageContaining(sealed.name().value());
    }

    private static DeadSet open(Archives archive, byte[] bytes, SealedObject as) throws Exception {
        return DeadSet.open(new FixedBlob(bytes), archive.keys, as.name(), as.v(), 3, 10);
    }

    @Test
    void hasOneEncoding() throws Exception {
        SplittableRandom random = seed.random("fuzz");
        for (int round = 0; round < 20_000; round++) {
            int documents = 1 + random.nextInt(100);
            byte[] bytes;
            if (round % 2 == 0) {
                bytes = new byte[random.nextInt(20)];
                random.nextBytes(bytes);
                if (bytes.length > 0) {
                    bytes[0] &= 1;
                }
            } else {
                bytes = random(random, documents).encode();
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            try {
                DeadSet set = DeadSet.decode(bytes, documents);
                assertThat(set.encode()).isEqualTo(bytes);
                DeadSet.of(set.numbers()).requireBelow(documents);
            } catch (MalformedEncodingException e) {
                assertThat(e).hasMessageStartingWith("dead-set");
            }
        }
    }
}
