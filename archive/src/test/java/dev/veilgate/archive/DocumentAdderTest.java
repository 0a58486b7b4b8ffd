package dev.veilgate.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.SseSchemes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentAdderTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Keyword OWL = Keyword.text("text", "owl");

    @TempDir
    private Path parent;

    private Path folder;
    private DevicePlaces device;

    @BeforeEach
    void choosePlaces() {
        folder = parent.resolve("archive");
        device = new DevicePlaces(parent.resolve("keys"), parent.resolve("states"));
    }

    private void create() throws Exception {
        SegmentFolder.create(folder, device, RANDOM);
    }

    private SegmentFolder open() throws Exception {
        return SegmentFolder.open(folder, device, RANDOM);
    }

    private static void add(ArchiveFolder archive, long parts, long unreadable) throws Exception {
        try (DocumentAdder adder = new DocumentAdder(archive, 10, new Unheard())) {
            for (long part = 1; part <= parts; part++) {
                if (part != unreadable) {
                    String name = Archive.partName("birds.csv", part);
                    adder.add(new NewDocument(name, new byte[1], 0, 1, words -> words.mail(List.of(OWL))));
                }
            }
            adder.endOfFile("birds.csv", parts, () -> true);
            adder.flush();
        }
    }

    @Test
    void ofManyDocumentsOneThatIsRefusedCostsFewAdditions() throws Exception {
        create();
        List<String> refused = new ArrayList<>();
        try (SegmentFolder archive = open()) {
            DocumentAdder adder = new DocumentAdder(archive, 1000, (name, why) -> refused.add(name));
            for (int i = 0; i < 1000; i++) {
                String name = i == 700 ? "x".repeat(5000) : "d" + i;
                adder.add(new NewDocument(name, new byte[1], 0, 1, words -> words.mail(List.of(OWL))));
            }
            adder.flush();
            assertThat(refused).containsExactly("x".repeat(5000));
            assertThat(adder.added()).isEqualTo(999);
            assertThat(archive.search("owl", 1, false).count()).isEqualTo(999);
            assertThat(archive.sizes().segments()).isLessThan(12);
        }
    }

    /** A row that could not be read, and so was not added, does not hide those behind it. */
    @Test
    void whatAFileHasNoMoreIsFoundNoMore() throws Exception {
        SseScheme scheme = SseSchemes.of("aura");
        ArchiveFolder.create(folder, scheme, Parameters.standard(scheme), RANDOM);
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            add(archive, 7, 5);
            add(archive, 3, 0);
            assertThat(archive.search(new SseExpression.Word(OWL)).documents())
                    .extracting(Answer.Found::name)
                    .containsExactlyInAnyOrder("birds.csv#1", "birds.csv#2", "birds.csv#3");
            add(archive, 1, 0);
            assertThat(archive.search(new SseExpression.Word(OWL)).documents()).hasSize(1);
        }
    }

    @Test
    void aDocumentThatComesAgainWhileItsBatchIsPreparedTakesItsOwnPlace() throws Exception {
        create();
        try (SegmentFolder archive = open();
                DocumentAdder adder = new DocumentAdder(archive, 1, new Unheard())) {
            for (int i = 0; i < 3; i++) {
                Keyword word = Keyword.text("text", "form" + i);
                byte[] digest = {(byte) i};
                adder.add(new NewDocument("a", digest, 0, 1, words -> words.mail(List.of(word))));
                adder.add(new NewDocument("b" + i, digest, 0, 1, words -> words.mail(List.of(word))));
            }
            adder.flush();
            assertThat(adder.added()).isEqualTo(6);
            assertThat(adder.replaced()).isEqualTo(2);
            assertThat(archive.search("form0 OR form1", 9, false).documents())
                    .extracting(Answer.Found::name)
                    .containsExactlyInAnyOrder("b0", "b1");
            assertThat(archive.search("form2", 9, false).documents())
                    .extracting(Answer.Found::name)
                    .containsExactlyInAnyOrder("a", "b2");
        }
    }

    @Test
    void aBatchThatCannotBeStoredEndsTheAdditionAndThoseBeforeItStay() throws Exception {
        create();
        try (SegmentFolder archive = open()) {
            try (DocumentAdder adder = new DocumentAdder(archive, 1, new Unheard())) {
                adder.add(new NewDocument("a", new byte[1], 0, 1, words -> words.mail(List.of(OWL))));
                adder.flush();
                adder.add(new NewDocument("b", new byte[1], 0, 1, words -> words.mail(List.of(OWL))));
                Path objects = folder.resolve("objects");
                Files.move(objects, parent.resolve("aside"));
                Files.createFile(objects);
                assertThatThrownBy(adder::flush).isInstanceOf(IOException.class);
                Files.delete(objects);
                Files.move(parent.resolve("aside"), objects);
                assertThat(adder.added()).isEqualTo(1);
            }
            assertThat(archive.search("owl", 1, false).count()).isEqualTo(1);
        }
    }

    @Test
    void partsThatAnotherProcessAddedSinceTheFileWasReadStay() throws Exception {
        create();
        try (SegmentFolder slow = open();
                SegmentFolder fast = open();
                DocumentAdder slower = new DocumentAdder(slow, 10, new Unheard());
                DocumentAdder faster = new DocumentAdder(fast, 10, new Unheard())) {
            addLines(slower, 3);
            addLines(faster, 5);
            faster.endOfFile("a.log", 5, () -> true);
            faster.flush();
            slower.endOfFile("a.log", 3, () -> false);
            slower.flush();
            assertThat(slow.search("owl", 0, false).count()).isEqualTo(5);
            assertThat(faster.added()).isEqualTo(5);
            assertThat(slower.added()).isZero();
            assertThat(slower.unchanged()).isEqualTo(3);
            slower.endOfFile("a.log", 3, () -> true);
            slower.flush();
            assertThat(slower.removed()).isEqualTo(2);
            assertThat(slow.search("owl", 0, false).count()).isEqualTo(3);
        }
    }

    @Test
    void anEmptyPlaceOfAFileThatWasWrittenSinceIsLeftAsItIs() throws Exception {
        create();
        try (SegmentFolder archive = open();
                DocumentAdder adder = new DocumentAdder(archive, 10, new Unheard())) {
            addLines(adder, 3);
            adder.flush();
            adder.gone("a.log#2", () -> false);
            adder.gone("a.log#3", () -> true);
            adder.gone("a.log#4", () -> true);
            adder.flush();
            assertThat(adder.removed()).isEqualTo(1);
            assertThat(archive.search("owl", 9, false).documents())
                    .extracting(Answer.Found::name)
                    .containsExactlyInAnyOrder("a.log#1", "a.log#2");
        }
    }

    private static void addLines(DocumentAdder adder, int lines) throws Exception {
        for (int line = 1; line <= lines; line++) {
            String name = Archive.partName("a.log", line);
            adder.add(new NewDocument(name, new byte[1], line, 1, words -> words.mail(List.of(OWL))));
        }
    }

    @Test
    void eachMergeIsMadeOnce() throws Exception {
        create();
        try (SegmentFolder archive = open();
                DocumentAdder adder = new DocumentAdder(archive, 1, new Unheard())) {
            addLines(adder, 64);
            adder.flush();
            archive.maintain();
            assertThat(archive.archive().state().segments()).hasSize(1);
        }
        try (Stream<Path> objects = Files.walk(folder.resolve("objects"))) {
            assertThat(objects.filter(Files::isRegularFile)).hasSizeBetween(64 + 8 + 1, 64 + 10);
        }
    }
}
