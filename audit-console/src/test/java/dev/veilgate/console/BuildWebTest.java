package dev.veilgate.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a build of the pages says where Node is missing or too old, and that it begins nothing then. */
class BuildWebTest {
    private static final String NEEDS = "The console's pages need Node 20.19 or later with its npm; found: ";

    @TempDir
    Path folder;

    private record Said(int status, String out, String err) {}

    /** A copy of the script beside pages without anything built, and a path on which there is nothing else but what is given. */
    private Said build(Map<String, String> programs) throws Exception {
        Path tools = Files.createDirectories(folder.resolve("tools"));
        Path web = Files.createDirectories(folder.resolve("console/web"));
        Files.copy(Path.of("audit-console/build-web"), folder.resolve("console/build-web"));
        Files.copy(
                Path.of(".mvn/find-node.sh"),
                Files.createDirectories(folder.resolve(".mvn")).resolve("find-node.sh"));
        for (String tool : List.of("sh", "awk", "dirname", "find", "head")) {
            Files.createSymbolicLink(tools.resolve(tool), found(tool));
        }
        for (Map.Entry<String, String> program : programs.entrySet()) {
            Path file = tools.resolve(program.getKey());
            Files.writeString(file, "#!/bin/sh\n" + program.getValue() + "\n");
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(
                        tools.resolve("sh").toString(),
                        folder.resolve("console/build-web").toString(),
                        "build")
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", tools.toString());
        builder.environment()
                .put("VEILGATE_NODE_FOLDERS", folder.resolve("none").toString());
        int status = builder.start().waitFor();
        try (var files = Files.list(web)) {
            assertThat(files.filter(file -> !file.endsWith("node_modules"))).isEmpty();
        }
        return new Said(status, text(out), text(err));
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }

    private static Path found(String tool) {
        for (String folder : System.getenv("PATH").split(":")) {
            Path file = Path.of(folder).resolve(tool);
            if (Files.isExecutable(file)) {
                return file;
            }
        }
        throw new AssertionError("there is no " + tool);
    }

    private Said build(@Nullable String node, @Nullable String npm) throws Exception {
        Map<String, String> programs = new TreeMap<>();
        if (node != null) {
            programs.put("node", "echo " + node);
        }
        if (npm != null) {
            programs.put("npm", npm);
        }
        return build(programs);
    }

    @Test
    void saysThatThereIsNoNode() throws Exception {
        assertThat(build(null, "echo began"))
                .isEqualTo(new Said(1, "", NEEDS + "none. Install it (https://nodejs.org).\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v18.20.8", "v20.18.3", "v9.11.2"})
    void saysWhichNodeIsTooOld(String version) throws Exception {
        assertThat(build(version, "echo began"))
                .isEqualTo(new Said(1, "", NEEDS + version + ". Install it (https://nodejs.org).\n"));
    }

    @Test
    void saysThatThereIsNoNpm() throws Exception {
        Said said = build("v22.11.0", null);
        assertThat(said.status()).isEqualTo(1);
        assertThat(said.err()).contains("with its npm");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v20.19.0", "v22.11.0", "v100.0.0"})
    void beginsWithANewerOne(String version) throws Exception {
        Said said = build(version, "echo \"npm $1\" >&2; exit 7");
        assertThat(said).isEqualTo(new Said(7, "", "npm ci\n"));
    }
}
