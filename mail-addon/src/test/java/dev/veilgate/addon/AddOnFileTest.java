package dev.veilgate.addon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/** The file that is given to Thunderbird: its contents, and what it may do. */
class AddOnFileTest {
    private static final Pattern TIME =
            Pattern.compile("<project.build.outputTimestamp>([^<Z]+)Z</project.build.outputTimestamp>");

    /** The file as the build packed it. */
    static Path file() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("mail-addon/target"))) {
            List<Path> all =
                    files.filter(path -> path.toString().endsWith(".xpi")).toList();
            assertThat(all).hasSize(1);
            return all.getFirst();
        }
    }

    @Test
    void isTheSameForTheSameFiles() throws Exception {
        try (ZipFile zip = new ZipFile(file().toFile())) {
            List<? extends ZipEntry> entries = Collections.list(zip.entries());
            assertThat(entries.stream().map(ZipEntry::getName))
                    .isSorted()
                    .contains("manifest.json", "LICENSE")
                    .noneMatch(name -> name.startsWith("META-INF"));
            assertThat(entries).extracting(ZipEntry::getTimeLocal).containsOnly(timeOfBuild()); // whatever the zone
            assertThat(entries).allMatch(entry -> entry.getExtra() == null);
        }
    }

    private static LocalDateTime timeOfBuild() throws IOException {
        Matcher time = TIME.matcher(Files.readString(Path.of("pom.xml")));
        assertThat(time.find()).isTrue();
        return LocalDateTime.parse(time.group(1));
    }

    @Test
    void mayReadMailAndDrawInItAndNothingElse() throws Exception {
        JsonNode manifest = manifest();
        assertThat(manifest.get("permissions").toString()).isEqualTo("[\"messagesRead\",\"scripting\"]");
        assertThat(manifest.get("content_security_policy")
                        .get("extension_pages")
                        .asText())
                .startsWith("default-src 'none'; script-src 'self';");
        assertThat(manifest.fieldNames())
                .toIterable()
                .doesNotContain(
                        "host_permissions",
                        "optional_permissions",
                        "content_scripts",
                        "web_accessible_resources",
                        "experiment_apis",
                        "externally_connectable");
        assertThat(manifest.get("version").asText()).matches("\\d+\\.\\d+\\.\\d+");
    }

    private static JsonNode manifest() throws IOException {
        try (ZipFile zip = new ZipFile(file().toFile())) {
            return new ObjectMapper().readTree(zip.getInputStream(zip.getEntry("manifest.json")));
        }
    }
}
