package dev.veilgate.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.archive.words.DocumentWords;
import dev.veilgate.sse.Ask;
import dev.veilgate.sse.Capabilities;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.Sha256;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.SseSchemes;
import dev.veilgate.testing.FrozenSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Archives of the papers' schemes that an earlier version wrote are searched and changed. */
class FrozenSchemesTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    @TempDir
    private Path temporary;

    /** Every archive of every set. */
    static List<Arguments> archives() throws IOException {
        Stream.Builder<Arguments> all = Stream.builder();
        for (FrozenSet set : FrozenArchiveTest.SETS) {
            set.names("schemes").forEach(name -> all.add(Arguments.of(set, name)));
        }
        return all.build().toList();
    }

    /** Takes the rights of others to a file away, which it gets in a checkout. */
    static void makePrivate(Path file) throws IOException {
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
    }

    private Path copy(FrozenSet set, String name) throws IOException {
        Path folder = set.copy("schemes/" + name, temporary);
        makePrivate(folder.resolve("archive.key"));
        return folder;
    }

    /** Names of documents, each shorter by what all begin with. */
    private static Set<String> found(ArchiveFolder archive, String query, boolean best) throws IOException {
        Answer answer = archive.search(query, 20, best);
        assertThat(answer.findings()).isEmpty();
        assertThat(answer.documents()).hasSize((int) answer.count());
        return answer.documents().stream()
                .map(found -> found.name().substring(FrozenArchiveTest.DOCUMENTS.length()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Requires what a search finds, more than which schemes with false hits may find. */
    private static void requireFound(ArchiveFolder archive, String query, Set<String> expected) throws IOException {
        Set<String> found = found(archive, query, false);
        if (archive.capabilities().exactness() == Capabilities.Exactness.FALSE_HITS) {
            assertThat(found).as(query).containsAll(expected);
        } else {
            assertThat(found).as(query).isEqualTo(expected);
        }
    }

    /** A set, and more in a copy of it. */
    private static Set<String> with(Set<String> set, String... more) {
        Set<String> all = new TreeSet<>(set);
        all.addAll(List.of(more));
        return all;
    }

    private static boolean deletes(ArchiveFolder archive) {
        return archive.capabilities().deletion() != Capabilities.Deletion.NONE;
    }

    private static void requireAnswers(ArchiveFolder archive) throws IOException {
        Set<String> gone = deletes(archive) ? Set.of() : Set.of("gone.txt");
        Set<Ask> asks = archive.capabilities().ask();
        requireFound(archive, "owl", with(gone, "owl.txt", "larks.txt"));
        requireFound(archive, "lark", Set.of("lark.txt"));
        requireFound(archive, "10.0.0.1", Set.of("lark.txt"));
        requireFound(archive, "deleted", gone);
        requireFound(archive, "nowhere", Set.of());
        if (asks.contains(Ask.PREFIX)) {
            requireFound(archive, "lar*", Set.of("lark.txt", "larks.txt"));
        }
        if (asks.contains(Ask.PATTERN)) {
            requireFound(archive, "l*s", Set.of("larks.txt"));
        }
        if (asks.contains(Ask.ALL_OF)) {
            requireFound(archive, "owl larks", Set.of("larks.txt"));
        }
        if (asks.contains(Ask.BEST)) {
            assertThat(found(archive, "lark root", true)).containsExactly("lark.txt", "owl.txt");
        }
    }

    /** A scheme without a frozen archive fails here. */
    @Test
    void eachSchemeHasAnArchive() throws Exception {
        Set<String> frozen = new TreeSet<>();
        for (Arguments each : archives()) {
            FrozenSet set = (FrozenSet) each.get()[0];
            frozen.add(ArchiveDescription.read(set.path("schemes/" + each.get()[1]))
                    .scheme());
        }
        assertThat(frozen)
                .isEqualTo(SseSchemes.all().stream().map(SseScheme::id).collect(Collectors.toSet()));
    }

    @ParameterizedTest
    @MethodSource("archives")
    void findsWhatIsThereAndNothingThatWasDeleted(FrozenSet set, String name) throws Exception {
        try (ArchiveFolder archive = ArchiveFolder.open(copy(set, name), RANDOM)) {
            assertThat(archive.resumed().isAny()).isFalse();
            requireAnswers(archive);
            requireAnswers(archive); // some remember a search, and answer the next one by that
        }
    }

    @ParameterizedTest
    @MethodSource("archives")
    void goesOn(FrozenSet set, String name) throws Exception {
        Path folder = copy(set, name);
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            String text = "A late owl.";
            byte[] digest =
                    new Sha256().add(text.getBytes(StandardCharsets.UTF_8)).finish();
            NewDocument late = new NewDocument(
                    FrozenArchiveTest.DOCUMENTS + "late.txt", digest, 0, text.length(), words -> words.text(text));
            assertThat(archive.add(List.of(ReadDocument.of(late, new DocumentWords()))))
                    .isEqualTo(new Archive.Added(1, 0, 0));
            List<String> deleted = List.of(FrozenArchiveTest.DOCUMENTS + "owl.txt");
            if (deletes(archive)) {
                assertThat(archive.deleteNamed(deleted)).isEqualTo(1);
            } else {
                assertThatThrownBy(() -> archive.deleteNamed(deleted)).isInstanceOf(RefusedException.class);
            }
            requireChanged(archive);
        }
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            requireChanged(archive);
        }
    }

    private static void requireChanged(ArchiveFolder archive) throws IOException {
        Set<String> left = deletes(archive) ? Set.of() : Set.of("gone.txt", "owl.txt");
        requireFound(archive, "owl", with(left, "larks.txt", "late.txt"));
        requireFound(archive, "late", Set.of("late.txt"));
        requireFound(archive, "lark", Set.of("lark.txt"));
    }
}
