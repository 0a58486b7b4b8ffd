package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.archive.ArchiveFolder;
import dev.veilgate.sse.Ask;
import dev.veilgate.sse.Capabilities;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.SseSchemes;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Archives by the command: every scheme on mails, text files and a table, and what is said when something is wrong. */
class ArchiveCommandTest {
    @TempDir
    private Path folder;

    private final CommandRun run = new CommandRun();
    private Path archive;
    private Path documents;

    @BeforeEach
    void writeDocuments() throws IOException {
        archive = folder.resolve("archive");
        documents = folder.resolve("documents");
        ArchivedSamples.write(documents);
    }

    private void write(String name, String content) throws IOException {
        ArchivedSamples.write(documents, name, content);
    }

    static Stream<String> schemes() {
        return SseSchemes.all().stream().map(SseScheme::id);
    }

    private static String aScheme() {
        return SseSchemes.all().stream()
                .filter(scheme -> can(scheme).ask().contains(Ask.WORD)
                        && can(scheme).deletion() != Capabilities.Deletion.NONE
                        && can(scheme).exactness() == Capabilities.Exactness.EXACT)
                .findFirst()
                .orElseThrow()
                .id();
    }

    private static Capabilities can(SseScheme scheme) {
        return scheme.capabilities(Parameters.standard(scheme));
    }

    private List<String> found(String query) {
        CommandRun.Result result = run.run("archive", "search", archive, query);
        assertThat(result.code()).as(result.err()).isIn(ExitCode.OK, ExitCode.NO_MATCH);
        return result.out()
                .lines()
                .map(line -> line.substring(18))
                .map(name -> name.replace(documents + "/", ""))
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void everySchemeAddsFindsDeletesAndCounts(String name) throws Exception {
        Capabilities can = can(SseSchemes.of(name));
        assertThat(run.ok("archive", "create", "--scheme", name, archive).out()).contains(name);
        assertThat(run.ok("archive", "add", archive, documents).out())
                .isEqualTo("7 added, of which 0 in place of an older form; 0 unchanged, 0 deleted, 0 not added\n");
        assertThat(run.ok("archive", "stats", archive).out()).contains("documents  7\n");
        if (can.ask().contains(Ask.WORD)) {
            finds(can, "subject:owl", "mail/cur/1:2,S");
            finds(can, "owl", "birds.csv#1", "mail/cur/1:2,S", "notes.txt");
            finds(can, "city:LIMA", "birds.csv#1");
            finds(can, "nothing");
        }
        refusesOrFinds(can.ask().contains(Ask.ALL_OF), "root heron", "inbox.mbox#2");
        refusesOrFinds(
                can.ask().contains(Ask.PREFIX) || can.ask().contains(Ask.PATTERN),
                "subject:ow*",
                "inbox.mbox#1",
                "mail/cur/1:2,S");
        refusesOrFinds(can.ask().contains(Ask.PATTERN), "subject:o*et", "inbox.mbox#1");
        CommandRun.Result best = run.run("archive", "search", "--best", "--top", 1, archive, "owl");
        assertThat(best.code()).isEqualTo(can.ask().contains(Ask.BEST) ? ExitCode.OK : ExitCode.USAGE);
        assertThat(best.out().lines().count()).isEqualTo(can.ask().contains(Ask.BEST) ? 1 : 0);

        CommandRun.Result deleted = run.run("archive", "delete", archive, documents.resolve("notes.txt"));
        if (can.deletion() == Capabilities.Deletion.NONE) {
            assertThat(deleted.code()).isEqualTo(ExitCode.USAGE);
            assertThat(deleted.err()).contains("cannot delete");
        } else {
            assertThat(deleted.out()).isEqualTo("1 deleted\n");
            assertThat(run.ok("archive", "stats", archive).out()).contains("documents  6\n");
            if (can.ask().contains(Ask.WORD)) {
                finds(can, "owl", "birds.csv#1", "mail/cur/1:2,S");
            }
        }
    }

    private void finds(Capabilities can, String query, String... names) {
        switch (can.exactness()) {
            case EXACT -> assertThat(found(query)).containsExactly(names);
            case FALSE_HITS -> assertThat(found(query)).contains(names);
            case LOSES -> assertThat(names).containsAll(found(query));
        }
    }

    private void refusesOrFinds(boolean can, String query, String... names) {
        if (can) {
            assertThat(found(query)).contains(names); // and others, where the scheme says so
        } else {
            CommandRun.Result result = run.run("archive", "search", archive, query);
            assertThat(result.code()).isEqualTo(ExitCode.USAGE);
            assertThat(result.err()).contains("the scheme ").contains("cannot").doesNotContain("heron", "owlet");
            assertThat(result.out()).isEmpty();
        }
    }

    @Test
    void whatChangedTakesTheOldOnesPlaceAndTheRestIsPassedOver() throws Exception {
        run.ok("archive", "create", "--scheme", aScheme(), archive);
        run.ok("archive", "add", archive, documents);
        write("notes.txt", "A wren.");
        write("birds.csv", "name,city\nowl,Lima\n");
        assertThat(run.ok("archive", "add", archive, documents, documents.resolve("notes.txt"))
                        .out())
                .isEqualTo("1 added, of which 1 in place of an older form; 6 unchanged, 1 deleted, 0 not added\n");
        assertThat(found("wren")).containsExactly("notes.txt");
        assertThat(found("owl")).containsExactly("birds.csv#1", "mail/cur/1:2,S");
        assertThat(found("lark")).containsExactly("mail/new/2");
    }

    @Test
    void batchesOfAnySizeAddTheSame() throws Exception {
        run.ok("archive", "create", "--scheme", aScheme(), archive);
        run.ok("archive", "add", "--batch", 2, archive, documents);
        assertThat(found("owl")).containsExactly("birds.csv#1", "mail/cur/1:2,S", "notes.txt");
        assertThat(run.run("archive", "add", "--batch", 100001, archive, documents)
                        .code())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void whatCannotBeReadIsNamedAndTheOthersAreAdded() throws Exception {
        run.ok("archive", "create", "--scheme", aScheme(), archive);
        Files.write(documents.resolve("picture.png"), new byte[] {0, 1, 2});
        write("birds.csv", "name,city\nowl,Lima\nlark\nwren,Oslo\n");
        CommandRun.Result result = run.run("archive", "add", archive, documents, folder.resolve("missing"));
        assertThat(result.code()).isEqualTo(ExitCode.IO);
        assertThat(result.err().lines())
                .containsExactly(
                        "not added: " + documents + "/birds.csv#2: it has 1 cells, and there are 2 columns",
                        "not added: " + documents + "/picture.png: it is neither text, mail nor a table",
                        "not added: " + folder + "/missing: no such file or folder");
        assertThat(result.out()).startsWith("7 added").endsWith("3 not added\n");
        assertThat(found("city:oslo")).containsExactly("birds.csv#3");
    }

    @Test
    void leakageSaysWhatTheServerWasTold() {
        run.ok("archive", "create", "--scheme", aScheme(), archive);
        run.ok("archive", "add", archive, documents);
        CommandRun.Result result = run.ok("archive", "search", "--leakage", "--json", archive, "subject:owl");
        assertThat(result.out()).matches("\\{\"id\":\"[0-9a-f]+\",\"name\":\"[^\"]*/mail/cur/1:2,S\"}\n");
        assertThat(result.err())
                .containsPattern("The server was sent [12] messages? of [0-9,]+ bytes in [12] turns?, and answered with"
                        + " [0-9,]+ byte")
                .contains("This search told it: ")
                .contains("Before any search it knows")
                .doesNotContain("owl");
        assertThat(run.ok("archive", "search", archive, "subject:owl").err()).isEmpty();
    }

    @Test
    void topShowsTheFirstAndSaysThatThereAreMore() {
        run.ok("archive", "create", "--scheme", aScheme(), archive);
        run.ok("archive", "add", archive, documents);
        CommandRun.Result result = run.ok("archive", "search", "--top", 2, archive, "owl");
        assertThat(result.out().lines()).hasSize(2);
        assertThat(result.err()).isEqualTo("note: 1 more were found\n");
    }

    @Test
    void documentsAreDeletedByIdToo() {
        run.ok("archive", "create", "--scheme", aScheme(), archive);
        run.ok("archive", "add", archive, documents);
        String id =
                run.ok("archive", "search", archive, "city:lima").out().strip().split(" ")[0];
        CommandRun.Result result = run.run("archive", "delete", archive, id, "feed");
        assertThat(result.code()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(result.out()).isEqualTo("1 deleted\n");
        assertThat(result.err()).isEqualTo("not in the archive: feed\n");
        assertThat(found("city:lima")).isEmpty();
    }

    @Test
    void schemesAreListedWithWhatTheyShow() throws Exception {
        String out = run.ok("archive", "schemes").out();
        List<String> json = run.ok("archive", "schemes", "--json").out().lines().toList();
        assertThat(json).hasSameSizeAs(SseSchemes.all());
        for (SseScheme scheme : SseSchemes.all()) {
            assertThat(out).contains(scheme.id() + ": " + scheme.description());
            assertThat(json).anyMatch(line -> line.startsWith("{\"name\":\"" + scheme.id() + "\""));
            scheme.parameters()
                    .forEach(parameter -> assertThat(out)
                            .contains("--set " + parameter.name())
                            .contains(parameter.help()));
        }
        assertThat(out.lines().filter(line -> line.contains("a search shows it")))
                .hasSameSizeAs(json);
    }

    @Test
    void wrongCommandLinesAreOneLine() throws Exception {
        fails(ExitCode.USAGE, "there is no such scheme; there are ", "archive", "create", "--scheme", "none", archive);
        fails(
                ExitCode.USAGE,
                "has no parameter bits",
                "archive",
                "create",
                "--scheme",
                aScheme(),
                "--set",
                "bits=1",
                archive);
        fails(
                ExitCode.USAGE,
                "'x' is not a long",
                "archive",
                "create",
                "--scheme",
                aScheme(),
                "--set",
                "bits=x",
                archive);
        assertThat(archive).doesNotExist();
        fails(ExitCode.IO, "no such file or folder", "archive", "stats", archive);
        fails(ExitCode.REFUSED, "is no archive", "archive", "stats", documents);
        fails(ExitCode.REFUSED, "is not empty", "archive", "create", "--scheme", aScheme(), documents);
        run.ok("archive", "create", "--scheme", aScheme(), archive);
        fails(ExitCode.USAGE, "no letter and no digit", "archive", "search", archive, "!");
        fails(ExitCode.USAGE, "answered by the scheme segments only", "archive", "search", archive, "owl OR lark");
        try (ArchiveFolder open = ArchiveFolder.open(archive, new SecureRandom())) {
            fails(ExitCode.IO, "is in use by another process", "archive", "stats", archive);
            assertThat(open.resumed().isAny()).isFalse();
        }
        Files.write(archive.resolve("server.mv"), new byte[100]);
        fails(ExitCode.REFUSED, "server.mv is damaged", "archive", "stats", archive);
        Files.delete(archive.resolve("archive.key"));
        fails(ExitCode.KEY, "archive.key is missing", "archive", "stats", archive);
    }

    private void fails(int code, String why, Object... arguments) {
        CommandRun.Result result = run.run(arguments);
        assertThat(result.err()).contains(why).doesNotContain("\tat ");
        assertThat(result.code()).as(result.err()).isEqualTo(code);
        assertThat(result.err().lines().count()).isBetween(1L, 3L);
        assertThat(result.out()).isEmpty();
    }
}
