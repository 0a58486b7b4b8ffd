package dev.veilgate.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.archive.words.DocumentWords;
import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.Sha256;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.segments.ArchivedDocument;
import dev.veilgate.sse.segments.Question;
import dev.veilgate.sse.segments.RolledBackException;
import dev.veilgate.sse.segments.SeenHead;
import dev.veilgate.sse.segments.SegmentArchive;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentFolderTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Keyword OWL = Keyword.text("text", "owl");
    private static final Question ASKED = new Question.Word(OWL);

    @TempDir
    Path parent;

    private Path folder;
    private DevicePlaces device;
    private byte[] id;

    @BeforeEach
    void create() throws IOException {
        folder = parent.resolve("mails");
        device = device("one");
        id = SegmentFolder.create(folder, device, RANDOM);
    }

    private DevicePlaces device(String name) {
        return new DevicePlaces(parent.resolve(name + "/keys"), parent.resolve(name + "/states"));
    }

    private SegmentFolder open() throws IOException {
        return SegmentFolder.open(folder, device, RANDOM);
    }

    @Test
    void wordsOfOneByteAndOfAMegabyteAreFound() throws Exception {
        String longest = "y".repeat(1 << 20);
        try (SegmentFolder archive = open()) {
            archive.add(List.of(new ReadDocument(
                    "a",
                    new byte[32],
                    0,
                    new DocumentWords().text("x " + longest).counts())));
            archive.add(List.of(new ReadDocument(
                    "b", new byte[32], 0, new DocumentWords().text("yy").counts())));
            for (String query : List.of("x", longest.substring(0, 8_000), "yyy*", "*" + "y".repeat(100))) {
                assertThat(archive.search(query, 10, false).documents())
                        .as(query.substring(0, 1))
                        .extracting(Answer.Found::name)
                        .containsExactly("a");
            }
            assertThat(archive.search("yyy", 10, true).count()).isZero();
            assertThatThrownBy(() -> archive.search(longest, 10, false)).isInstanceOf(RefusedException.class);
        }
    }

    private static ArchivedDocument document(String name) {
        byte[] digest = new Sha256().add(name.getBytes(StandardCharsets.UTF_8)).finish();
        return new ArchivedDocument(
                name,
                Arrays.copyOf(digest, ArchivedDocument.DIGEST_BYTES),
                0,
                new DocumentWords().mail(List.of(OWL)).counts());
    }

    private static long found(SegmentArchive archive) throws IOException {
        return archive.search(ASKED, 1, false).count();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Path target = to.resolve(from.relativize(each).toString());
                if (Files.isDirectory(each)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(each, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    @Test
    void whatWasAddedIsFoundWhenItIsOpenedAgain() throws Exception {
        try (SegmentFolder opened = open()) {
            assertThat(opened.archive().add(List.of(document("a"), document("b"))))
                    .isEqualTo(new SegmentArchive.Added(2, 0, 0));
            assertThat(opened.archive().add(List.of(document("a")))).isEqualTo(new SegmentArchive.Added(0, 0, 1));
        }
        try (SegmentFolder opened = open()) {
            assertThat(found(opened.archive())).isEqualTo(2);
            assertThat(opened.archive().delete(List.of("a", "c"))).isEqualTo(1);
            assertThat(found(opened.archive())).isEqualTo(1);
            assertThat(opened.archive().verify()).isEmpty();
        }
    }

    @Test
    void theKeyIsNotInTheFolderAndAFolderThatHasOneIsRefused() throws Exception {
        try (Stream<Path> all = Files.walk(folder)) {
            assertThat(all.filter(path -> path.toString().endsWith(".key"))).isEmpty();
        }
        Path key = SegmentFolder.keyFile(device, id);
        Files.copy(key, folder.resolve("archive.key"));
        assertThatThrownBy(this::open)
                .isInstanceOf(UnusableArchiveException.class)
                .hasMessageContaining("archive.key is a key beside what it protects");
        Files.delete(folder.resolve("archive.key"));
        Files.move(key, parent.resolve("away"));
        assertThatThrownBy(this::open)
                .isInstanceOf(UnusableKeyException.class)
                .hasMessageContaining(key.toString())
                .hasMessageContaining("is missing");
    }

    @Test
    void anotherDeviceWithTheKeyReadsAndWrites() throws Exception {
        DevicePlaces other = device("two");
        copy(device.keys(), other.keys());
        try (SegmentFolder one = open();
                SegmentFolder two = SegmentFolder.open(folder, other, RANDOM)) {
            one.archive().add(List.of(document("a")));
            two.archive().add(List.of(document("b")));
            assertThat(found(one.archive())).isEqualTo(2);
            one.archive().delete(List.of("b"));
            assertThat(found(two.archive())).isEqualTo(1);
        }
    }

    @Test
    void writersAtOnceLoseNothing() throws Exception {
        int writers = 4;
        int each = 12;
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(writers)) {
            for (int writer = 0; writer < writers; writer++) {
                String name = "writer" + writer + "-";
                all.add(threads.submit(() -> {
                    try (SegmentFolder opened = open()) {
                        for (int i = 0; i < each; i++) {
                            opened.archive().add(List.of(document(name + i), document("shared" + i)));
                            if (i % 5 == 4) {
                                opened.archive().delete(List.of(name + (i - 1)));
                                opened.maintain();
                            }
                        }
                    }
                    return null;
                }));
            }
        }
        for (Future<?> one : all) {
            one.get();
        }
        try (SegmentFolder opened = open()) {
            assertThat(found(opened.archive())).isEqualTo(writers * (each - 2) + each);
            assertThat(opened.archive().verify()).isEmpty();
        }
    }

    @Test
    void aFolderThatWasRestoredFromACopyIsNoticed() throws Exception {
        try (SegmentFolder opened = open()) {
            opened.archive().add(List.of(document("a")));
        }
        Path backup = parent.resolve("backup");
        copy(folder, backup);
        try (SegmentFolder opened = open()) {
            opened.archive().add(List.of(document("b")));
        }
        delete(folder);
        copy(backup, folder);
        assertThatThrownBy(this::open)
                .isInstanceOf(RolledBackException.class)
                .hasMessageContaining("state 3")
                .hasMessageContaining("restored");
        assertThat(SegmentFolder.accept(folder, device, RANDOM)).isTrue();
        assertThat(SegmentFolder.accept(folder, device, RANDOM)).isFalse();
        try (SegmentFolder opened = open()) {
            assertThat(opened.archive().add(List.of(document("a"), document("c"))))
                    .isEqualTo(new SegmentArchive.Added(1, 0, 1));
            assertThat(found(opened.archive())).isEqualTo(2);
        }
    }

    @Test
    void aFolderWithoutStatesIsDamagedNotNew() throws Exception {
        delete(folder.resolve("manifests"));
        Files.createDirectory(folder.resolve("manifests"));
        assertThatThrownBy(this::open).isInstanceOf(SseException.class);
        DevicePlaces fresh = device("fresh");
        copy(device.keys(), fresh.keys());
        assertThatThrownBy(() -> SegmentFolder.open(folder, fresh, RANDOM))
                .isInstanceOf(SseException.class)
                .hasMessageContaining("damaged");
    }

    @Test
    void otherFoldersAreNoArchives() throws Exception {
        assertThatThrownBy(() -> SegmentFolder.open(parent.resolve("none"), device, RANDOM))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> SegmentFolder.open(parent, device, RANDOM))
                .isInstanceOf(UnusableArchiveException.class)
                .hasMessageContaining("is no archive");
        assertThatThrownBy(() -> SegmentFolder.create(folder, device, RANDOM))
                .isInstanceOf(UnusableArchiveException.class)
                .hasMessageContaining("is not empty");
        for (String text : List.of("", "[]", "{", "{\"version\": 2, \"scheme\": \"segments\", \"id\": \"12\"}")) {
            Files.writeString(folder.resolve("archive.json"), text);
            assertThatThrownBy(this::open).as(text).isInstanceOf(UnusableArchiveException.class);
        }
        Files.writeString(folder.resolve("archive.json"), "{\"version\": 3, \"more\": {\"a\": [1]}}");
        assertThatThrownBy(this::open).hasMessageContaining("later version");
    }

    @Test
    void theNewestStateThatWasSeenIsKeptByAllProcessesOfADevice() throws Exception {
        HeadFile one = new HeadFile(parent.resolve("heads"), "a.head");
        HeadFile other = new HeadFile(parent.resolve("heads"), "a.head");
        assertThat(one.last()).isEmpty();
        SeenHead second = new SeenHead(2, new byte[32]);
        one.saw(second);
        other.saw(new SeenHead(1, new byte[32]));
        assertThat(other.last()).contains(second);
        other.accept(new SeenHead(1, new byte[32]));
        assertThat(one.last().orElseThrow().version()).isEqualTo(1);
        Files.writeString(parent.resolve("heads/a.head"), "rubbish");
        assertThatThrownBy(one::last)
                .isInstanceOf(UnusableArchiveException.class)
                .hasMessageContaining("a.head");
    }

    @Test
    void placesOfADeviceFollowItsEnvironment() {
        Path home = Path.of("/home/ada");
        assertThat(DevicePlaces.of(Map.of(), home))
                .isEqualTo(new DevicePlaces(
                        home.resolve(".config/veilgate/archives"), home.resolve(".local/state/veilgate/archives")));
        assertThat(DevicePlaces.of(Map.of("XDG_CONFIG_HOME", "/c", "XDG_STATE_HOME", "not/absolute"), home))
                .isEqualTo(new DevicePlaces(
                        Path.of("/c/veilgate/archives"), home.resolve(".local/state/veilgate/archives")));
    }
}
