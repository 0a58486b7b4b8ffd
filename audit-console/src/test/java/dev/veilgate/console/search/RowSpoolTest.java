package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.veilgate.console.rows.RowMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Rows come back as they were; on the disk nobody reads or changes them; afterwards nothing is left. */
class RowSpoolTest {
    private static final byte[] KEY = "overheated".getBytes(StandardCharsets.UTF_8);

    private final SecureRandom random = new SecureRandom();

    @TempDir
    private Path folder;

    private static byte[] row(int number) {
        return ("row " + number + " overheated").repeat(1 + number % 7).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] digest(int number) {
        byte[] digest = new byte[RowSpool.DIGEST_BYTES];
        Arrays.fill(digest, (byte) number);
        return digest;
    }

    private Path file() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findFirst().orElseThrow();
        }
    }

    @Test
    void rowsComeBackByNumber() throws Exception {
        try (RowSpool spool = new RowSpool(folder, random)) {
            for (int i = 0; i < 5000; i++) {
                spool.add(row(i), digest(i), KEY, i);
            }
            assertThat(spool.rows()).isEqualTo(5000);
            for (int i : new int[] {0, 1, 1023, 1024, 4999, 17}) {
                assertThat(spool.row(i)).isEqualTo(row(i));
                assertThat(spool.digest(i)).isEqualTo(digest(i));
            }
            assertThatIllegalArgumentException().isThrownBy(() -> spool.row(5000));
            assertThatIllegalArgumentException().isThrownBy(() -> spool.row(-1));
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void nothingIsOnTheDiskInClear() throws Exception {
        try (RowSpool spool = new RowSpool(folder, random)) {
            spool.add(row(3), digest(3), KEY, 0);
            spool.add(row(3), digest(3), KEY, 0);
            byte[] file = Files.readAllBytes(file());
            assertThat(new String(file, StandardCharsets.ISO_8859_1)).doesNotContain("overheated");
            int half = file.length / 2;
            assertThat(Arrays.copyOf(file, half))
                    .as("equal rows look different")
                    .isNotEqualTo(Arrays.copyOfRange(file, half, file.length));
        }
    }

    @Test
    void anAlteredRowIsAnError() throws Exception {
        try (RowSpool spool = new RowSpool(folder, random)) {
            spool.add(row(1), digest(1), KEY, 0);
            spool.add(row(1), digest(1), KEY, 0);
            byte[] file = Files.readAllBytes(file());
            byte[] altered = file.clone();
            altered[5] ^= 1;
            Files.write(file(), altered);
            assertThatThrownBy(() -> spool.row(0)).isInstanceOf(IOException.class);
            byte[] swapped = file.clone();
            int half = file.length / 2;
            System.arraycopy(file, half, swapped, 0, half);
            Files.write(file(), swapped);
            assertThatThrownBy(() -> spool.row(0))
                    .as("a row in another's place")
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void whatFailedIsTriedAgainFromThere() throws Exception {
        List<Row> rows = new ExportSample(new JsonMapper()).rows;
        Row bad = rows.get(1);
        AtomicBoolean isFull = new AtomicBoolean(true);
        JsonMapper failing = new JsonMapper() {
            private static final long serialVersionUID = 1L;

            @Override
            public byte[] writeValueAsBytes(Object value) {
                if (value == bad && isFull.get()) {
                    throw new IllegalStateException("the disk is full");
                }
                return super.writeValueAsBytes(value);
            }
        };
        try (RowSpool spool = new RowSpool(folder, random)) {
            RowTable table = new RowTable(spool, new RowMemory(1 << 20), failing);
            Deque<OpenedRow> waiting = new ArrayDeque<>();
            rows.forEach(row -> waiting.add(OpenedRow.of(row, digest(0))));
            assertThatThrownBy(() -> OpenedRow.pour(waiting, spool, table, failing))
                    .hasMessageContaining("full");
            assertThat(spool.rows()).isEqualTo(1);
            isFull.set(false);
            OpenedRow.pour(waiting, spool, table, failing);
            assertThat(waiting).isEmpty();
            assertThat(spool.rows()).isEqualTo(3);
            for (int i = 0; i < 3; i++) {
                assertThat(failing.readValue(spool.row(i), Row.class).row()).isEqualTo(i);
            }
        }
    }

    @Test
    void rowsAndTheirKeysComeBackInOrder() throws Exception {
        try (RowSpool spool = new RowSpool(folder, random)) {
            byte[] large = new byte[3 << 20];
            random.nextBytes(large);
            for (int i = 0; i < 300; i++) {
                byte[] key = ("key " + i).repeat(i % 3).getBytes(StandardCharsets.UTF_8);
                spool.add(i == 150 ? large : row(i), digest(i), key, i);
            }
            List<Integer> read = new ArrayList<>();
            spool.read(1, 300, (number, row) -> {
                assertThat(row).isEqualTo(number == 150 ? large : row(number));
                read.add(number);
            });
            spool.readKeys(0, 2, (n, key) -> assertThat(key).asString().isEqualTo(("key " + n).repeat(n % 3)));
            assertThat(read).isEqualTo(IntStream.range(1, 300).boxed().toList());
            spool.read(7, 7, (number, row) -> fail("no row was asked for"));
        }
    }

    @Test
    void countsRowsByTime() throws Exception {
        try (RowSpool spool = new RowSpool(folder, random)) {
            assertThat(spool.span()).containsExactly(0, 0);
            for (long time : List.of(100L, 149L, 150L, 199L, 200L, 99L, 201L)) {
                spool.add(row(0), digest(0), KEY, time);
            }
            assertThat(spool.span()).containsExactly(99, 202);
            assertThat(spool.histogram(100, 200, 50))
                    .as("each bar has its beginning and not its end")
                    .containsExactly(2, 2);
            assertThat(spool.histogram(99, 202, 50)).as("the last is shorter").containsExactly(2, 2, 3);
            assertThat(spool.histogram(150, 151, 1)).containsExactly(1);
        }
    }
}
