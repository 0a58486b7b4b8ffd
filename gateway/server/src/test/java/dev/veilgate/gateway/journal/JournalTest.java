package dev.veilgate.gateway.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    @TempDir
    Path folder;

    private static List<byte[]> entries(String... texts) {
        return Stream.of(texts).map(text -> text.getBytes(UTF_8)).toList();
    }

    private static List<String> replayed(Journal journal, long from) throws IOException {
        List<String> texts = new ArrayList<>();
        journal.replay(from, (next, payload) -> texts.add(new String(payload, UTF_8)));
        return texts;
    }

    @Test
    void givesBackWhatWasAppendedFromAnyEntryOn() throws IOException {
        try (Journal journal = Journal.open(folder, 1 << 20)) {
            List<Long> ends = journal.append(entries("a", "", "ccc"));
            journal.append(entries("d"));
            assertThat(replayed(journal, 0)).containsExactly("a", "", "ccc", "d");
            assertThat(replayed(journal, ends.get(1))).containsExactly("ccc", "d");
            assertThat(replayed(journal, journal.end())).isEmpty();
        }
        try (Journal journal = Journal.open(folder, 1 << 20)) {
            assertThat(replayed(journal, 0)).containsExactly("a", "", "ccc", "d");
        }
    }

    @Test
    void goesOnInSegmentsAndDeletesThoseThatAreReleased() throws IOException {
        try (Journal journal = Journal.open(folder, 100)) {
            List<Long> ends = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                ends.addAll(journal.append(List.of(new byte[40])));
            }
            assertThat(files()).hasSize(7);
            journal.release(ends.get(9));
            assertThat(journal.start()).isLessThanOrEqualTo(ends.get(9)).isPositive();
            assertThat(replayed(journal, ends.get(9))).hasSize(10);
            assertThatThrownBy(() -> replayed(journal, 0)).isInstanceOf(IOException.class);
        }
        try (Journal journal = Journal.open(folder, 100)) {
            assertThat(journal.end()).isEqualTo(20 * 48L);
            journal.release(journal.end());
            journal.append(entries("later"));
            assertThat(replayed(journal, 20 * 48L)).containsExactly("later");
        }
    }

    @Test
    void cutsOffWhatACrashToreAtEveryByte() throws IOException {
        long first;
        try (Journal journal = Journal.open(folder, 1 << 20)) {
            first = journal.append(entries("first")).getFirst();
            journal.append(entries("second"));
        }
        byte[] whole = Files.readAllBytes(files().getFirst());
        for (int size = (int) first; size < whole.length; size++) {
            Files.write(files().getFirst(), Arrays.copyOf(whole, size));
            try (Journal journal = Journal.open(folder, 1 << 20)) {
                assertThat(replayed(journal, 0)).containsExactly("first");
                journal.append(entries("third"));
                assertThat(replayed(journal, 0)).containsExactly("first", "third");
            }
        }
    }

    @Test
    void cutsOffZerosBehindTheLastEntry() throws IOException {
        try (Journal journal = Journal.open(folder, 1 << 20)) {
            journal.append(entries("first"));
        }
        Files.write(files().getFirst(), new byte[5000], StandardOpenOption.APPEND);
        try (Journal journal = Journal.open(folder, 1 << 20)) {
            journal.append(entries("second"));
            assertThat(replayed(journal, 0)).containsExactly("first", "second");
        }
    }

    @Test
    void saysWhatIsDamagedInTheMiddle() throws IOException {
        try (Journal journal = Journal.open(folder, 50)) {
            journal.append(List.of(new byte[60]));
            journal.append(entries("next segment"));
        }
        try (FileChannel file = FileChannel.open(files().getFirst(), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[] {1}), 30);
        }
        try (Journal journal = Journal.open(folder, 50)) {
            assertThatThrownBy(() -> replayed(journal, 0)).hasMessageContaining("damaged at 0");
        }
        Files.delete(files().getFirst());
        Files.createFile(folder.resolve("00000000000000000000.journal"));
        assertThatThrownBy(() -> Journal.open(folder, 50)).hasMessageContaining("misses");
    }

    @Test
    void isOpenOnlyOnce() throws IOException {
        try (Journal journal = Journal.open(folder, 100)) {
            assertThat(journal.end()).isZero();
            assertThatThrownBy(() -> Journal.open(folder, 100)).hasMessageContaining("in use");
        }
    }

    @Test
    void holdsRandomEntriesThroughRestarts() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<String> expected = new ArrayList<>();
        for (int restart = 0; restart < 10; restart++) {
            try (Journal journal = Journal.open(folder, 2000)) {
                for (int i = random.nextInt(20); i > 0; i--) {
                    List<byte[]> group = new ArrayList<>();
                    for (int j = random.nextInt(5); j >= 0; j--) {
                        String text = "x".repeat(random.nextInt(500)) + random.nextInt();
                        expected.add(text);
                        group.add(text.getBytes(UTF_8));
                    }
                    journal.append(group);
                }
                assertThat(replayed(journal, 0)).as("seed %d", seed).isEqualTo(expected);
            }
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Segment::isOne).sorted().toList();
        }
    }
}
