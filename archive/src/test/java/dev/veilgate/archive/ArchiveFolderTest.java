package dev.veilgate.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.archive.store.MvStoreCells;
import dev.veilgate.archive.store.StoreInUseException;
import dev.veilgate.archive.words.DocumentWords;
import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.Ask;
import dev.veilgate.sse.Capabilities;
import dev.veilgate.sse.Channel;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.OutdatedStateException;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.SseSchemes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An archive in a folder, with every scheme: what it keeps where, what it goes on with, what it refuses. */
class ArchiveFolderTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Keyword OWL = Keyword.text("text", "strigiformes");
    private static final Keyword LARK = Keyword.text("text", "alaudidae");

    @TempDir
    private Path parent;

    private static List<String> schemes(Predicate<Capabilities> that) {
        return SseSchemes.all().stream()
                .filter(scheme -> that.test(scheme.capabilities(Parameters.standard(scheme))))
                .map(SseScheme::id)
                .toList();
    }

    /** Schemes whose results are as they should be. */
    static List<String> schemes() {
        return schemes(can -> can.ask().contains(Ask.WORD)
                && can.exactness() == Capabilities.Exactness.EXACT
                && can.deletion() != Capabilities.Deletion.NONE);
    }

    static List<String> schemesThatCannotDelete() {
        return schemes(can -> can.deletion() == Capabilities.Deletion.NONE);
    }

    static List<String> schemesThatNoticeAnOlderOwner() {
        return schemes(can -> can.devices() == Capabilities.Devices.ONE);
    }

    /** Everything says the same, also what comes after an operation that was begun with it. */
    @ParameterizedTest
    @MethodSource("schemesThatNoticeAnOlderOwner")
    void anOlderCopyOfTheOwnersSideIsNamedByEveryOperation(String scheme) throws Exception {
        Path folder = create(scheme);
        Path owner = folder.resolve("owner.mv");
        Path copy = parent.resolve("copy.mv");
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            archive.add(List.of(document("a", 1, OWL)));
        }
        Files.copy(owner, copy);
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            archive.add(List.of(document("b", 1, OWL)));
            assertThat(names(archive, LARK)).isEmpty();
            assertThat(names(archive, OWL)).containsExactly("a", "b");
        }
        Path newer = Files.move(owner, parent.resolve("newer.mv"));
        Files.copy(copy, owner);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> {
                        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
                            DocumentAdder adder = new DocumentAdder(archive, 1, new Unheard());
                            adder.add(new NewDocument("c", new byte[1], 0, 1, to -> to.mail(List.of(OWL))));
                            adder.flush();
                        }
                    })
                    .isInstanceOf(OutdatedStateException.class)
                    .hasMessageContaining("restored");
            assertThatThrownBy(() -> {
                        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
                            names(archive, OWL);
                        }
                    })
                    .isInstanceOf(OutdatedStateException.class);
        }
        Files.move(newer, owner, StandardCopyOption.REPLACE_EXISTING);
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            assertThat(names(archive, OWL)).containsExactly("a", "b");
        }
    }

    private Path create(String scheme) throws Exception {
        return create(scheme, Map.of());
    }

    private Path create(String scheme, Map<String, Long> set) throws Exception {
        Path folder = parent.resolve("archive");
        SseScheme its = SseSchemes.of(scheme);
        ArchiveFolder.create(folder, its, Parameters.of(its, set), RANDOM);
        return folder;
    }

    private static ReadDocument document(String name, int content, Keyword... words) {
        return new ReadDocument(
                name,
                new byte[] {(byte) content},
                0,
                new DocumentWords().mail(List.of(words)).counts());
    }

    private static List<String> names(ArchiveFolder archive, Keyword word) throws Exception {
        Answer answer = archive.search(new SseExpression.Word(word));
        assertThat(answer.findings()).isEmpty();
        return answer.documents().stream().map(Answer.Found::name).sorted().toList();
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void documentsAreAddedReplacedDeletedAndFoundAfterwards(String scheme) throws Exception {
        Path folder = create(scheme);
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            archive.add(List.of(document("a", 1, OWL), document("b", 1, OWL, LARK), document("c", 1)));
            assertThat(names(archive, OWL)).containsExactly("a", "b");
            assertThat(names(archive, LARK)).containsExactly("b");
            assertThat(archive.statistics().documents()).isEqualTo(3);
        }
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            assertThat(archive.resumed().isAny()).isFalse();
            assertThat(names(archive, OWL)).containsExactly("a", "b");
            archive.add(List.of(document("a", 2, LARK)));
            assertThat(names(archive, OWL)).containsExactly("b");
            assertThat(names(archive, LARK)).containsExactly("a", "b");
            archive.delete(Set.of(archive.named("b").orElseThrow().id()));
            assertThat(names(archive, OWL)).isEmpty();
            assertThat(names(archive, LARK)).containsExactly("a");
            assertThat(archive.named("b")).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("schemesThatCannotDelete")
    void aChangedDocumentIsRefusedWhereTheOldOneCannotBeDeleted(String scheme) throws Exception {
        try (ArchiveFolder archive = ArchiveFolder.open(create(scheme), RANDOM)) {
            archive.add(List.of(document("a", 1, OWL)));
            StoredDocument former = archive.named("a").orElseThrow();
            assertThatThrownBy(() -> archive.add(List.of(document("b", 1), document("a", 2, LARK))))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("cannot delete");
            assertThatThrownBy(() -> archive.delete(Set.of(former.id()))).isInstanceOf(RefusedException.class);
            assertThat(archive.named("a").orElseThrow().id()).isEqualTo(former.id());
            assertThat(archive.named("b")).isEmpty();
            assertThat(archive.statistics().documents()).isEqualTo(1);
        }
    }

    /** As if the process was killed behind the note of a change, when the server has not heard of it yet. */
    @ParameterizedTest
    @MethodSource("schemes")
    void whatWasBegunIsDoneWhenTheArchiveIsOpened(String scheme) throws Exception {
        Path folder = create(scheme);
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            archive.add(List.of(document("a", 1, OWL)));
        }
        cutOff(
                folder,
                table -> table.beginAdding(
                        List.of(new DocumentTable.Addition("b", new byte[1], new TreeMap<>(Map.of(OWL, 1))))));
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            assertThat(archive.resumed().added()).isEqualTo(1);
            assertThat(names(archive, OWL)).containsExactly("a", "b");
        }
        cutOff(
                folder,
                table -> table.beginDeleting(
                        Set.of(table.named("a").orElseThrow().id())));
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            assertThat(archive.resumed().deleted()).isEqualTo(1);
            assertThat(names(archive, OWL)).containsExactly("b");
            assertThat(archive.statistics().documents()).isEqualTo(1);
        }
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            assertThat(archive.resumed().isAny()).isFalse();
        }
    }

    private interface Work {
        void on(DocumentTable table) throws Exception;
    }

    private static void cutOff(Path folder, Work work) throws Exception {
        try (MvStoreCells cells = MvStoreCells.open(folder.resolve("owner.mv"))) {
            work.on(new DocumentTable(cells, ArchiveKeyFile.read(folder.resolve("archive.key")), RANDOM));
        }
    }

    @Test
    void aRefusedAdditionIsTakenBack() throws Exception {
        Path folder = create(schemes().getFirst());
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            archive.add(List.of(document("a", 1, OWL)));
        }
        cutOff(folder, table -> {
            StoredDocument former = table.named("a").orElseThrow();
            table.beginAdding(List.of(
                    new DocumentTable.Addition("a", new byte[1], new TreeMap<>(Map.of(LARK, 1))),
                    new DocumentTable.Addition("b", new byte[1], new TreeMap<>(Map.of(LARK, 1)))));
            assertThat(table.named("a").orElseThrow().id()).isNotEqualTo(former.id());
            table.takeBackAdding();
            assertThat(table.named("a").orElseThrow().id()).isEqualTo(former.id());
            assertThat(table.named("b")).isEmpty();
            assertThat(table.count()).isEqualTo(1);
        });
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            assertThat(archive.resumed().isAny()).isFalse();
            assertThat(names(archive, OWL)).containsExactly("a");
        }
    }

    /** A table of which every row has changed, say, is more than Janus++ deletes at a time. */
    @Test
    void moreIsDeletedThanASchemeDeletesAtATime() throws Exception {
        Path folder = create("januspp", Map.of("deletions", 2L));
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            List<ReadDocument> documents = new ArrayList<>();
            List<ReadDocument> changed = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                documents.add(document("a" + i, 1, OWL));
                changed.add(document("a" + i, 2, OWL, LARK));
            }
            archive.add(documents);
            archive.add(changed);
            assertThat(names(archive, OWL)).hasSize(7);
            assertThat(names(archive, LARK)).hasSize(7);
            archive.delete(archive.search(new SseExpression.Word(OWL)).documents().stream()
                    .map(found -> found.id().orElseThrow())
                    .toList());
            assertThat(names(archive, OWL)).isEmpty();
            assertThat(archive.statistics().documents()).isZero();
        }
    }

    @Test
    void aRefusedDeletionIsTakenBack() throws Exception {
        Path folder = create("sda", Map.of("levels", 2L));
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            archive.add(List.of(document("a", 1, OWL), document("b", 1, LARK)));
            DocumentId former = archive.named("a").orElseThrow().id();
            assertThatThrownBy(() -> archive.add(List.of(document("a", 2, OWL))))
                    .isInstanceOf(SseException.class)
                    .isNotInstanceOf(RefusedException.class)
                    .hasMessageContaining("documents were added")
                    .hasMessageContaining("room for 0 more");
            assertThat(names(archive, OWL)).containsExactly("a", "a");
            assertThatThrownBy(() -> archive.delete(Set.of(former))).isInstanceOf(RefusedException.class);
            DocumentId changed = archive.named("a").orElseThrow().id();
            assertThat(changed).isNotEqualTo(former);
            assertThatThrownBy(() -> archive.delete(Set.of(changed))).isInstanceOf(RefusedException.class);
            assertThat(archive.named("a").orElseThrow().id()).isEqualTo(changed);
            assertThat(names(archive, LARK)).containsExactly("b");
        }
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            assertThat(archive.resumed().isAny()).isFalse();
        }
    }

    /** As if the process was killed when the server had all of it, before that was noted. */
    @ParameterizedTest
    @ValueSource(strings = {"sda", "sdd"})
    void whatTheServerHasIsNotRefusedForWantOfRoom(String scheme) throws Exception {
        Path folder = create(scheme, Map.of("levels", 3L));
        long most = SseSchemes.of(scheme)
                .capabilities(Parameters.of(SseSchemes.of(scheme), Map.of("levels", 3L)))
                .capacity()
                .orElseThrow();
        List<DocumentTable.Addition> additions = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            additions.add(new DocumentTable.Addition("a" + i, new byte[1], new TreeMap<>(Map.of(OWL, 1))));
        }
        cutOff(folder, table -> table.beginAdding(additions));
        List<Document> added = new ArrayList<>();
        cutOff(folder, table -> added.addAll(table.pending(DocumentTable.Change.ADDED)));
        try (MvStoreCells owner = MvStoreCells.open(folder.resolve("owner.mv"));
                MvStoreCells server = MvStoreCells.open(folder.resolve("server.mv"))) {
            SseScheme its = SseSchemes.of(scheme);
            Parameters parameters = Parameters.of(its, Map.of("levels", 3L));
            ArchiveKey key = ArchiveKeyFile.read(folder.resolve("archive.key"));
            Channel.to(its.server(server, parameters))
                    .run(its.owner(key, owner, parameters, RANDOM).add(added));
        }
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            assertThat(names(archive, OWL)).hasSize((int) most);
        }
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void noFileHasNamesOrWordsInClear(String scheme) throws Exception {
        Path folder = create(scheme);
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            archive.add(List.of(document("/home/ada/strix-aluco.txt", 1, OWL, LARK)));
            names(archive, OWL);
        }
        for (String file : List.of("owner.mv", "server.mv")) {
            String content = Files.readString(folder.resolve(file), StandardCharsets.ISO_8859_1);
            assertThat(content).doesNotContain("strix").doesNotContain("strigi").doesNotContain("alaud");
        }
        String server = Files.readString(folder.resolve("server.mv"), StandardCharsets.ISO_8859_1);
        assertThat(server).doesNotContain("archive.");
        assertThat(Files.readString(folder.resolve("owner.mv"), StandardCharsets.ISO_8859_1))
                .contains("archive.");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("archive.key"))))
                .isEqualTo("rw-------");
    }

    @Test
    void aSecondProcessIsRefused() throws Exception {
        Path folder = create(schemes().getFirst());
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            assertThat(archive.resumed().isAny()).isFalse();
            assertThatThrownBy(() -> ArchiveFolder.open(folder, RANDOM)).isInstanceOf(StoreInUseException.class);
        }
        ArchiveFolder.open(folder, RANDOM).close();
    }

    @Test
    void keysThatCannotBeUsedAreNamed() throws Exception {
        Path folder = create(schemes().getFirst());
        try (ArchiveFolder archive = ArchiveFolder.open(folder, RANDOM)) {
            archive.add(List.of(document("a", 1, OWL)));
        }
        Path key = folder.resolve("archive.key");
        byte[] right = Files.readAllBytes(key);
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        refusesKey(folder, "can be read by others");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        Files.write(key, new byte[] {1, 2, 3});
        refusesKey(folder, "no archive's key, or damaged");
        Files.delete(key);
        refusesKey(folder, "is missing");
        ArchiveKeyFile.write(folder, ArchiveKeyFile.FILE, ArchiveKey.random(RANDOM));
        refusesKey(folder, "not the key of this archive");
        ArchiveKeyFile.write(
                folder,
                ArchiveKeyFile.FILE,
                ArchiveKey.decode(Arrays.copyOfRange(right, right.length - 32, right.length)));
        ArchiveFolder.open(folder, RANDOM).close();
    }

    private static void refusesKey(Path folder, String why) {
        assertThatThrownBy(() -> ArchiveFolder.open(folder, RANDOM))
                .isInstanceOf(UnusableKeyException.class)
                .hasMessageContaining(why);
    }

    @Test
    void foldersThatAreNoArchiveAreNamed() throws Exception {
        assertThatThrownBy(() -> ArchiveFolder.open(parent.resolve("missing"), RANDOM))
                .isInstanceOf(NoSuchFileException.class);
        refuses(parent, "is no archive");
        Path folder = create(schemes().getFirst());
        assertThatThrownBy(() -> create(schemes().getFirst()))
                .isInstanceOf(UnusableArchiveException.class)
                .hasMessageContaining("is not empty");
        Path description = folder.resolve("archive.json");
        String right = Files.readString(description);
        for (String wrong : new String[] {
            "",
            "{",
            "[]",
            "{}",
            right.replace("\"scheme\"", "\"schema\""),
            right.replace("archive.key", "../other.key"),
            right.replace(": 1,", ": \"1\",")
        }) {
            Files.writeString(description, wrong);
            refuses(folder, "is damaged");
        }
        Files.writeString(description, right.replaceFirst(": 1,", ": 2,"));
        refuses(folder, "later version");
        Files.writeString(description, right.replace(schemes().getFirst(), "none"));
        refuses(folder, "there is no such scheme");
        Files.writeString(description, right);
        ArchiveFolder.open(folder, RANDOM).close();
    }

    private static void refuses(Path folder, String why) {
        assertThatThrownBy(() -> ArchiveFolder.open(folder, RANDOM))
                .isInstanceOf(UnusableArchiveException.class)
                .hasMessageContaining(why);
    }
}
