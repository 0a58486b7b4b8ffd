package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.terminal.ExitCode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Evidence that was made to say something else: each alteration of an export is named. */
class ExportAlterationsTest {
    @TempDir
    private static Path folder;

    private static Site site;
    private static Site stranger;
    private static Map<String, byte[]> export;

    @TempDir
    private Path temporary;

    /** Makes the archive that somebody hands on of an export's files. */
    @FunctionalInterface
    private interface Change {
        byte[] of(Map<String, byte[]> files) throws Exception;
    }

    /** An alteration, and how its finding begins. */
    private record Alteration(String name, String finding, Change change) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Alteration ofManifest(String name, String from, String to) {
        return new Alteration(name, "altered manifest.json is not what was signed", files -> {
            String json = new String(file(files, "manifest.json"), StandardCharsets.UTF_8);
            assertThat(json).contains(from);
            files.put("manifest.json", json.replace(from, to).getBytes(StandardCharsets.UTF_8));
            return ExportSample.zip(files);
        });
    }

    private static Alteration ofRows(String name, String rows) {
        return new Alteration(name, "altered hits.jsonl", files -> {
            files.put("hits.jsonl", rows.getBytes(StandardCharsets.UTF_8));
            return ExportSample.zip(files);
        });
    }

    private static final String FIRST = "{\"row\":0,\"text\":\"level=error unit=sshd\"}\n";
    private static final String SECOND = "{\"row\":1,\"text\":\"level=error unit=cron\"}\n";

    private static final List<Alteration> ALTERATIONS = List.of(
            ofManifest("another reading", "level:error AND unit:sshd", "level:error"),
            ofManifest("a note removed", "\"notes\":[\"A note.\"]", "\"notes\":[]"),
            ofManifest("a warning removed", "\"warnings\":[\"the nearest is level\"]", "\"warnings\":[]"),
            ofManifest("other rules", "\"rules\":[1,2]", "\"rules\":[2]"),
            ofManifest("another scope", "\"scopes\":[\"plant-7\"]", "\"scopes\":[\"plant-8\"]"),
            ofManifest("an epoch removed", "\"epochs\":[\"2026-11\",\"2026-12\"],\"earlier", "\"epochs\":[],\"earlier"),
            ofManifest("an epoch added", "[\"2026-11\",\"2026-12\"],\"earlier", "[\"2026-10\",\"2026-11\"],\"earlier"),
            ofManifest("no earlier epochs", "\"earlierEpochs\":4", "\"earlierEpochs\":0"),
            ofManifest("another index key", "11".repeat(16), "44".repeat(16)),
            ofManifest("nothing that was not asked", "\"notAsked\":", "\"wasAsked\":"),
            ofManifest("reasons removed", "older-epochs-not-asked", "none"),
            ofManifest(
                    "an unknown code added",
                    "\"incomplete\":[",
                    "\"incomplete\":[{\"code\":\"x\",\"names\":[],\"more\":0},"),
            ofManifest("an older version", "\"version\":4", "\"version\":3"),
            ofManifest("another query", "level:error \\u001b", "level:info \\u001b"),
            ofRows("a row removed", FIRST),
            ofRows("all rows removed", ""),
            ofRows("a row changed", FIRST + SECOND.replace("cron", "crom")),
            ofRows("rows in another order", SECOND + FIRST),
            ofRows("a row doubled", FIRST + SECOND + SECOND),
            new Alteration(
                    "bytes behind the end",
                    "layout - 9 bytes stand behind the end",
                    files -> joined(ExportSample.zip(files), "more rows".getBytes(StandardCharsets.US_ASCII))),
            new Alteration(
                    "bytes before the first file",
                    "layout - 9 bytes stand before the first file",
                    files -> joined("more rows".getBytes(StandardCharsets.US_ASCII), ExportSample.zip(files))),
            new Alteration("a file twice", "duplicate hits.jsonl", files -> {
                files.put("hitz.jsonl", FIRST.getBytes(StandardCharsets.UTF_8));
                String zip = new String(ExportSample.zip(files), StandardCharsets.ISO_8859_1);
                return zip.replace("hitz.jsonl", "hits.jsonl").getBytes(StandardCharsets.ISO_8859_1);
            }),
            new Alteration("a file added", "extra more.jsonl", files -> {
                files.put("more.jsonl", FIRST.getBytes(StandardCharsets.UTF_8));
                return ExportSample.zip(files);
            }),
            new Alteration("a file removed", "missing README.txt", files -> {
                files.remove("README.txt");
                return ExportSample.zip(files);
            }),
            new Alteration("a comment", "layout - the archive has a comment", ExportAlterationsTest::withComment),
            new Alteration("the manifest of another export", "altered entry.vgp", files -> {
                Map<String, byte[]> other = made(site);
                for (String name : List.of("manifest.json", "manifest.signed")) {
                    files.put(name, file(other, name));
                }
                return ExportSample.zip(files);
            }),
            new Alteration("the proof of another export", "altered entry.vgp", files -> {
                files.put("entry.vgp", file(made(site), "entry.vgp"));
                return ExportSample.zip(files);
            }),
            new Alteration("the signature of another console", "foreign manifest.signed is of the authority", files -> {
                files.put("manifest.signed", file(made(stranger), "manifest.signed"));
                return ExportSample.zip(files);
            }),
            new Alteration(
                    "an unknown code, signed by another console",
                    "foreign manifest.signed is of the authority",
                    files -> ExportSample.zip(ExportSample.make(stranger, stranger.keys, sample -> {
                        fill(sample);
                        sample.manifest.put("incomplete", List.of(ExportSample.reason("moon-not-full")));
                    }))),
            new Alteration("a part alone", "missing manifest.json", files -> {
                files.keySet().retainAll(List.of("hits.jsonl", "README.txt"));
                return ExportSample.zip(files);
            }));

    private static byte[] file(Map<String, byte[]> files, String name) {
        return Objects.requireNonNull(files.get(name));
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private static byte[] withComment(Map<String, byte[]> files) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue());
                zip.closeEntry();
            }
            zip.setComment("complete");
        }
        return out.toByteArray();
    }

    private static void fill(ExportSample sample) throws Exception {
        sample.ask();
        sample.hits(FIRST + SECOND);
    }

    private static Map<String, byte[]> made(Site by) throws Exception {
        return ExportSample.make(by, by.keys, ExportAlterationsTest::fill);
    }

    @BeforeAll
    static void makeExport() throws Exception {
        site = new Site(Files.createDirectory(folder.resolve("own")));
        stranger = Site.another(Files.createDirectory(folder.resolve("stranger")));
        export = made(site);
    }

    private Result verify(byte[] zip) throws Exception {
        CommandRun run = new CommandRun();
        run.environment.put("VEILGATE_AUTHORITY", site.authority);
        return run.run("verify", "--export", Files.write(temporary.resolve("export.zip"), zip));
    }

    @Test
    void unalteredItIsVerified() throws Exception {
        Result result = verify(ExportSample.zip(export));
        assertThat(result.code()).as(result.out() + result.err()).isZero();
        assertThat(result.out()).contains("export of acme by ada", "complete of 2026-11, 2026-12 alone");
    }

    @ParameterizedTest
    @FieldSource("ALTERATIONS")
    void isNamed(Alteration alteration) throws Exception {
        Result result = verify(alteration.change.of(new LinkedHashMap<>(export)));
        assertThat(result.code()).as(result.out() + result.err()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(result.out().replace(temporary.resolve("export.zip") + " ", ""))
                .contains(alteration.finding)
                .doesNotContain("export of");
    }
}
