package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives by the command where letters, days and numbers are others than here. */
class ArchiveLocaleTest {
    /** Options of Java for a Turkish machine, 14 hours ahead of UTC, with files in Latin 5. */
    private static final List<String> ELSEWHERE = List.of(
            "-Duser.language=tr",
            "-Duser.country=TR",
            "-Duser.timezone=Pacific/Kiritimati",
            "-Dfile.encoding=ISO-8859-9");

    private static final List<String> QUERIES = List.of(
            "INDIGO", "indigo", "title:i", "subject:I", "CITY:istanbul", "city:iz*", "IST*", "date:2026-11-21", "17");

    @TempDir
    private Path folder;

    private final CommandRun run = new CommandRun();

    private String elsewhere(Object... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(ELSEWHERE);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        Path errors = folder.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().putAll(run.environment);
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
        return out;
    }

    @Test
    void whatIsAddedAndSaidIsTheSameEverywhere() throws Exception {
        run.environment.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        run.environment.put("XDG_STATE_HOME", folder.resolve("state").toString());
        Path documents = folder.resolve("documents");
        ArchivedSamples.write(documents);
        ArchivedSamples.write(
                documents,
                "I.eml",
                "From: Ada <ADA.I@EXAMPLE.ORG>\nTo: bob@example.org\nDate: Sat, 21 Nov 2026 23:30:00 -0800\n"
                        + "Subject: INDIGO I\n\nTITLE \u0130STANBUL i\u0131\n");
        StringBuilder rows = new StringBuilder("TITLE,CITY\nI,ISTANBUL\ni,\u0130zmir\n");
        for (int i = 0; i < 1_200; i++) {
            rows.append("INDIGO ").append(i).append(",IZMIR\n");
        }
        ArchivedSamples.write(documents, "ROWS.CSV", rows.toString());
        Path here = folder.resolve("here");
        Path there = folder.resolve("there");
        run.ok("archive", "create", here);
        run.ok("archive", "create", there);
        String said = run.ok("archive", "add", here, documents).out();
        assertThat(elsewhere("archive", "add", there, documents))
                .isEqualTo(said)
                .startsWith("1,210 added");
        assertThat(elsewhere("archive", "search", there, "INDIGO"))
                .isEqualTo(run.ok("archive", "search", here, "INDIGO").out());
        for (String query : QUERIES) {
            CommandRun.Result of = run.run("archive", "search", "--top", 0, here, query);
            assertThat(of.code()).as(of.err()).isZero();
            assertThat(run.run("archive", "search", "--top", 0, there, query).out())
                    .as(query)
                    .isEqualTo(of.out());
        }
    }
}
