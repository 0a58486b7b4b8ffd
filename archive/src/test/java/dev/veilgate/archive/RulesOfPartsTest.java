package dev.veilgate.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.archive.words.ArchiveQuestion;
import dev.veilgate.archive.words.DocumentWords;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An archive to which lines were added by rules 1 and by rules 2. */
class RulesOfPartsTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Rules 1 see a JSON record with a text, rules 2 the line that a container wrote. */
    private static final String WRAPPED =
            "{\"log\":\"2026-11-21T11:00:01Z ERROR overheat user=bob\\n\",\"stream\":\"stderr\","
                    + "\"time\":\"2026-11-21T11:00:01.5Z\"}";

    @TempDir
    Path parent;

    private Path folder;
    private DevicePlaces device;

    @BeforeEach
    void create() throws IOException {
        folder = parent.resolve("logs");
        device = new DevicePlaces(parent.resolve("keys"), parent.resolve("states"));
        SegmentFolder.create(folder, device, RANDOM);
    }

    private SegmentFolder open() throws IOException {
        return SegmentFolder.open(folder, device, RANDOM);
    }

    private static NewDocument line(String name, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return new NewDocument(
                name,
                new Sha256().add(utf8).finish().clone(),
                0,
                utf8.length,
                words -> words.line(utf8, 0, utf8.length, Instant.EPOCH));
    }

    private static void add(Archive archive, int rules, String... names) throws IOException {
        try (DocumentAdder adder = new DocumentAdder(archive, 100, new Unheard(), rules)) {
            for (String name : names) {
                adder.add(line(name, WRAPPED));
            }
            adder.flush();
        }
    }

    private static List<String> found(SegmentFolder archive, String query) throws IOException {
        return archive.search(query, 10, false).documents().stream()
                .map(Answer.Found::name)
                .sorted()
                .toList();
    }

    private static List<Integer> rules(SegmentFolder archive) throws IOException {
        return archive.archive().state().segments().stream()
                .map(segment -> segment.entry().layout().rules())
                .sorted()
                .toList();
    }

    @Test
    void eachPartSaysByWhichRulesItsWordsWereMade() throws Exception {
        try (SegmentFolder archive = open()) {
            try (DocumentAdder adder = new DocumentAdder(archive, 100, new Unheard())) {
                adder.add(line("before", WRAPPED));
                adder.flush();
            }
            add(archive, 2, "after");
            assertThat(rules(archive)).containsExactly(1, 2);
        }
        try (SegmentFolder archive = open()) {
            assertThat(found(archive, "overheat")).containsExactly("after", "before");
            assertThat(found(archive, "user:bob")).as("of rules 2 alone").containsExactly("after");
            assertThat(found(archive, "overheat NOT user:bob")).containsExactly("before");
            archive.compact();
            assertThat(rules(archive)).containsExactly(1, 2);
            assertThat(found(archive, "user:bob")).containsExactly("after");
            add(archive, 2, "before");
            assertThat(found(archive, "user:bob"))
                    .as("what is there as it is keeps its words")
                    .containsExactly("after");
            archive.deleteNamed(List.of("before"));
            add(archive, 2, "before");
            assertThat(found(archive, "user:bob")).containsExactly("after", "before");
            assertThat(archive.verify()).isEmpty();
        }
    }

    @Test
    void rulesThatAreNotKnownAreNotAskedInSilence() throws Exception {
        try (SegmentFolder archive = open()) {
            byte[] digest = new Sha256().add(1).finish().clone();
            ReadDocument document = new ReadDocument(
                    "a", digest, 0, new DocumentWords().text("owl").counts(), 3);
            archive.add(List.of(document));
            assertThatThrownBy(() -> archive.search("owl", 1, false))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("rules 3", "update");
        }
        assertThat(ArchiveQuestion.parse("owl", 2)).isEqualTo(ArchiveQuestion.parse("owl"));
    }

    @Test
    void documentsOfDifferentRulesAreInDifferentParts() throws Exception {
        try (SegmentFolder archive = open()) {
            ReadDocument first = read("a", 1);
            ReadDocument later = read("b", 2);
            assertThatThrownBy(() -> archive.add(List.of(first, later))).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static ReadDocument read(String name, int rules) {
        return new ReadDocument(
                name,
                new Sha256().add(rules).finish().clone(),
                0,
                new DocumentWords().text("owl").counts(),
                rules);
    }
}
