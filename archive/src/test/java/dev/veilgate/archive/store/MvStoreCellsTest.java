package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.sse.CellStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cells in a file, which is of one process and says when it is damaged. */
final class MvStoreCellsTest extends CellStoreContractTest {
    @TempDir
    private Path folder;

    private int files;
    private Path file;

    @Override
    CellStore open() throws Exception {
        file = folder.resolve("cells" + files++ + ".mv");
        return MvStoreCells.create(file);
    }

    @Override
    CellStore reopen(CellStore cells) throws Exception {
        cells.close();
        return MvStoreCells.open(file);
    }

    private void fill(CellStore cells, int from, int to) {
        for (int i = from; i < to; i++) {
            byte[] key = bytes(i >> 8, i);
            cells.transact(its -> {
                byte[] value = new byte[100];
                new Random(key[1]).nextBytes(value);
                its.put("a", key, value);
                return 0;
            });
        }
    }

    @Test
    void aFileInUseIsSaidToBe() {
        assertThatThrownBy(() -> MvStoreCells.open(file))
                .isInstanceOf(StoreInUseException.class)
                .hasMessage(file + " is in use by another process");
    }

    @Test
    void othersCannotReadAFile() throws Exception {
        try (MvStoreCells cells = MvStoreCells.create(folder.resolve("own.mv"))) {
            fill(cells, 0, 300);
        }
        assertThat(Files.getPosixFilePermissions(folder.resolve("own.mv")))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    }

    @Test
    void anExistingFileIsNotMadeAndAMissingOneNotOpened() {
        assertThatThrownBy(() -> MvStoreCells.create(file)).isInstanceOf(FileAlreadyExistsException.class);
        Path missing = folder.resolve("missing.mv");
        assertThatThrownBy(() -> MvStoreCells.open(missing)).isInstanceOf(NoSuchFileException.class);
        assertThat(missing).doesNotExist();
    }

    @Test
    void otherFilesAreRefused() throws Exception {
        byte[] noise = new byte[20_000];
        new Random(3).nextBytes(noise);
        for (byte[] content : new byte[][] {{}, {1, 2, 3}, noise, "From: ada".getBytes()}) {
            Path other = Files.write(folder.resolve("other.mv"), content);
            assertThatThrownBy(() -> MvStoreCells.open(other))
                    .isInstanceOf(DamagedStoreException.class)
                    .hasMessageContaining("is damaged");
            assertThat(other).hasBinaryContent(content);
        }
    }

    /** Whatever byte is turned over: the file is refused, or has the cells of some transaction that was made. */
    @Test
    void damageIsNeverReadAsCells() throws Exception {
        fill(store, 0, 60);
        store.close();
        byte[] whole = Files.readAllBytes(file);
        Map<String, byte[]> cells = read(file);
        assertThat(cells).hasSize(60);
        Random random = new Random(4);
        int refused = 0;
        for (int i = 0; i < 300; i++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            Path copy = Files.write(folder.resolve("damaged.mv"), damaged);
            try {
                read(copy).forEach((key, value) -> assertThat(value).isEqualTo(cells.get(key)));
            } catch (UncheckedIOException | IOException e) {
                refused++;
                IOException cause = e instanceof UncheckedIOException u ? u.getCause() : (IOException) e;
                assertThat(cause.getMessage()).contains("damaged.mv");
            }
        }
        assertThat(refused).isGreaterThan(30);
    }

    private static Map<String, byte[]> read(Path file) throws IOException {
        try (MvStoreCells cells = MvStoreCells.open(file)) {
            Map<String, byte[]> read = new TreeMap<>();
            cells.transact(its -> {
                its.scan("a", new byte[0], (key, value) -> read.put(key[0] + " " + key[1], value));
                return 0;
            });
            return read;
        }
    }

    @Test
    void aStoreThatWasClosedSaysSo() {
        store.close();
        assertThatThrownBy(() -> store.transact(cells -> cells.get("a", bytes(1))))
                .isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void cellsAndBytesAreCounted() throws Exception {
        fill(store, 0, 300); // with a commit each: space that no cell needs any more is used again
        assertThat(((MvStoreCells) store).cells()).isEqualTo(300);
        store = reopen(store);
        assertThat(((MvStoreCells) store).cells()).isEqualTo(300);
        assertThat(((MvStoreCells) store).bytes()).isEqualTo(Files.size(file)).isBetween(30_000L, 1_000_000L);
    }

    @Test
    void aSearchWritesNothing() throws Exception {
        fill(store, 0, 3);
        byte[] before = Files.readAllBytes(file);
        store.transact(cells -> cells.get("a", bytes(0, 1)));
        store.transact(cells -> cells.get("none", bytes(0, 1)));
        assertThat(file).hasBinaryContent(before);
    }
}
