package dev.veilgate.extract.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.peks.Keyword;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks rules 2 on wrapped lines, by a table for each form, and that they find no less than rules 1 in real logs. */
class FormsTest {
    private static final ExtractorProfile RULES_2 = ExtractorProfile.defaults().withRules(2);

    /** Number of lines, of 400 of a real log, in which a field is found. */
    private static final Map<String, Map<String, Integer>> FOUND = Map.of(
            "HDFS", Map.of("time", 400, "level", 400, "pid", 400, "app", 400),
            "BGL", Map.of("time", 400, "level", 400, "host", 400, "app", 400, "component", 400),
            "HPC", Map.of("time", 400, "host", 400, "app", 400, "component", 400),
            "Zookeeper", Map.of("time", 400, "level", 400, "app", 400, "component", 400));

    static Stream<FormTable.Form> forms() throws IOException {
        return FormTable.forms().stream();
    }

    @ParameterizedTest
    @MethodSource("forms")
    void findsWhatTheTableOfTheFormSays(FormTable.Form form) {
        LogExtractor extractor = LogExtractor.of(RULES_2, LogFormat.AUTO);
        for (FormTable.Line line : form.lines()) {
            byte[] record = line.bytes();
            Extraction found = extractor.extract(record);
            Set<String> keywords = shown(found);
            assertThat(keywords).as(line.written()).containsAll(line.wanted()).noneMatch(line.unwanted()::contains);
            if (!line.dated().isEmpty()) {
                assertThat(found.dated().map(Object::toString))
                        .as(line.written())
                        .contains(line.dated());
            }
            if (!line.message().isEmpty()) {
                String message = new String(record, found.messageFrom(), found.messageTo() - found.messageFrom());
                assertThat(message).as(line.written()).isEqualTo(line.message());
            }
        }
    }

    private static Set<String> shown(Extraction found) {
        return found.keywords().stream()
                .map(keyword -> FormTable.shown(keyword.field(), keyword.value()))
                .collect(Collectors.toSet());
    }

    @Test
    void findsTheFieldsOfRealLogs() throws IOException {
        Map<String, List<byte[]>> logs = Loghub.logs();
        FOUND.forEach((name, expected) -> {
            if (logs.containsKey(name)) {
                expected.forEach((field, count) -> assertThat(linesWith(logs.get(name), field))
                        .as(name + " " + field)
                        .isEqualTo(count));
            }
        });
    }

    private static int linesWith(List<byte[]> lines, String field) {
        LogExtractor extractor = LogExtractor.of(RULES_2, LogFormat.AUTO);
        int count = 0;
        for (int i = 0; i < lines.size(); i += 5) {
            count += extractor.extract(lines.get(i)).keywords().stream()
                            .anyMatch(keyword -> keyword.field().equals(field))
                    ? 1
                    : 0;
        }
        return count;
    }

    /** Except numbers that are process ids by rules 2, and what rules 1 took for a program or a process by mistake. */
    @Test
    void findsInRealLogsWhatRules1Find() throws IOException {
        Set<String> mayDiffer = Set.of("HDFS number", "HPC pid", "Zookeeper app");
        for (Map.Entry<String, List<byte[]>> log : Loghub.logs().entrySet()) {
            LogExtractor rules1 = LogExtractor.of(ExtractorProfile.defaults(), LogFormat.AUTO);
            LogExtractor rules2 = LogExtractor.of(RULES_2, LogFormat.AUTO);
            for (byte[] line : log.getValue()) {
                Extraction before = rules1.extract(line);
                Extraction now = rules2.extract(line);
                Set<Keyword> found = new HashSet<>(now.keywords());
                assertThat(before.keywords())
                        .as(log.getKey())
                        .allMatch(keyword ->
                                found.contains(keyword) || mayDiffer.contains(log.getKey() + ' ' + keyword.field()));
                assertThat(now.dated()).isEqualTo(before.dated());
                assertThat(now.yearless()).isEqualTo(before.yearless());
            }
        }
    }

    /** Whoever reads by rules 1 reads on as before: the digest was made by software that knew no others. */
    @Test
    void keywordsOfRules1AreFrozen() throws Exception {
        assertThat(digest(ExtractorProfile.defaults()))
                .isEqualTo("283d6dd7170e84f8bff4f3a089c71a9b78c52d3e919b845e1aa9a5086a00a2c6");
    }

    /** Sealed records are found by the keywords that they have: other keywords are other rules. */
    @Test
    void keywordsOfRules2AreFrozen() throws Exception {
        assertThat(digest(ExtractorProfile.defaults().upgraded()))
                .isEqualTo("81e3c89be9f186046172676f95c5610f1dc92dd0958e32bea515bdc4e903248f");
    }

    private static String digest(ExtractorProfile profile) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        List<byte[]> lines = new ArrayList<>(Loghub.synthetic(500));
        lines.addAll(FormTable.linesOfRules(profile.rules()));
        for (LogFormat format : LogFormat.values()) {
            LogExtractor extractor = LogExtractor.of(profile, format);
            for (byte[] line : lines) {
                Extraction found = extractor.extract(line);
                String all = found.keywords().stream()
                        .map(keyword -> keyword.field() + ':' + keyword.value())
                        .collect(Collectors.joining("\n"));
                digest.update((all + found.dated() + found.yearless() + found.messageFrom() + ' ' + found.messageTo())
                        .getBytes(StandardCharsets.UTF_8));
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Compares the table in docs/log-formats.md, or with {@code -Dveilgate.update-docs=true} writes it. */
    @Test
    void thePageListsTheForms() throws IOException {
        StringBuilder made = new StringBuilder("| form | what it is | found, in the tested lines |\n|---|---|---|\n");
        for (FormTable.Form form : FormTable.forms()) {
            Set<String> fields = new LinkedHashSet<>();
            form.lines().forEach(line -> {
                line.wanted().forEach(keyword -> fields.add('`' + keyword.substring(0, keyword.indexOf(':')) + '`'));
                if (!line.dated().isEmpty()) {
                    fields.add("`time`");
                }
            });
            fields.removeAll(Set.of("`word`", "`number`"));
            String found = fields.isEmpty() ? "words" : String.join(", ", fields);
            made.append("| %s | %s | %s |\n".formatted(form.name(), form.about(), found));
        }
        Path page = Path.of("docs/log-formats.md");
        String text = Files.readString(page);
        int start = text.indexOf('\n', text.indexOf("<!-- forms: made by ")) + 1;
        int end = text.indexOf("<!-- /forms -->");
        if (Boolean.getBoolean("veilgate.update-docs")) {
            Files.writeString(page, text.substring(0, start) + made + text.substring(end));
        } else {
            assertThat(made.toString()).isEqualTo(text.substring(start, end));
        }
    }
}
