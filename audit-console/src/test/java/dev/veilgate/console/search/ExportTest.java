package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.search.ExportSample.Unzipped;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.InclusionProof;
import dev.veilgate.issuing.LogEntry;
import dev.veilgate.issuing.SignedStatement;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an export holds, and that a part of one is none. */
@ConsoleTest
class ExportTest {
    private static final User ADA = new User("ada", "Ada Lovelace", Set.of(Role.AUDITOR), Optional.empty());
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");

    @Autowired
    private Custody custody;

    @Autowired
    private AuditLog log;

    @Autowired
    private JsonMapper json;

    private Export export(ExportSample sample, ExportFormat format) {
        return new Export(custody, log, json, sample, format, ADA);
    }

    private Unzipped written(ExportSample sample, ExportFormat format) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Export export = export(sample, format);
        export.write(out, export.begin(), NOW);
        return Unzipped.of(out.toByteArray());
    }

    private JsonNode manifest(Unzipped files) {
        return json.readTree(files.bytes("manifest.json"));
    }

    /** Code, names and count of each reason why it is not complete. */
    private static List<String> reasons(JsonNode manifest) {
        List<String> reasons = new ArrayList<>();
        for (JsonNode reason : manifest.get("incomplete")) {
            reasons.add(reason.get("code").asString() + " " + reason.get("names") + " " + reason.get("more"));
        }
        return reasons;
    }

    @Test
    void rowsAreThoseOfTheInterface() throws Exception {
        ExportSample sample = new ExportSample(json);
        Unzipped files = written(sample, ExportFormat.JSONL);
        assertThat(files.names())
                .containsExactly("hits.jsonl", "entry.vgp", "README.txt", "manifest.json", "manifest.signed");
        String[] lines = files.text("hits.jsonl").split("\n", -1);
        assertThat(lines).hasSize(4).endsWith("");
        for (int i = 0; i < 3; i++) {
            assertThat(lines[i]).isEqualTo(json.writeValueAsString(sample.rows.get(i)));
        }
        assertThat(lines[0]).contains("x".repeat(5000)).doesNotContain("null");
    }

    @Test
    void theAuthoritySignsWhatTheManifestSays() throws Exception {
        Unzipped files = written(new ExportSample(json), ExportFormat.CSV);
        SignedStatement statement = SignedStatement.decode(files.bytes("manifest.signed"));
        String fingerprint = custody.use(keys -> keys.authority().fingerprint());
        assertThat(statement.isSignedBy(fingerprint)).isTrue();
        assertThat(statement.kind()).isEqualTo("export-manifest");
        assertThat(statement.content()).isEqualTo(files.bytes("manifest.json"));
        JsonNode manifest = manifest(files);
        assertThat(manifest.get("tenant").asString()).isEqualTo("acme");
        assertThat(manifest.get("user").asString()).isEqualTo("ada");
        assertThat(manifest.get("time").asString()).isEqualTo("2026-11-22T10:00:00Z");
        assertThat(manifest.get("version").asInt()).isEqualTo(4);
        assertThat(manifest.has("complete")).as("said once").isFalse();
        assertThat(reasons(manifest)).containsExactly("unreadable [] 1");
        assertThat(manifest.get("rows").asLong()).isEqualTo(3);
        assertThat(manifest.get("exported").asLong()).isEqualTo(3);
        assertThat(manifest.get("rules").toString()).contains("no spreadsheet takes a cell");
        JsonNode asked = manifest.get("asked");
        assertThat(asked.get("reading").asString()).isEqualTo("levl:error OR word:disk");
        assertThat(asked.get("warnings").toString()).contains("the nearest is level");
        assertThat(asked.get("epochs").toString()).isEqualTo("[\"2026-11\"]");
        assertThat(asked.get("rules").toString()).isEqualTo("[1]");
        assertThat(asked.get("earlierEpochs").asInt()).isZero();
        assertThat(asked.get("scopes").toString()).isEqualTo("[\"plant-7\"]");
        assertThat(asked.get("indexKeys").toString())
                .isEqualTo("[{\"key\":\"" + "00".repeat(16) + "\",\"scheme\":\"ntru-peks\",\"epochs\":[\"2026-11\"]}]");
        assertThat(asked.get("notAsked").toString()).isEqualTo("{\"targets\":[],\"more\":0}");
        JsonNode search = manifest.get("search");
        assertThat(search.get("query").asString()).isEqualTo("level:error");
        assertThat(search.get("ended").asString()).isEqualTo("2026-11-22T09:00:02Z");
        assertThat(search.get("unreadable").asLong()).isEqualTo(1);
        assertThat(search.get("dropped").asLong()).isEqualTo(2);
        assertThat(manifest.get("files")).hasSize(3);
        for (JsonNode file : manifest.get("files")) {
            byte[] bytes = files.bytes(file.get("name").asString());
            assertThat(file.get("bytes").asLong()).isEqualTo(bytes.length);
            assertThat(file.get("sha256").asString()).isEqualTo(ExportSample.sha256(bytes));
        }
    }

    @Test
    void theIssuingLogHasItBeforeAndAfter() throws Exception {
        Unzipped files = written(new ExportSample(json), ExportFormat.JSONL);
        InclusionProof proof = InclusionProof.decode(files.bytes("entry.vgp"));
        assertThat(proof.holds(custody.use(keys -> keys.authority().fingerprint())))
                .isTrue();
        assertThat(proof.entry().kind()).isEqualTo(EntryKind.EXPORT);
        assertThat(proof.entry().actor()).isEqualTo("ada");
        assertThat(proof.entry().details())
                .containsEntry("digest", ExportSample.sha256(files.bytes("hits.jsonl")))
                .containsEntry("count", "3")
                .containsEntry("format", "jsonl")
                .containsEntry("search", ExportSample.SEARCH.toString());
        JsonNode place = manifest(files).get("log");
        assertThat(place.get("entry").asLong()).isEqualTo(proof.entry().number());
        assertThat(place.get("size").asLong()).isEqualTo(proof.head().head().size());
        assertThat(place.get("root").asString())
                .isEqualTo(HexFormat.of().formatHex(proof.head().head().root()));
        LogEntry begun = log.prove(place.get("begun").asLong()).entry();
        assertThat(begun.number()).isLessThan(proof.entry().number());
        assertThat(begun.kind()).isEqualTo(EntryKind.EXPORT);
        assertThat(begun.details()).containsEntry("action", "begin").containsEntry("format", "jsonl");
    }

    @Test
    void aSpreadsheetSeesNoFormula() throws Exception {
        Unzipped files = written(new ExportSample(json), ExportFormat.CSV);
        assertThat(files.names().getFirst()).isEqualTo("hits.csv");
        assertThat(files.text("hits.csv"))
                .startsWith("row,kind,envelope,")
                .contains(",\"'=HYPERLINK(\"\"http://evil\"\")\",")
                .endsWith("role:auditor plant:7,,,\r\n");
    }

    @Test
    void mailsAreOpenedAndTheRestIsNamed() throws Exception {
        ExportSample sample = ExportSample.ofMails(json);
        Unzipped files = written(sample, ExportFormat.MBOX);
        assertThat(files.names())
                .containsExactly(
                        "mail.mbox", "left-out.jsonl", "entry.vgp", "README.txt", "manifest.json", "manifest.signed");
        assertThat(files.text("mail.mbox"))
                .isEqualTo("From " + sample.rows.getFirst().envelope()
                        + " Sun Nov 22 08:00:00 2026\nSubject: a\n\n>From me\n\n");
        String[] left = files.text("left-out.jsonl").split("\n");
        assertThat(left).hasSize(3);
        assertThat(left[0]).contains("\"row\":1", "not any more");
        assertThat(left[1]).contains("\"row\":2", "other attributes", "plant:7");
        assertThat(left[2]).contains("\"row\":3", "not a mail");
        JsonNode manifest = manifest(files);
        assertThat(manifest.get("rows").asLong()).isEqualTo(4);
        assertThat(manifest.get("exported").asLong()).isEqualTo(1);
        assertThat(manifest.get("leftOut").asLong()).isEqualTo(3);
        assertThat(manifest.get("files").get(1).get("name").asString()).isEqualTo("left-out.jsonl");
    }

    @Test
    void whatTheGatewayHasDeletedIsCountedAndTheRestIsThere() throws Exception {
        ExportSample sample = ExportSample.ofMails(json);
        sample.unopened = new ProblemException(HttpStatus.GONE, "gone", "deleted");
        Unzipped files = written(sample, ExportFormat.MBOX);
        assertThat(files.text("mail.mbox")).contains("Subject: a");
        assertThat(files.text("left-out.jsonl").split("\n")[0])
                .contains("\"row\":1", "the gateway does not have it any more");
        JsonNode manifest = manifest(files);
        assertThat(manifest.get("leftOut").asLong()).isEqualTo(3);
        assertThat(manifest.get("missing").asLong()).isEqualTo(1);
        assertThat(reasons(manifest)).containsExactly("unreadable [] 1", "left-out [] 2", "deleted [] 1");
    }

    @Test
    void aSearchThatFoundNothingIsEvidenceOfThat() throws Exception {
        ExportSample sample = new ExportSample(json);
        sample.keepRows(0);
        sample.unreadable = 0;
        Unzipped files = written(sample, ExportFormat.JSONL);
        assertThat(files.text("hits.jsonl")).isEmpty();
        JsonNode manifest = manifest(files);
        assertThat(manifest.get("incomplete").isEmpty()).isTrue();
        assertThat(manifest.get("rows").asLong()).isZero();
        assertThat(manifest.get("search").get("envelopes").asLong()).isEqualTo(70);
        assertThat(manifest.get("search").get("envelopesFound").asLong())
                .as("envelopes by their name, beside rows")
                .isEqualTo(5);
        assertThat(manifest.get("search").has("hits")).isFalse();
    }

    @Test
    void withNothingLeftOutThereIsNoListOfIt() throws Exception {
        ExportSample sample = ExportSample.ofMails(json);
        sample.keepRows(1);
        assertThat(written(sample, ExportFormat.MBOX).names()).doesNotContain("left-out.jsonl");
    }

    @Test
    void aSearchThatDidNotEndByItselfIsCalledPartial() throws Exception {
        for (String state : new String[] {SearchJob.LIMITED, SearchJob.STOPPED, SearchJob.FAILED}) {
            ExportSample sample = new ExportSample(json);
            sample.state = state;
            JsonNode manifest = manifest(written(sample, ExportFormat.JSONL));
            assertThat(reasons(manifest)).first().as(state).isEqualTo(state + " [] 0");
            assertThat(manifest.get("search").get("state").asString()).isEqualTo(state);
        }
    }

    @Test
    void aRunningSearchIsNotExported() {
        ExportSample sample = new ExportSample(json);
        sample.state = SearchJob.RUNNING;
        assertThatThrownBy(() -> export(sample, ExportFormat.JSONL))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.status().value()).isEqualTo(409));
    }

    @Test
    void logRecordsAreNoMailbox() {
        assertThatThrownBy(() -> export(new ExportSample(json), ExportFormat.MBOX))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.status().value()).isEqualTo(400));
    }

    @Test
    void aSpoolThatFailsMidwayLeavesNoArchive() throws Exception {
        for (int failing = 0; failing < 3; failing++) {
            ExportSample sample = new ExportSample(json);
            sample.failsAt = failing;
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            assertThatThrownBy(() -> export(sample, ExportFormat.JSONL).write(out, 1, NOW))
                    .isInstanceOf(IOException.class);
            assertThat(Unzipped.isArchive(out.toByteArray())).isFalse();
        }
    }

    @Test
    void aGatewayThatDoesNotAnswerLeavesNoArchive() throws Exception {
        ExportSample sample = ExportSample.ofMails(json);
        sample.unopened = ProblemException.gateway("the gateway does not answer");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThatThrownBy(() -> export(sample, ExportFormat.MBOX).write(out, 1, NOW))
                .isInstanceOf(ProblemException.class);
        assertThat(Unzipped.isArchive(out.toByteArray())).isFalse();
    }

    /** Fails once, and takes what comes then, as a container may that only waits for the end of the request. */
    private static final class Leaving extends OutputStream {
        private final ByteArrayOutputStream received = new ByteArrayOutputStream();
        private final int at;
        private boolean hasFailed;

        Leaving(int at) {
            this.at = at;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            Objects.checkFromIndexSize(from, length, bytes.length);
            if (!hasFailed && received.size() + length > at) {
                hasFailed = true;
                throw new IOException("the client went away");
            }
            received.write(bytes, from, length);
        }
    }

    @Test
    void aClientThatGoesAwayHasNoArchive() throws Exception {
        ExportSample sample = new ExportSample(json);
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        export(sample, ExportFormat.JSONL).write(whole, 1, NOW);
        assertThat(Unzipped.isArchive(whole.toByteArray())).isTrue();
        for (int at = 0; at < whole.size() - 500; at += 997) { // signatures and times compress differently each time
            Leaving out = new Leaving(at);
            assertThatThrownBy(() -> export(sample, ExportFormat.JSONL).write(out, 1, NOW))
                    .isInstanceOf(IOException.class);
            assertThat(Unzipped.isArchive(out.received.toByteArray()))
                    .as("at " + at)
                    .isFalse();
        }
    }
}
