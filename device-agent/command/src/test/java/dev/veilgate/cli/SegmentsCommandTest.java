package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives of the usual scheme by the command, their keys on a device of their own. */
class SegmentsCommandTest {
    @TempDir
    private Path folder;

    private final CommandRun run = new CommandRun();
    private Path archive;
    private Path documents;

    @BeforeEach
    void makeArchive() throws IOException {
        archive = folder.resolve("archive");
        documents = folder.resolve("documents");
        useDevice("device");
        ArchivedSamples.write(documents);
    }

    private void useDevice(String name) {
        run.environment.put("XDG_CONFIG_HOME", folder.resolve(name + "/config").toString());
        run.environment.put("XDG_STATE_HOME", folder.resolve(name + "/state").toString());
    }

    private void write(String name, String content) throws IOException {
        ArchivedSamples.write(documents, name, content);
    }

    private Path key(String device) throws IOException {
        try (Stream<Path> keys = Files.list(folder.resolve(device + "/config/veilgate/archives"))) {
            return keys.findFirst().orElseThrow();
        }
    }

    private List<String> found(String... query) {
        Object[] arguments = Stream.concat(Stream.of("archive", "search", "--names"), Stream.of(query))
                .toArray();
        arguments = Stream.concat(
                        Stream.of(arguments).limit(arguments.length - 1), Stream.of(archive, query[query.length - 1]))
                .toArray();
        CommandRun.Result result = run.run(arguments);
        assertThat(result.code()).as(result.err()).isIn(ExitCode.OK, ExitCode.NO_MATCH);
        return result.out()
                .lines()
                .map(name -> name.replace(documents + "/", ""))
                .toList();
    }

    private void createAndAdd() {
        run.ok("archive", "create", archive);
        assertThat(run.ok("archive", "add", archive, documents).out())
                .isEqualTo("7 added, of which 0 in place of an older form; 0 unchanged, 0 deleted, 0 not added\n");
    }

    @Test
    void createAddAndSearchNeedNoOption() throws Exception {
        String created = run.ok("archive", "create", archive).out();
        assertThat(created)
                .contains("archive of scheme segments")
                .contains(key("device").toString());
        run.ok("archive", "add", archive, documents);
        assertThat(found("owl")).containsExactlyInAnyOrder("birds.csv#1", "mail/cur/1:2,S", "notes.txt");
        assertThat(found("subject:owl OR city:oslo")).containsExactlyInAnyOrder("birds.csv#2", "mail/cur/1:2,S");
        assertThat(found("owl NOT subject:report")).containsExactlyInAnyOrder("birds.csv#1", "notes.txt");
        assertThat(found("(owl OR lark) root")).containsExactlyInAnyOrder("mail/cur/1:2,S", "mail/new/2");
        assertThat(found("subject:ow*")).containsExactlyInAnyOrder("inbox.mbox#1", "mail/cur/1:2,S");
        assertThat(found("h?r*")).containsExactlyInAnyOrder("inbox.mbox#2", "notes.txt");
        assertThat(found("--best", "owl OR heron").getFirst()).endsWith("notes.txt");
        assertThat(found("strix")).isEmpty();
    }

    @Test
    void nothingThatWasIndexedIsReadableInTheFolder() throws Exception {
        createAndAdd();
        try (Stream<Path> files = Files.walk(archive)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
                assertThat(bytes).doesNotContainIgnoringCase("owl", "lark", "notes.txt", "lima");
                assertThat(file.toString()).doesNotContain(".key");
            }
        }
    }

    @Test
    void whatChangedTakesTheOldOnesPlaceAndWhatIsGoneIsDeleted() throws Exception {
        createAndAdd();
        write("notes.txt", "A wren.");
        write("birds.csv", "name,city\nowl,Lima\n");
        assertThat(run.ok("archive", "add", archive, documents).out())
                .isEqualTo("1 added, of which 1 in place of an older form; 5 unchanged, 1 deleted, 0 not added\n");
        assertThat(found("wren")).containsExactly("notes.txt");
        assertThat(found("lark")).containsExactly("mail/new/2");
        assertThat(run.ok("archive", "delete", archive, documents.resolve("notes.txt"))
                        .out())
                .isEqualTo("1 deleted\n");
        CommandRun.Result missing = run.run("archive", "delete", archive, "nothing");
        assertThat(missing.code()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(found("wren")).isEmpty();
        assertThat(run.ok("archive", "stats", archive).out())
                .contains("documents  5, and 2 deleted")
                .contains(key("device").toString());
        assertThat(run.ok("archive", "compact", archive).out()).contains(" became 1 of ");
        assertThat(run.ok("archive", "stats", "--json", archive).out()).contains("\"documents\":5,\"deleted\":0");
        assertThat(found("owl")).containsExactlyInAnyOrder("birds.csv#1", "mail/cur/1:2,S");
    }

    @Test
    void aPurgeLeavesNoObjectOfBeforeButThoseOfTheLastHour() throws Exception {
        createAndAddMany();
        run.ok("archive", "delete", archive, documents.resolve("birds.csv#1"));
        assertThat(run.ok("archive", "compact", "--purge", archive).err())
                .contains("objects that no state names came within the last hour and are left");
        Path objects = archive.resolve("objects");
        assertThat(objects(objects)).hasSizeGreaterThan(1);
        for (Path object : objects(objects)) {
            Files.setLastModifiedTime(object, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        }
        CommandRun.Result result = run.ok("archive", "compact", "--purge", archive);
        assertThat(result.out()).endsWith(" objects of before were removed\n");
        assertThat(result.err()).isEmpty();
        assertThat(objects(objects)).hasSize(1);
        assertThat(found("owl")).doesNotContain("birds.csv#1").isNotEmpty();
        assertThat(run.ok("archive", "verify", archive).code()).isEqualTo(ExitCode.OK);
    }

    private static List<Path> objects(Path folder) throws Exception {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void topBoundsWhatIsShownAndJsonShowsAll() throws Exception {
        StringBuilder rows = new StringBuilder("name\n");
        for (int i = 0; i < 30; i++) {
            rows.append("crane\n");
        }
        write("many.csv", rows.toString());
        createAndAddMany();
        CommandRun.Result result = run.ok("archive", "search", archive, "crane");
        assertThat(result.out().lines()).hasSize(20);
        assertThat(result.err()).isEqualTo("note: 10 more were found\n");
        assertThat(run.ok("archive", "search", "--top", 0, archive, "crane")
                        .out()
                        .lines())
                .hasSize(30);
        assertThat(run.ok("archive", "search", "--json", archive, "crane").out().lines())
                .hasSize(30)
                .allMatch(line -> line.startsWith("{\"name\":\""));
        assertThat(run.ok("archive", "search", "--leakage", archive, "crane").err())
                .contains("Not the words")
                .doesNotContain("crane");
    }

    private void createAndAddMany() {
        run.ok("archive", "create", archive);
        run.ok("archive", "add", "--batch", 4, archive, documents);
    }

    @Test
    void anotherDeviceNeedsTheKey() throws Exception {
        createAndAdd();
        Path key = key("device");
        useDevice("other");
        CommandRun.Result refused = run.run("archive", "search", archive, "owl");
        assertThat(refused.code()).isEqualTo(ExitCode.KEY);
        Path place = folder.resolve("other/config/veilgate/archives").resolve(key.getFileName());
        assertThat(refused.err()).contains(place.toString()).contains("is missing");
        Files.createDirectories(place.getParent());
        Files.copy(key, place, StandardCopyOption.COPY_ATTRIBUTES);
        assertThat(found("owl")).hasSize(3);
        run.ok("archive", "delete", archive, documents.resolve("notes.txt"));
        useDevice("device");
        assertThat(found("owl")).hasSize(2);
    }

    @Test
    void aRestoredFolderIsRefusedUntilItIsAccepted() throws Exception {
        createAndAdd();
        Path copy = folder.resolve("copy");
        copy(archive, copy);
        write("more.txt", "a wren");
        run.ok("archive", "add", archive, documents);
        try (Stream<Path> files = Files.walk(archive)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
        copy(copy, archive);
        CommandRun.Result refused = run.run("archive", "search", archive, "owl");
        assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.err()).contains("another history").contains("veilgate archive accept");
        assertThat(run.ok("archive", "accept", archive).out()).contains("accepted");
        assertThat(found("wren")).isEmpty();
        run.ok("archive", "add", archive, documents);
        assertThat(found("wren")).containsExactly("more.txt");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path each : files.toList()) {
                Files.copy(each, to.resolve(from.relativize(each)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    @Test
    void aMissingAndAnAlteredObjectAreNamed() throws Exception {
        createAndAdd();
        assertThat(run.ok("archive", "verify", archive).out()).contains("as they were put");
        Path object;
        try (Stream<Path> files = Files.walk(archive.resolve("objects"))) {
            object = files.filter(Files::isRegularFile)
                    .filter(file -> String.valueOf(file.getFileName()).matches("[0-9a-f]{64}"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(object);
        for (int i = 40; i < bytes.length; i++) {
            bytes[i] ^= 1;
        }
        Files.delete(object);
        CommandRun.Result missing = run.run("archive", "search", archive, "owl");
        assertThat(missing.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(missing.err()).contains(String.valueOf(object.getFileName())).contains("it is missing");
        Files.write(object, bytes);
        CommandRun.Result found = run.run("archive", "verify", archive);
        assertThat(found.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(found.out()).contains(String.valueOf(object.getFileName()));
        CommandRun.Result search = run.run("archive", "search", archive, "owl");
        assertThat(search.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(search.err()).contains(String.valueOf(object.getFileName()));
    }

    @Test
    void wrongCommandLinesAreOneLine() {
        run.ok("archive", "create", archive);
        for (String[] wrong : new String[][] {
            {"search", archive.toString(), "owl OR"},
            {"search", archive.toString(), "(owl"},
            {"search", archive.toString(), "-owl"},
            {"search", "--top", "-2", archive.toString(), "owl"},
            {"create", "--set", "bits=1", folder.resolve("new").toString()},
            {"add", "--batch", "0", archive.toString(), documents.toString()},
            {"compact", folder.resolve("suise").toString()}
        }) {
            if (wrong[0].equals("compact")) {
                run.ok("archive", "create", "--scheme", "suise", wrong[1]);
            }
            Object[] arguments =
                    Stream.concat(Stream.of("archive"), Stream.of(wrong)).toArray();
            CommandRun.Result result = run.run(arguments);
            assertThat(result.code()).as(String.join(" ", wrong)).isEqualTo(ExitCode.USAGE);
            assertThat(result.err().lines().count()).isBetween(1L, 3L);
        }
    }

    @Test
    void aLineThatBecomesEmptyIsFoundNoMoreAndOneThatMovesIsShownWhereItStands() throws Exception {
        Path log = folder.resolve("new\nline.log");
        Files.writeString(log, "owl one\r\nlark two\r\nowl three\r\n");
        run.ok("archive", "create", archive);
        assertThat(run.ok("archive", "add", archive, log).out()).startsWith("3 added, ");
        Files.writeString(log, "owl one\n\nowl three\n");
        assertThat(run.ok("archive", "add", archive, log).out())
                .isEqualTo("1 added, of which 1 in place of an older form; 1 unchanged, 1 deleted, 0 not added\n");
        assertThat(run.run("archive", "search", archive, "lark").code()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(run.ok("archive", "search", archive, "three").out()).contains("#3: owl three\n");
        Files.writeString(log, "owl one\n\n" + "x".repeat((1 << 20) - 4) + " owl");
        assertThat(run.ok("archive", "add", archive, log).out()).startsWith("1 added, of which 1 in place");
        Files.writeString(log, "owl one\n\n" + "x".repeat((1 << 20) - 3) + " owl\n");
        CommandRun.Result result = run.run("archive", "add", archive, log);
        assertThat(result.code()).isEqualTo(ExitCode.IO);
        assertThat(result.err()).contains("#3: it has more than 1 MiB");
        assertThat(result.out()).contains(" 1 deleted, 1 not added");
    }

    @Test
    void aFileThatHasTheNameOfAPartOfAnotherIsRefused() throws Exception {
        Path log = folder.resolve("app.log");
        Path other = folder.resolve("app.log#2");
        Files.writeString(log, "owl\nowl\n");
        Files.writeString(other, "lark\n");
        run.ok("archive", "create", archive);
        CommandRun.Result result = run.run("archive", "add", archive, other, log);
        assertThat(result.code()).isEqualTo(ExitCode.IO);
        assertThat(result.err()).contains("app.log#2: its name ends as that of a line");
        assertThat(result.out()).startsWith("2 added, of which 0 in place");
    }

    @Test
    void linesOfLogsAreShownAsLongAsTheyStandWhereTheyStood() throws Exception {
        Path log = folder.resolve("app.log");
        Files.writeString(log, "an Owl came\n\nthe lark\u001b[2J left, " + "x".repeat(600) + "\n");
        run.ok("archive", "create", archive);
        assertThat(run.ok("archive", "add", archive, log).out()).startsWith("2 added, ");
        Files.writeString(log, "owl again\n", StandardOpenOption.APPEND);
        assertThat(run.ok("archive", "add", archive, log).out())
                .isEqualTo("1 added, of which 0 in place of an older form; 2 unchanged, 0 deleted, 0 not added\n");
        assertThat(run.ok("archive", "search", archive, "owl").out())
                .isEqualTo(log + "#4: owl again\n" + log + "#1: an Owl came\n");
        assertThat(run.ok("archive", "search", archive, "lark").out())
                .startsWith(log + "#3: the lark\\u001b[2J left, xxx")
                .endsWith("xxx...\n");
        assertThat(run.ok("archive", "search", "--names", archive, "owl").out()).isEqualTo(log + "#4\n" + log + "#1\n");
        assertThat(run.ok("archive", "search", "--json", archive, "came").out())
                .isEqualTo("{\"name\":\"" + log + "#1\",\"line\":\"an Owl came\"}\n");
        run.outIsTerminal = true;
        assertThat(run.ok("archive", "search", archive, "owl NOT again").out())
                .isEqualTo(log + "#1: an \u001b[1;31mOwl\u001b[0m came\n");
        run.environment.put("NO_COLOR", "");
        assertThat(run.ok("archive", "search", archive, "came").out()).isEqualTo(log + "#1: an Owl came\n");
    }

    @Test
    void aLogThatWasRotatedShowsNoLineOfAnother() throws Exception {
        Path log = folder.resolve("app.log");
        Files.writeString(log, "owl one\nowl two\n");
        run.ok("archive", "create", archive);
        run.ok("archive", "add", archive, log);
        Files.writeString(log, "owl two\nowl one\n");
        String gone = ": (not there as it was added)\n";
        assertThat(run.ok("archive", "search", archive, "owl").out()).isEqualTo(log + "#2" + gone + log + "#1" + gone);
        Files.delete(log);
        assertThat(run.ok("archive", "search", archive, "one").out()).isEqualTo(log + "#1" + gone);
        assertThat(new ProcessBuilder("mkfifo", log.toString()).start().waitFor())
                .isZero(); // it is not waited for
        assertThat(run.ok("archive", "search", archive, "one").out()).isEqualTo(log + "#1" + gone);
        assertThat(run.ok("archive", "search", "--json", archive, "one").out())
                .isEqualTo("{\"name\":\"" + log + "#1\"}\n");
    }

    @Test
    void aFileIsATableOrALog() throws Exception {
        run.ok("archive", "create", archive);
        Path file = Files.writeString(folder.resolve("rows"), "name,city\nowl,Lima\n");
        CommandRun.Result both = run.run("archive", "add", "--csv", "--lines", archive, file);
        assertThat(both.code()).isEqualTo(ExitCode.USAGE);
        assertThat(both.err()).contains("give --csv or --lines");
        assertThat(run.ok("archive", "add", "--lines", archive, file).out()).startsWith("2 added, ");
        assertThat(run.ok("archive", "search", archive, "city").out()).isEqualTo(file + "#1: name,city\n");
    }

    @Test
    void fieldsNumbersAndTimesOfLogsAreSearched() throws Exception {
        Path log = Files.writeString(folder.resolve("web.jsonl"), """
                {"@timestamp":"2026-11-27T12:34:56Z","level":"error","status":503,"user":"ada","ms":12.5}
                {"@timestamp":"2026-11-27T13:00:00Z","level":"info","status":200,"user":"bob","ms":-1}
                {"@timestamp":"2026-12-01T00:00:00Z","level":"warn","status":404,"user":"ada","ms":1200}
                """);
        Path syslog = Files.writeString(
                folder.resolve("syslog"), "2026-11-28T01:02:03Z press-4 sshd[7]: error: no owl from 10.0.0.7\n");
        run.ok("archive", "create", archive);
        run.ok("archive", "add", archive, log, syslog);
        for (String[] each : new String[][] {
            {"level:error", "syslog#1", "web.jsonl#1"},
            {"severity:>=warn", "syslog#1", "web.jsonl#1", "web.jsonl#3"},
            {"status:500..599", "web.jsonl#1"},
            {"status:>200", "web.jsonl#1", "web.jsonl#3"},
            {"status:<=404 user:ada", "web.jsonl#3"},
            {"ms:<0", "web.jsonl#2"},
            {"ms:-1..12.5", "web.jsonl#1", "web.jsonl#2"},
            {"time:2026-11-27", "web.jsonl#1", "web.jsonl#2"},
            {"time:2026-11-27T12..2026-11-28", "syslog#1", "web.jsonl#1", "web.jsonl#2"},
            {"time:>2026-11 NOT owl", "web.jsonl#3"},
            {"host:press-* app:sshd pid:7", "syslog#1"},
            {"10.0.*", "syslog#1"},
        }) {
            String[] expected = Stream.of(each)
                    .skip(1)
                    .map(name -> folder.resolve(name).toString())
                    .toArray(String[]::new);
            assertThat(found(each[0])).as(each[0]).containsExactlyInAnyOrder(expected);
        }
        assertThat(found("--from", "2026-11-28", "--to", "2026-12-01", "level:error OR level:warn"))
                .containsExactly(syslog + "#1");
        assertThat(found("--to", "2026-11-27T13:00:01Z", "user:bob")).containsExactly(log + "#2");
        CommandRun.Result unknown = run.run("archive", "search", archive, "(statsu:>=500 OR usr:ada) severity:error");
        assertThat(unknown.code()).isEqualTo(ExitCode.OK);
        assertThat(unknown.err()).isEqualTo("note: no document of this archive has a field statsu\n");
        CommandRun.Result wrong = run.run("archive", "search", "--from", "yesterday", archive, "owl");
        assertThat(wrong.code()).isEqualTo(ExitCode.USAGE);
        assertThat(wrong.err()).contains("--from: a time is written like");
    }

    @Test
    void whatIsFoundIsShownAsWhatItIs() throws Exception {
        createAndAdd();
        assertThat(run.ok("archive", "search", archive, "subject:owl city:lima OR subject:owl")
                        .out())
                .contains("mail/cur/1:2,S: ");
        String all = run.ok("archive", "search", archive, "owl").out();
        assertThat(all)
                .contains("birds.csv#1: name: owl; city: Lima\n")
                .contains("notes.txt:1: ")
                .doesNotContain("not there");
        assertThat(run.ok("archive", "search", "--json", archive, "owl").out())
                .contains("\"row\":\"name: owl; city: Lima\"")
                .contains("\"excerpt\":")
                .contains("\"subject\":");
        write("notes.txt", "Something else.");
        assertThat(run.ok("archive", "search", archive, "owl").out())
                .contains("notes.txt: (not there as it was added)\n");
        Path mbox = documents.resolve("inbox.mbox");
        assertThat(run.ok("archive", "search", archive, "subject:ow*").out()).contains(mbox + "#1: ");
    }

    @Test
    void aRepairGoesOnWithoutWhatIsDamagedAndTheDocumentsCanBeAddedAgain() throws Exception {
        createAndAdd();
        Path one = object();
        write("wren.txt", "A wren.");
        run.ok("archive", "add", archive, documents);
        assertThat(run.ok("archive", "repair", archive).out()).isEqualTo("no object is damaged\n");
        byte[] bytes = Files.readAllBytes(one);
        Files.write(one, Arrays.copyOf(bytes, 100));
        CommandRun.Result told = run.run("archive", "repair", archive);
        assertThat(told.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(told.out())
                .contains(one.getFileName() + " is not what was put there: 7 documents")
                .contains("repair --drop");
        assertThat(run.run("archive", "search", archive, "owl").code()).isEqualTo(ExitCode.REFUSED);
        assertThat(run.ok("archive", "repair", "--drop", archive).out())
                .contains("the archive goes on without 7 documents: add them again");
        assertThat(found("owl OR wren")).containsExactly("wren.txt");
        assertThat(run.ok("archive", "add", archive, documents).out()).startsWith("7 added, ");
        assertThat(found("owl")).containsExactlyInAnyOrder("birds.csv#1", "mail/cur/1:2,S", "notes.txt");
        run.ok("archive", "verify", archive);
    }

    @Test
    void aSegmentOfWhichIsNotKnownWhatIsDeletedIsDroppedToo() throws Exception {
        createAndAdd();
        Path segment = object();
        run.ok("archive", "delete", archive, documents.resolve("notes.txt"));
        Path dead;
        try (Stream<Path> files = Files.walk(archive.resolve("objects"))) {
            dead = files.filter(Files::isRegularFile)
                    .filter(file -> !file.equals(segment))
                    .findFirst()
                    .orElseThrow();
        }
        Files.delete(dead);
        assertThat(run.ok("archive", "repair", "--drop", archive).out())
                .contains(dead.getFileName() + " is missing: 6 documents");
        assertThat(found("owl")).isEmpty();
    }

    private Path object() throws IOException {
        try (Stream<Path> files = Files.walk(archive.resolve("objects"))) {
            return files.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
    }
}
