package dev.veilgate.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.archive.words.DocumentWords;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.Sha256;
import dev.veilgate.sse.segments.ArchivedDocument;
import dev.veilgate.sse.segments.KeyRing;
import dev.veilgate.sse.segments.OtherEpochException;
import dev.veilgate.sse.segments.Question;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of keys while an archive gets a new one, and keys that are restored. */
class DeviceKeyTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    @TempDir
    Path parent;

    private Path folder;
    private DevicePlaces device;
    private Path file;
    private byte[] first;

    @BeforeEach
    void create() throws IOException {
        folder = parent.resolve("mails");
        device = device("one");
        file = SegmentFolder.keyFile(device, SegmentFolder.create(folder, device, RANDOM));
        first = Files.readAllBytes(file);
        add("first");
    }

    private DevicePlaces device(String name) {
        return new DevicePlaces(parent.resolve(name + "/keys"), parent.resolve(name + "/states"));
    }

    private SegmentFolder open() throws IOException {
        return SegmentFolder.open(folder, device, RANDOM);
    }

    private void add(String name) throws IOException {
        try (SegmentFolder opened = open()) {
            opened.archive()
                    .add(List.of(new ArchivedDocument(
                            name,
                            opened.archive().digest(new byte[32]),
                            0,
                            new DocumentWords()
                                    .mail(List.of(Keyword.text("text", name)))
                                    .counts())));
        }
    }

    private void requireFound(String... names) throws IOException {
        try (SegmentFolder opened = open()) {
            assertThat(opened.archive()
                            .search(new Question.And(List.of()), 99, false)
                            .hits())
                    .extracting(hit -> hit.document().name())
                    .containsExactlyInAnyOrder(names);
            assertThat(opened.verify()).isEmpty();
        }
    }

    private int rekey() throws IOException {
        try (SegmentFolder opened = open()) {
            int epoch = opened.rekey();
            assertThat(opened.has("first")).isTrue(); // and goes on
            return epoch;
        }
    }

    private byte[] both() throws IOException {
        DeviceKey key = DeviceKey.of(folder, device);
        try (DeviceLock _ = key.lock();
                KeyRing ring = key.readWithNext(RANDOM)) {
            assertThat(ring.next()).isPresent();
        }
        return Files.readAllBytes(file);
    }

    @Test
    void aNewKeyIsInTheFileBeforeAnythingElseAndIsUsedWhenTheRekeyIsGoneOnWith() throws Exception {
        byte[] both = both();
        assertThat(both).hasSizeGreaterThan(first.length);
        assertThat(DurableFiles.readableByOthers(file)).isFalse();
        add("second");
        assertThat(both()).isEqualTo(both); // the key that is there
        requireFound("first", "second");
        assertThat(Files.readAllBytes(file)).isEqualTo(both);
        assertThat(rekey()).isEqualTo(2);
        byte[] settled = Files.readAllBytes(file);
        byte[] next = Arrays.copyOfRange(both, both.length - 64, both.length);
        assertThat(Arrays.copyOfRange(settled, settled.length - 64, settled.length))
                .isEqualTo(next);
        assertThat(settled).hasSizeLessThan(both.length);
        Files.write(file, both); // as if the process had ended between the state and the file
        requireFound("first", "second");
        assertThat(Files.readAllBytes(file)).isEqualTo(settled);
        add("third");
        assertThat(rekey()).isEqualTo(3);
        requireFound("first", "second", "third");
    }

    /** An archive that is open since before goes on with the key too, whose state stands already. */
    @Test
    void aRekeyBehindOneThatWasCutOffBehindItsStateHasNothingMoreToDo() throws Exception {
        byte[] both = both();
        try (SegmentFolder opened = open()) {
            assertThat(rekey()).isEqualTo(2);
            byte[] settled = Files.readAllBytes(file);
            Files.write(file, both);
            assertThat(opened.rekey()).isEqualTo(2);
            assertThat(Files.readAllBytes(file)).isEqualTo(settled);
            assertThat(opened.rekey()).isEqualTo(3);
        }
        requireFound("first");
    }

    @Test
    void oneProcessChangesTheKeyAtATimeAndOthersGoOnMeanwhile() throws Exception {
        DeviceKey key = DeviceKey.of(folder, device);
        try (DeviceLock _ = key.lock()) {
            assertThatThrownBy(this::rekey)
                    .isInstanceOf(UnusableKeyException.class)
                    .hasMessageContaining("another process");
            assertThatThrownBy(() -> key.restore(first)).isInstanceOf(UnusableKeyException.class);
            add("second");
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(first);
        try (SegmentFolder old = open()) {
            assertThat(rekey()).isEqualTo(2);
            assertThatThrownBy(() -> old.has("first"))
                    .isInstanceOf(OtherEpochException.class)
                    .hasMessageContaining("try again");
        }
        requireFound("first", "second");
    }

    private static ReadDocument document(String name) {
        return new ReadDocument(
                name, sha256(name), 0, new DocumentWords().text("owl " + name).counts());
    }

    private static byte[] sha256(String text) {
        return new Sha256().add(text.getBytes(StandardCharsets.UTF_8)).finish().clone();
    }

    @Test
    void documentsThatWerePreparedBeforeARekeyAreFoundBehindIt() throws Exception {
        try (SegmentFolder opened = open()) {
            opened.add(List.of(document("one"), document("two")));
            Archive.Preparation begun = opened.preparation(List.of(document("begun")));
            Archive.Ready prepared = opened.preparation(List.of(document("late"), document("two")))
                    .prepare();
            assertThat(opened.rekey()).isEqualTo(2);
            assertThat(prepared.commit()).isEqualTo(new Archive.Added(1, 0, 1));
            assertThat(begun.prepare().commit()).isEqualTo(new Archive.Added(1, 0, 0));
            assertThat(opened.search("owl", 9, false).count()).isEqualTo(4);
        }
        requireFound("first", "one", "two", "late", "begun");
        try (SegmentFolder opened = open()) {
            assertThat(opened.damaged()).isEmpty();
            assertThat(opened.deleteNamed(List.of("late"))).isEqualTo(1);
            opened.compact();
        }
        requireFound("first", "one", "two", "begun");
    }

    @Test
    void aMergeThatWasPreparedBeforeARekeyChangesNothing() throws Exception {
        List<String> names = new ArrayList<>(List.of("first"));
        for (int i = 0; i < 8; i++) {
            names.add("name" + i);
            add("name" + i);
        }
        try (SegmentFolder opened = open();
                Archive.Ready merge = opened.upkeep().orElseThrow().prepare()) {
            Archive.Preparation begun = opened.upkeep().orElseThrow();
            assertThat(opened.rekey()).isEqualTo(2);
            long state = newestState(opened);
            merge.commit();
            try (Archive.Ready late = begun.prepare()) {
                late.commit();
            }
            assertThat(newestState(opened)).isEqualTo(state);
        }
        requireFound(names.toArray(String[]::new));
    }

    private static long newestState(SegmentFolder opened) throws IOException {
        return opened.archive().search(new Question.And(List.of()), 0, false).version();
    }

    /** Other threads prepare all the time while the key changes ten times. */
    @Test
    void whatOtherThreadsPrepareWhileTheKeyChangesIsAllFound() throws Exception {
        List<String> names = new ArrayList<>(List.of("first"));
        try (ExecutorService threads = Executors.newFixedThreadPool(2);
                SegmentFolder opened = open()) {
            for (int i = 0; i < 10; i++) {
                List<Future<Archive.Ready>> preparing = new ArrayList<>();
                for (int each = 0; each < 4; each++) {
                    String name = i + "-" + each;
                    names.add(name);
                    Archive.Preparation preparation = opened.preparation(List.of(document(name)));
                    preparing.add(threads.submit(preparation::prepare));
                }
                assertThat(opened.rekey()).isEqualTo(2 + i);
                for (Future<Archive.Ready> each : preparing) {
                    try (Archive.Ready ready = each.get()) {
                        assertThat(ready.commit().added()).isEqualTo(1);
                    }
                }
            }
        }
        requireFound(names.toArray(String[]::new));
    }

    @Test
    void theNewKeyTakesThePlaceOfTheOldOneOnOtherDevicesAndNeverTheOtherWayRound() throws Exception {
        DeviceKey key = DeviceKey.of(folder, device);
        byte[] both = both();
        assertThat(key.restore(first)).isFalse(); // of two keys one is there
        assertThat(key.restore(both)).isFalse();
        rekey();
        byte[] settled = Files.readAllBytes(file);
        assertThatThrownBy(() -> key.restore(first))
                .isInstanceOf(UnusableKeyException.class)
                .hasMessageContaining("had a new key since the backup was made");
        assertThat(Files.readAllBytes(file)).isEqualTo(settled);
        device = device("two");
        DeviceKey second = DeviceKey.of(folder, device);
        for (byte[] there : List.of(first, withOtherNext())) {
            DurableFiles.createFolder(device.keys());
            DurableFiles.replace(device.keys(), String.valueOf(file.getFileName()), null, there);
            assertThatThrownBy(this::open)
                    .isInstanceOf(OtherEpochException.class)
                    .hasMessageContaining("new key since state 3,");
            assertThatThrownBy(second::encode).isInstanceOf(OtherEpochException.class);
            assertThat(second.restore(both)).isTrue();
            requireFound("first");
            assertThat(Files.readAllBytes(second.file())).isEqualTo(settled);
        }
        assertThat(second.encode()).isEqualTo(settled);
    }

    /** A file of this archive's first key, and of a next one that it never had. */
    private byte[] withOtherNext() throws Exception {
        try (KeyRing ring = ArchiveKeyFile.decode(first, _ -> {})) {
            return ArchiveKeyFile.encode(
                    new KeyRing(ring.current(), ring.current().next(RANDOM), _ -> {}));
        }
    }

    @Test
    void otherFilesAreNoKeys() throws Exception {
        byte[] both = withOtherNext();
        for (int length = 0; length < both.length; length++) {
            byte[] cut = Arrays.copyOf(both, length);
            assertThatThrownBy(() -> ArchiveKeyFile.decode(cut, _ -> {}))
                    .isInstanceOf(MalformedEncodingException.class);
        }
        for (int[] epochs : new int[][] {{0}, {2, 2}, {1, 3}, {2, 1}, {1 << 20, (1 << 20) + 1}}) {
            CborWriter out = new CborWriter(400)
                    .array(2 + epochs.length)
                    .text("veilgate-archive-key")
                    .integer(2);
            for (int epoch : epochs) {
                out.array(3).integer(epoch).bytes(new byte[32]).bytes(new byte[32]);
            }
            byte[] file = out.toByteArray();
            assertThatThrownBy(() -> ArchiveKeyFile.decode(file, _ -> {}))
                    .as(Arrays.toString(epochs))
                    .isInstanceOf(MalformedEncodingException.class);
        }
    }
}
