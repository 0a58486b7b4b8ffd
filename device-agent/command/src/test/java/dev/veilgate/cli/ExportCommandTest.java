package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever has an export and the authority's fingerprint finds whatever was done to it. */
class ExportCommandTest {
    @TempDir
    private static Path keys;

    private static Site site;

    @TempDir
    private Path temporary;

    private CommandRun run;
    private Path file;

    @BeforeAll
    static void makeSite() throws Exception {
        site = new Site(keys);
    }

    @BeforeEach
    void haveTheFingerprintAlone() {
        run = new CommandRun();
        run.environment.put("VEILGATE_AUTHORITY", site.authority);
        file = temporary.resolve("export.zip");
    }

    private Map<String, byte[]> make(ExportSample.Change beforeSigning) throws Exception {
        return ExportSample.make(site, site.keys, beforeSigning);
    }

    private Map<String, byte[]> good() throws Exception {
        return make(sample -> {});
    }

    private Result verify(byte[] zip) throws Exception {
        Files.write(file, zip);
        return run.run("verify", "--export", file);
    }

    private void finds(byte[] zip, String... findings) throws Exception {
        Result result = verify(zip);
        assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(result.out().lines()).hasSize(findings.length).allMatch(line -> line.contains(file.toString()));
        assertThat(result.out().replace(file + " ", "")).contains(findings);
    }

    private void refuses(byte[] zip) throws Exception {
        Result result = verify(zip);
        assertThat(result.code()).as(result.out()).isEqualTo(ExitCode.REFUSED);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains(file.toString());
    }

    @Test
    void whatIsOfOtherTimesIsSaid() throws Exception {
        assertThat(verify(ExportSample.zip(good())).out()).doesNotContain("other times");
        Map<String, byte[]> files = make(sample -> sample.search.put(
                "others", Map.of("count", 12, "earliest", "2026-11-01T08:00:00Z", "latest", "2026-11-19T00:00:00Z")));
        assertThat(verify(ExportSample.zip(files)).out())
                .contains(
                        "12 more were found of other times, 2026-11-01T08:00:00Z to 2026-11-19T00:00:00Z, and are not shown");
    }

    @Test
    void whatOthersSignedIsSaid() throws Exception {
        Map<String, byte[]> files = make(sample -> {
            sample.search.put("signed", List.of("sender", "tenant"));
            sample.search.put("otherwiseSigned", 4);
            sample.manifest.put("version", 2);
        });
        assertThat(verify(ExportSample.zip(files)).out())
                .contains("only mails signed as: sender, tenant")
                .contains("4 more were found that are signed otherwise, and are not shown");
    }

    @Test
    void aGoodOneIsDescribed() throws Exception {
        Result result = verify(ExportSample.zip(good()));
        assertThat(result.code()).as(result.err() + result.out()).isZero();
        assertThat(result.out())
                .contains("export of acme by ada at 2026-11-21T12:00:00Z")
                .contains("search level:error \\u001b[2Junit:sshd")
                .contains("scope plant-7, records, from 2026-11-20T00:00:00Z to the end")
                .contains("complete: the search is complete")
                .contains("1 rows, 1 of them in hits.jsonl")
                .contains("of the issuing log, signed with ");
        assertThat(result.err()).contains("export.zip: 0 findings");
        Result json = run.ok("verify", "--json", "--export", file);
        assertThat(json.err()).isEmpty();
        assertThat(json.out().lines()).hasSize(1);
        assertThat(json.out()).contains("\"verified\":true", "\"scope\":\"plant-7\"");
    }

    /** Nothing found in one epoch says nothing of others, nor of a query that was understood otherwise than meant. */
    @Test
    void whatWasAskedIsSaidAndNoMore() throws Exception {
        Result result = verify(ExportSample.zip(make(sample -> {
            sample.manifest.put("version", 3);
            sample.search.remove("from");
            sample.manifest.put(
                    "asked",
                    Map.of(
                            "reading", "level:error AND unit:sshd",
                            "notes", List.of("A note."),
                            "warnings", List.of("the nearest is level"),
                            "rules", List.of(1, 2),
                            "epochs", List.of("2026-11", "2026-12"),
                            "earlierEpochs", 4));
        })));
        assertThat(result.code()).as(result.err() + result.out()).isZero();
        assertThat(result.out())
                .contains(
                        "understood as level:error AND unit:sshd\n  A note.\n  perhaps a mistake: the nearest is level\n")
                .contains("from the beginning of 2026-11 to the end")
                .contains("asked of 2026-11, 2026-12; earlier ones were not asked: 4")
                .contains("complete, of what was asked: the search is complete");
    }

    private String printed(ExportSample.Change change) throws Exception {
        Result result = verify(ExportSample.zip(make(sample -> {
            sample.ask();
            change.of(sample);
        })));
        assertThat(result.code()).as(result.err() + result.out()).isZero();
        return result.out();
    }

    @Test
    void whereItWasAskedAndWhatElseThereIsIsSaid() throws Exception {
        assertThat(printed(sample -> {}))
                .contains(
                        "understood as level:error AND unit:sshd\n  A note.\n  perhaps a mistake: the nearest is level\n")
                .contains("from the beginning of 2026-11 to the end")
                .contains("asked of 2026-11, 2026-12; earlier ones were not asked: 4")
                .contains("  under the index key " + "11".repeat(16) + " of ntru-peks: 2026-11, 2026-12\n")
                .contains("the gateway has more of scope plant-7 and these times, which was not asked: 1\n"
                        + "  plant-7 in 2026-10 under the index key " + "33".repeat(16) + " of ntru-peks\n")
                .contains("complete of 2026-11, 2026-12 alone; older epochs were not asked: 2: the search is complete");
        assertThat(printed(sample -> sample.asked().remove("notAsked")))
                .contains("the gateway does not tell what else it has of scope plant-7 and these times\n");
        assertThat(printed(sample -> sample.asked().put("notAsked", Map.of("targets", List.of(), "more", 0))))
                .contains("the gateway has nothing else of scope plant-7 and these times\n");
        assertThat(printed(sample -> sample.asked().put("notAsked", Map.of("targets", List.of(), "more", 70))))
                .contains("which was not asked: 70\n  and 70 more\n");
    }

    private static Map<String, Object> recheck(String state, int caught) {
        Map<String, Object> recheck = new LinkedHashMap<>();
        recheck.put("state", state);
        recheck.put("numbers", 1_000_000);
        recheck.put("drawn", 1_002);
        recheck.put("tested", 1_000);
        recheck.put("caught", caught);
        recheck.put("notTested", List.of(Map.of("sender", "press-4\u001b[2J", "number", 7, "reason", "not-given")));
        recheck.put("moreNotTested", 1);
        recheck.put(
                "odds",
                List.of(Map.of("hidden", 1, "probability", 0.001), Map.of("hidden", 40, "probability", 0.039229)));
        recheck.put("unsure", 0);
        recheck.put("uneven", List.of());
        recheck.put("unchecked", List.of("gate-9"));
        recheck.put("moreUnchecked", 2);
        return recheck;
    }

    @Test
    void howMuchOfWhatWasNotFoundWasTestedAgainIsSaid() throws Exception {
        assertThat(printed(sample -> sample.manifest.put("recheck", recheck("done", 0))))
                .contains("\ntested again, of signed envelopes in which nothing was found: 1000 of 1000000\n"
                        + "  had it hidden 1 envelope, one would have been asked for with a probability of 0.1000 %\n"
                        + "  had it hidden 40 envelopes, one would have been asked for with a probability of 3.9229 %\n"
                        + "  asked for and not tested: 7 of press-4\\u001b[2J, not-given\n"
                        + "  asked for and not tested: 1 more\n"
                        + "  nothing was tested of gate-9 and 2 more\n")
                .doesNotContain("DID NOT FIND");
        assertThat(printed(sample -> sample.manifest.put("recheck", recheck("waiting", 0))))
                .contains("\nwhat was not found was not tested again: not yet\n")
                .doesNotContain("probability");
        assertThat(printed(sample -> {
                    sample.manifest.put("recheck", recheck("done", 3));
                    sample.manifest.put(
                            "incomplete", List.of(Map.of("code", "hits-hidden", "names", List.of(), "more", 3)));
                    sample.asked().put("earlierEpochs", 0);
                    sample.asked().remove("notAsked");
                }))
                .contains("\npartial: the search is ", "\n  of these match, and THE GATEWAY DID NOT FIND THEM: 3\n");
    }

    @Test
    void aManifestThatContradictsItselfIsAFindingThoughItIsSigned() throws Exception {
        Map<String, ExportSample.Change> changes = new LinkedHashMap<>();
        changes.put("stopped", sample -> sample.search.put("state", "stopped"));
        changes.put("limited", sample -> sample.search.put("state", "limited"));
        changes.put("failed", sample -> sample.search.put("state", "moonlit"));
        changes.put("envelopes-not-seen", sample -> sample.search.put("envelopes", 9));
        changes.put("unreadable", sample -> sample.search.put("unreadable", 2));
        changes.put("not-checked", sample -> sample.search.put("unchecked", 1));
        changes.put("left-out or deleted", sample -> sample.manifest.put("rows", 7));
        changes.put("more rows are exported than there are", sample -> sample.manifest.put("rows", 0));
        changes.put("older-epochs-not-asked", sample -> sample.asked().put("earlierEpochs", 1));
        changes.put(
                "targets-not-asked", sample -> sample.asked().put("notAsked", Map.of("targets", List.of(), "more", 1)));
        changes.put("hits-hidden", sample -> sample.manifest.put("recheck", recheck("done", 1)));
        for (Map.Entry<String, ExportSample.Change> each : changes.entrySet()) {
            Result result = verify(ExportSample.zip(make(sample -> {
                sample.ask();
                sample.asked().put("earlierEpochs", 0);
                sample.asked().remove("notAsked");
                sample.manifest.put("incomplete", List.of());
                each.getValue().of(sample);
            })));
            assertThat(result.code()).as(each.getKey() + result.out()).isEqualTo(ExitCode.NO_MATCH);
            assertThat(result.out())
                    .contains("contradiction ", "manifest.json says that ", each.getKey())
                    .doesNotContain("export of");
        }
    }

    @Test
    void eachReasonWhyItIsNotCompleteIsSaidAndThoseOfLaterVersionsByTheirCode() throws Exception {
        assertThat(printed(sample -> {
                    sample.asked().put("earlierEpochs", 0);
                    sample.asked().remove("notAsked");
                    sample.manifest.put("incomplete", List.of());
                }))
                .contains("\ncomplete, of what was asked: the search is complete");
        for (String code : List.of(
                "stopped",
                "limited",
                "failed",
                "envelopes-not-seen",
                "index-keys-not-reached",
                "unreadable",
                "not-checked",
                "left-out",
                "deleted",
                "targets-not-asked",
                "hits-hidden")) {
            assertThat(printed(sample -> sample.manifest.put(
                            "incomplete",
                            List.of(
                                    ExportSample.reason("older-epochs-not-asked", "2026-10"),
                                    Map.of("code", code, "names", List.of(), "more", 7)))))
                    .contains("\npartial: the search is ", "\n  " + code + ": ")
                    .doesNotContain("unknown", "\ncomplete");
        }
        assertThat(printed(sample -> sample.manifest.put(
                        "incomplete",
                        List.of(
                                ExportSample.reason("older-epochs-not-asked", "2026-10"),
                                ExportSample.reason("moon-not-full", "a", "b\u001b[2J"),
                                Map.of("code", "targets-not-asked", "names", List.of("x"), "more", 2)))))
                .contains("\npartial: ")
                .contains("\n  unknown reason moon-not-full: a, b\\u001b[2J\n")
                .contains("the gateway has more in these scopes and times: x and 2 more\n");
    }

    @Test
    void aSearchThatAskedNothingSaysSo() throws Exception {
        assertThat(printed(sample -> {
                    sample.asked().put("epochs", List.of());
                    sample.asked().put("indexKeys", List.of());
                    sample.asked().remove("notAsked");
                    sample.search.put("state", "stopped");
                    sample.manifest.put(
                            "incomplete",
                            List.of(
                                    ExportSample.reason("stopped"),
                                    ExportSample.reason("older-epochs-not-asked", "2026-10")));
                }))
                .contains("asked of no epoch: the search ended before the gateway was asked")
                .contains("partial: ", "  stopped: the search was ended");
    }

    /** Whatever it is printed as. */
    @Test
    void aManifestOfThisVersionHasAllThatItMustSay() throws Exception {
        for (String field : List.of(
                "reading", "notes", "warnings", "scopes", "epochs", "earlierEpochs", "indexKeys", "incomplete")) {
            Files.write(file, ExportSample.zip(make(sample -> {
                sample.ask();
                sample.asked().remove(field);
                sample.manifest.remove(field);
            })));
            for (String[] more : new String[][] {{}, {"--json"}}) {
                List<Object> command = new ArrayList<>(List.of("verify", "--export", file));
                command.addAll(List.of(more));
                Result result = run.run(command.toArray());
                assertThat(result.code()).as(field + result.out()).isEqualTo(ExitCode.REFUSED);
                assertThat(result.err()).contains("manifest");
            }
        }
    }

    @Test
    void aPartialOneIsCalledSo() throws Exception {
        Result result = verify(ExportSample.zip(make(sample -> sample.manifest.put("complete", false))));
        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("partial: ").doesNotContain("\ncomplete: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hits.jsonl", "README.txt", "entry.vgp"})
    void aFileThatWasChangedIsFound(String name) throws Exception {
        Map<String, byte[]> files = good();
        files.get(name)[3] ^= 1;
        finds(ExportSample.zip(files), "altered " + name + " has another digest");
        files.put(name, Arrays.copyOf(files.get(name), files.get(name).length + 1));
        finds(ExportSample.zip(files), "altered " + name + " has more than ");
        files.put(name, Arrays.copyOf(files.get(name), 2));
        finds(ExportSample.zip(files), "altered " + name + " has 2 bytes");
    }

    @Test
    void anotherManifestIsFound() throws Exception {
        Map<String, byte[]> files = good();
        String json = new String(files.get("manifest.json"), StandardCharsets.UTF_8);
        files.put("manifest.json", json.replace("plant-7", "plant-8").getBytes(StandardCharsets.UTF_8));
        finds(ExportSample.zip(files), "altered manifest.json is not what was signed");
    }

    @Test
    void everyByteOfTheSignatureMatters() throws Exception {
        Map<String, byte[]> files = good();
        byte[] signed = files.get("manifest.signed");
        for (int at : new int[] {0, 5, 30, 60, 200, 2100, signed.length - 3300, signed.length - 1}) {
            byte[] bad = signed.clone();
            bad[at] ^= 1;
            files.put("manifest.signed", bad);
            Result result = verify(ExportSample.zip(files));
            assertThat(result.code()).as("byte " + at).isEqualTo(ExitCode.NO_MATCH);
            assertThat(result.out()).contains("manifest.signed").doesNotContain("export of");
        }
    }

    @Test
    void anotherAuthorityIsNamed() throws Exception {
        Files.write(file, ExportSample.zip(good()));
        Result result = run.run("verify", "--authority", "0".repeat(64), "--export", file);
        assertThat(result.code()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(result.out()).startsWith("foreign ").contains("is of the authority " + site.authority);
        Site other = Site.another(Files.createDirectory(temporary.resolve("other")));
        Map<String, byte[]> files = good();
        files.put(
                "manifest.signed",
                ExportSample.make(other, other.keys, sample -> {}).get("manifest.signed"));
        finds(ExportSample.zip(files), "foreign manifest.signed");
    }

    @Test
    void somethingElseThatTheAuthoritySignedIsNoManifest() throws Exception {
        byte[][] other = new byte[2][];
        Map<String, byte[]> files = make(sample -> {
            other[0] = sample.statement("note", "{}");
            other[1] = sample.statement("export-manifest", "{}");
        });
        files.put("manifest.signed", other[0]);
        finds(ExportSample.zip(files), "bad-signature manifest.signed is no manifest");
        files.put("manifest.signed", other[1]);
        assertThat(verify(ExportSample.zip(files)).code()).isEqualTo(ExitCode.REFUSED);
    }

    @Test
    void missingAndAddedFilesAreFound() throws Exception {
        Map<String, byte[]> files = good();
        files.remove("README.txt");
        files.put("hits-2.jsonl", new byte[] {1});
        finds(ExportSample.zip(files), "extra hits-2.jsonl", "missing README.txt");
        files = good();
        files.remove("manifest.json");
        files.remove("manifest.signed");
        finds(ExportSample.zip(files), "missing manifest.json", "missing manifest.signed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../hits.jsonl", "/etc/passwd", "a/b", "a\\b", "c:x", "..", "folder/", "-rf", "hits.jsonl\n"})
    void namesThatLeadElsewhereAreRefused(String name) throws Exception {
        Map<String, byte[]> files = good();
        files.put(name, new byte[0]);
        finds(ExportSample.zip(files), "bad-name " + Printable.of(name));
    }

    @Test
    void aFileThatIsThereTwiceIsFound() throws Exception {
        byte[] zip = ExportSample.zip(withSecond("hitz.jsonl", "forged\n"));
        finds(replaced(zip, "hitz.jsonl", "hits.jsonl"), "duplicate hits.jsonl");
    }

    private Map<String, byte[]> withSecond(String name, String content) throws Exception {
        Map<String, byte[]> files = new LinkedHashMap<>(good());
        files.put(name, content.getBytes(StandardCharsets.UTF_8));
        return files;
    }

    private static byte[] replaced(byte[] bytes, String from, String to) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        assertThat(text).contains(from);
        return text.replace(from, to).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The directory at the end leads to the good files; whoever unpacks from the beginning gets another one first. */
    @Test
    void anArchiveThatUnpacksInTwoWaysIsFound() throws Exception {
        byte[] good = ExportSample.zip(good());
        byte[] forged = ExportSample.zip(withSecond("hitz.jsonl", "forged\n"));
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(forged);
        both.writeBytes(good);
        finds(both.toByteArray(), "layout - " + forged.length + " bytes stand before the first file");
        both.reset();
        both.writeBytes("#!/bin/sh\n".getBytes(StandardCharsets.US_ASCII));
        both.writeBytes(good);
        finds(both.toByteArray(), "layout - 10 bytes stand before the first file");
    }

    @Test
    void oneThatWasBrokenOffIsRefused() throws Exception {
        byte[] zip = ExportSample.zip(good());
        for (int length = 0; length < zip.length; length += 97) {
            refuses(Arrays.copyOf(zip, length));
        }
        refuses(Arrays.copyOf(zip, zip.length - 1));
        refuses("hello".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void damageIsNeverOverlookedNorABug() throws Exception {
        byte[] zip = ExportSample.zip(good());
        int directory = zip.length - 450;
        for (int at = 0; at < zip.length; at += at < directory ? 61 : 1) {
            byte[] bad = zip.clone();
            bad[at] ^= (byte) 0xff;
            Result result = verify(bad);
            assertThat(result.code())
                    .as("byte " + at + ": " + result.err() + result.out())
                    .isIn(ExitCode.NO_MATCH, ExitCode.REFUSED);
        }
    }

    @Test
    void aBombIsNotUnpacked() throws Exception {
        Map<String, byte[]> files = good();
        files.put("hits.jsonl", new byte[64 << 20]);
        finds(ExportSample.zip(files), "altered hits.jsonl has more than " + ExportSample.HITS.length() + " bytes");
        Map<String, byte[]> many = good();
        for (int i = 0; i < ExportArchive.MAX_FILES; i++) {
            many.put("file" + i, new byte[0]);
        }
        refuses(ExportSample.zip(many));
        Map<String, byte[]> large = good();
        large.put("manifest.signed", new byte[64 << 20]);
        finds(ExportSample.zip(large), "bad-signature manifest.signed");
    }

    @Test
    void theProofMustBeOfThisExport() throws Exception {
        String none = "not-proven entry.vgp";
        finds(ExportSample.zip(make(sample -> sample.log(EntryKind.EXPORT, "00".repeat(32)))), none);
        String digest = ExportSample.sha256(ExportSample.HITS.getBytes(StandardCharsets.UTF_8));
        finds(ExportSample.zip(make(sample -> sample.log(EntryKind.DECRYPTION, digest))), none);
        finds(ExportSample.zip(make(sample -> sample.files.put("entry.vgp", new byte[5]))), none);
        finds(ExportSample.zip(make(sample -> sample.files.remove("entry.vgp"))), "missing entry.vgp");
        finds(
                ExportSample.zip(make(sample -> {
                    Object first = sample.manifest.get("log");
                    sample.log(EntryKind.EXPORT, digest);
                    sample.manifest.put("log", first);
                })),
                none);
        assertThat(verify(ExportSample.zip(make(sample -> sample.log(EntryKind.EXPORT, digest))))
                        .code())
                .as("what the others differ from holds")
                .isZero();
    }

    @Test
    void aManifestOfAnotherTenantIsFound() throws Exception {
        finds(ExportSample.zip(make(sample -> sample.manifest.put("tenant", "initech"))), "foreign manifest.json");
    }

    @Test
    void aManifestThatIsNoneIsRefused() throws Exception {
        for (List<Object> wrong : List.<List<Object>>of(
                List.of("version", 5),
                List.of("version", 4),
                List.of("version", 3),
                List.of("files", List.of()),
                List.of("format", "other"),
                List.of("files", List.of(Map.of("name", "x", "bytes", 1, "sha256", "zz"))),
                List.of("search", "none"))) {
            byte[] zip = ExportSample.zip(
                    make(sample -> sample.manifest.put(wrong.getFirst().toString(), wrong.getLast())));
            Result result = verify(zip);
            assertThat(result.code()).as(wrong + result.out()).isEqualTo(ExitCode.REFUSED);
            assertThat(result.err()).contains("manifest");
        }
    }

    @Test
    void oneKindAtATime() throws Exception {
        Files.write(file, ExportSample.zip(good()));
        assertThat(run.run("verify", "--export", file, "--issuing-log", file).code())
                .isEqualTo(ExitCode.USAGE);
        assertThat(run.run("verify", "--export", file, file).code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.run("verify", "--export", temporary.resolve("none")).code())
                .isEqualTo(ExitCode.IO);
        run.environment.remove("VEILGATE_AUTHORITY");
        assertThat(run.run("verify", "--export", file).code()).isEqualTo(ExitCode.USAGE);
    }
}
