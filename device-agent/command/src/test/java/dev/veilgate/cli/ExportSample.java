package dev.veilgate.cli;

import dev.veilgate.authority.AuthorityLog;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.issuing.DetailName;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.InclusionProof;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.LogDraft;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** An export as the console writes it, in parts that tests change before it is signed or after. */
final class ExportSample {
    static final String HITS = "{\"row\":0,\"kind\":\"record\",\"text\":\"level=error unit=sshd\"}\n";

    final Map<String, byte[]> files = new LinkedHashMap<>();
    final Map<String, Object> manifest = new LinkedHashMap<>();
    final Map<String, Object> search = new LinkedHashMap<>();
    private final KeyFolder keys;
    private final IssuingLog log;

    private ExportSample(KeyFolder keys, IssuingLog log) {
        this.keys = keys;
        this.log = log;
    }

    /** What is done with a sample while its keys are open. */
    @FunctionalInterface
    interface Change {
        void of(ExportSample sample) throws Exception;
    }

    /** The files of an export: those of the manifest, it and its signature. */
    static Map<String, byte[]> make(Site site, Path keyFolder, Change beforeSigning) throws Exception {
        byte[] passphrase = CommandRun.PASSPHRASE.getBytes(StandardCharsets.UTF_8);
        try (KeyFolder keys = KeyFolder.open(keyFolder, passphrase, KeyFolder.Access.READ, new SecureRandom());
                IssuingLog log = AuthorityLog.open(
                        keys, HeadPolicy.DEFAULT, Clock.fixed(site.run.now, ZoneOffset.UTC), new SecureRandom())) {
            ExportSample sample = new ExportSample(keys, log);
            sample.files.put("hits.jsonl", HITS.getBytes(StandardCharsets.UTF_8));
            sample.files.put("README.txt", "read me\n".getBytes(StandardCharsets.UTF_8));
            sample.log(EntryKind.EXPORT, sha256(sample.files.get("hits.jsonl")));
            sample.describe(site);
            beforeSigning.of(sample);
            sample.list();
            return sample.signed();
        }
    }

    /** Other rows, and the proof of them. */
    void hits(String rows) throws IOException {
        files.put("hits.jsonl", rows.getBytes(StandardCharsets.UTF_8));
        log(EntryKind.EXPORT, sha256(rows.getBytes(StandardCharsets.UTF_8)));
    }

    /** The proof of an entry of this kind and digest, and its place. */
    void log(EntryKind kind, String digest) throws IOException {
        long entry = log.append(
                LogDraft.of(kind, "ada").with(DetailName.DIGEST, digest).with(DetailName.COUNT, "1"));
        InclusionProof proof = log.proveInclusion(entry, log.head());
        files.put("entry.vgp", proof.encode());
        Map<String, Object> place = new LinkedHashMap<>();
        place.put("entry", entry);
        place.put("size", proof.head().head().size());
        place.put("root", HexFormat.of().formatHex(proof.head().head().root()));
        manifest.put("log", place);
    }

    private void describe(Site site) {
        manifest.put("format", "veilgate-export");
        manifest.put("version", 1);
        manifest.put("tenant", "acme");
        manifest.put("user", "ada");
        manifest.put("time", site.run.now.toString());
        manifest.put("complete", true);
        manifest.put("rows", 1);
        manifest.put("exported", 1);
        search.put("query", "level:error \u001b[2Junit:sshd");
        search.put("scope", "plant-7");
        search.put("mail", false);
        search.put("from", "2026-11-20T00:00:00Z");
        search.put("started", "2026-11-21T11:59:00Z");
        search.put("state", "complete");
        for (String count : List.of("envelopes", "envelopesDone", "unreadable", "dropped")) {
            search.put(count, 0);
        }
        manifest.put("search", search);
    }

    /** Says what was asked, and why that is not all: version 4. */
    void ask() {
        manifest.put("version", 4);
        manifest.remove("complete");
        search.remove("from");
        Map<String, Object> asked = new LinkedHashMap<>();
        asked.put("reading", "level:error AND unit:sshd");
        asked.put("notes", List.of("A note."));
        asked.put("warnings", List.of("the nearest is level"));
        asked.put("rules", List.of(1, 2));
        asked.put("scopes", List.of("plant-7"));
        asked.put("epochs", List.of("2026-11", "2026-12"));
        asked.put("earlierEpochs", 4);
        asked.put("indexKeys", List.of(key("11", List.of("2026-11", "2026-12")), key("22", List.of("2026-12"))));
        asked.put(
                "notAsked",
                Map.of(
                        "targets",
                        List.of(Map.of(
                                "scheme", "ntru-peks", "key", "33".repeat(16), "scope", "plant-7", "epoch", "2026-10")),
                        "more",
                        0));
        manifest.put("asked", asked);
        manifest.put("incomplete", List.of(reason("older-epochs-not-asked", "2026-10", "2026-09")));
    }

    private static Map<String, Object> key(String id, List<String> epochs) {
        return Map.of("key", id.repeat(16), "scheme", "ntru-peks", "epochs", epochs);
    }

    /** A reason why it is not complete, in the form of the manifest. */
    static Map<String, Object> reason(String code, String... names) {
        return Map.of("code", code, "names", List.of(names), "more", 0);
    }

    /** Fields of what was asked. */
    @SuppressWarnings("unchecked")
    Map<String, Object> asked() {
        return (Map<String, Object>) manifest.get("asked");
    }

    private void list() {
        List<Map<String, Object>> listed = new ArrayList<>();
        files.forEach((name, bytes) -> {
            Map<String, Object> file = new LinkedHashMap<>();
            file.put("name", name);
            file.put("bytes", bytes.length);
            file.put("sha256", sha256(bytes));
            listed.add(file);
        });
        manifest.putIfAbsent("files", listed);
    }

    private Map<String, byte[]> signed() {
        byte[] json = Json.of(manifest).getBytes(StandardCharsets.UTF_8);
        files.put("manifest.json", json);
        files.put(
                "manifest.signed",
                keys.keys().signStatement("export-manifest", json).encode());
        return files;
    }

    /** Something else that the authority signs. */
    byte[] statement(String kind, String content) {
        return keys.keys()
                .signStatement(kind, content.getBytes(StandardCharsets.UTF_8))
                .encode();
    }

    static byte[] zip(Map<String, byte[]> files) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue());
                zip.closeEntry();
            }
        }
        return out.toByteArray();
    }

    static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(ExportArchive.sha256().digest(bytes));
    }
}
