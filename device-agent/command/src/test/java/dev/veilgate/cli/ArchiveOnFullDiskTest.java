package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.terminal.ExitCode;
import dev.veilgate.testing.SmallDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives on disks without room, and read-only ones: the command says it, loses nothing, and goes on afterwards. */
class ArchiveOnFullDiskTest {
    private static final String FULL = "No space left on device";
    private static final String READ_ONLY = "ead-only";

    @TempDir
    private Path folder;

    private final CommandRun run = new CommandRun();
    private SmallDisk disk;
    private Path archive;
    private Path documents;

    @BeforeEach
    void makeArchive() throws IOException {
        disk = new SmallDisk(8);
        archive = disk.folder().resolve("archive");
        documents = folder.resolve("documents");
        keepKeysOn(folder);
        ArchivedSamples.write(documents);
    }

    @AfterEach
    void unmount() {
        disk.close();
    }

    private void keepKeysOn(Path device) {
        run.environment.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        run.environment.put("XDG_STATE_HOME", device.resolve("state").toString());
    }

    static Stream<String> schemes() {
        return Stream.of("segments", "suise");
    }

    private List<String> found(String query) {
        CommandRun.Result result = run.run("archive", "search", "--names", archive, query);
        assertThat(result.code()).as(result.err()).isIn(ExitCode.OK, ExitCode.NO_MATCH);
        return result.out()
                .lines()
                .map(line -> line.replaceAll(".*documents/", ""))
                .sorted()
                .toList();
    }

    private void fails(String why, Object... arguments) {
        CommandRun.Result result = run.run(arguments);
        assertThat(result.err()).contains(why).doesNotContain("\tat ");
        assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.IO);
        assertThat(result.err().lines().count()).isBetween(1L, 3L);
    }

    private void writeMore() throws IOException {
        StringBuilder rows = new StringBuilder("name,city\n");
        for (int i = 0; i < 300; i++) {
            rows.append("crane").append(i).append(",Lima").append(i % 7).append('\n');
        }
        ArchivedSamples.write(documents, "more.csv", rows.toString());
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void aFullDiskIsNamedAndTheSameCommandGoesOnWhenThereIsRoom(String scheme) throws Exception {
        run.ok("archive", "create", "--scheme", scheme, archive);
        run.ok("archive", "add", archive, documents);
        writeMore();
        disk.fill();
        fails(FULL, "archive", "add", archive, documents);
        if (scheme.equals("segments")) {
            assertThat(found("owl")).containsExactly("birds.csv#1", "mail/cur/1:2,S", "notes.txt");
        } else {
            fails(FULL, "archive", "search", archive, "owl"); // what was begun is done first
        }
        disk.free();
        assertThat(run.ok("archive", "add", archive, documents).out()).contains(" 0 not added");
        assertThat(found("owl")).containsExactly("birds.csv#1", "mail/cur/1:2,S", "notes.txt");
        assertThat(found("crane299")).containsExactly("more.csv#300");
        assertThat(run.ok("archive", "stats", "--json", archive).out()).contains("\"documents\":307,");
    }

    @Test
    void aDiskThatIsFullBeforeAnArchiveIsMadeIsNamed() throws Exception {
        disk.fill();
        fails(FULL, "archive", "create", archive);
        disk.free();
    }

    @Test
    void deletingMergingAndSearchingOnAFullDiskLoseNothing() throws Exception {
        run.ok("archive", "create", archive);
        for (int i = 0; i < 4; i++) {
            run.ok("archive", "add", archive, documents);
            ArchivedSamples.write(documents, "note" + i + ".txt", "A wren, " + i);
        }
        disk.fill();
        fails(FULL, "archive", "compact", archive);
        fails(FULL, "archive", "delete", archive, documents.resolve("notes.txt"));
        assertThat(found("owl")).containsExactly("birds.csv#1", "mail/cur/1:2,S", "notes.txt");
        run.ok("archive", "verify", archive);
        disk.free();
        run.ok("archive", "delete", archive, documents.resolve("notes.txt"));
        run.ok("archive", "compact", archive);
        run.ok("archive", "verify", archive);
        assertThat(found("owl OR wren"))
                .containsExactly("birds.csv#1", "mail/cur/1:2,S", "note0.txt", "note1.txt", "note2.txt");
    }

    @Test
    void aDeviceThatCannotRememberTheNewestStateSaysItAndGoesOn() throws Exception {
        keepKeysOn(disk.folder());
        archive = folder.resolve("archive");
        run.ok("archive", "create", archive);
        run.ok("archive", "add", archive, documents);
        writeMore();
        disk.fill();
        fails(FULL, "archive", "add", archive, documents);
        disk.free();
        run.ok("archive", "add", archive, documents);
        assertThat(run.ok("archive", "stats", "--json", archive).out()).contains("\"documents\":307,");
        run.ok("archive", "verify", archive);
    }

    @ParameterizedTest
    @ValueSource(strings = {"segments", "suise"})
    void aReadOnlyFolderIsNamed(String scheme) throws Exception {
        run.ok("archive", "create", "--scheme", scheme, archive);
        run.ok("archive", "add", archive, documents);
        writeMore();
        disk.readOnly(true);
        fails(READ_ONLY, "archive", "add", archive, documents);
        fails(READ_ONLY, "archive", "delete", archive, documents.resolve("notes.txt"));
        if (scheme.equals("segments")) {
            fails(READ_ONLY, "archive", "compact", archive);
            assertThat(found("owl")).containsExactly("birds.csv#1", "mail/cur/1:2,S", "notes.txt");
            run.ok("archive", "verify", archive);
        }
        disk.readOnly(false);
        assertThat(run.ok("archive", "add", archive, documents).out()).startsWith("300 added");
        assertThat(found("owl")).containsExactly("birds.csv#1", "mail/cur/1:2,S", "notes.txt");
    }
}
