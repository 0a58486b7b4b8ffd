package dev.veilgate.console.search;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.veilgate.console.TestConsole;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.indexes.IndexFindings;
import dev.veilgate.console.indexes.IndexState;
import dev.veilgate.console.indexes.Outcome;
import dev.veilgate.envelope.AttachmentReading;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.IndexRules;
import dev.veilgate.envelope.MailBinding;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.IndexProfiles;
import dev.veilgate.extract.PostingCollector;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import dev.veilgate.testing.AttachedPdf;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whoever opens a record is told which of its keywords its index lacks; keepers see it of each sender. */
@ExtendWith(OutputCaptureExtension.class)
class IndexFindingTest extends ScriptedGateway {
    private static final String SCOPE = "plant-findings";
    private static final String LINE = "2026-11-21T12:23:01Z press-4 sshd[17]: it overheated, says secretword 10.0.0.7";
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Predicate<Keyword> ALL = _ -> true;

    @Autowired
    private MockMvc http;

    @Autowired
    private Custody custody;

    @Autowired
    private JsonMapper json;

    @Autowired
    private IndexFindings findings;

    private SigningKey newDevice(String name) throws Exception {
        SigningKey device = newSender(name);
        register(device);
        return device;
    }

    private EnvelopeDraft draft(List<String> records, List<Posting> postings) {
        return DeviceSample.draft(SCOPE, now(), records, postings);
    }

    private IndexProfiles.Used used() throws Exception {
        return DeviceSample.used(bundle(), now());
    }

    private List<Posting> postings(List<String> lines, LogFormat format, Predicate<Keyword> taken) throws Exception {
        return DeviceSample.postings(used().profile(), lines, format, taken);
    }

    private byte[] sealed(@Nullable SigningKey device, EnvelopeDraft draft) throws Exception {
        try (EnvelopeSealer sealer = new EnvelopeSealer(bundle(), device, clock(), RANDOM)) {
            return sealer.seal(draft, ChainPosition.first()).bytes();
        }
    }

    private byte[] sealed(SigningKey device, String line, Predicate<Keyword> taken) throws Exception {
        List<String> lines = List.of(line);
        return sealed(
                device, draft(lines, postings(lines, LogFormat.AUTO, taken)).indexedBy(used().rules()));
    }

    private static Predicate<Keyword> without(String value) {
        return keyword -> !keyword.value().equals(value);
    }

    /** The state of the index of the first record that is found. */
    private JsonNode opened(byte[] envelope) throws Exception {
        serve(envelope);
        return read(search(SCOPE) + "/rows/0").get("index");
    }

    private static String outcome(JsonNode index) {
        return index.get("outcome").asString();
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asString).toList();
    }

    private JsonNode ofSender(String name) throws Exception {
        String answer = http.perform(get("/api/senders/indexes").with(login("scripted-keeper", "keeper")))
                .andReturn()
                .getResponse()
                .getContentAsString();
        return json.readTree(answer)
                .get("senders")
                .valueStream()
                .filter(one -> one.get("name").asString().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(answer));
    }

    private int tell(String path, String body) throws Exception {
        return http.perform(post("/api/senders/indexes" + path)
                        .with(login("scripted-keeper", "keeper"))
                        .with(csrf())
                        .contentType(MediaType.APPLICATION_JSON)
                        .content(body))
                .andReturn()
                .getResponse()
                .getStatus();
    }

    @ParameterizedTest
    @EnumSource
    void anHonestDeviceHasNoFindingWhateverFormatItReads(LogFormat format) throws Exception {
        String name = "honest-" + format;
        SigningKey device = newDevice(name);
        List<String> lines = List.of(
                LINE,
                "{\"level\": \"error\", \"msg\": \"it overheated\", \"user\": \"secretword\", \"bytes\": 1234}",
                "level=warn msg=\"it overheated\" user=secretword bytes=99",
                "<34>1 2026-11-21T12:23:01Z press-4 app 7 - [a@1 b=\"c\"] it overheated");
        EnvelopeDraft ofBefore = draft(lines, postings(lines, format, ALL)).indexedBy(used().rules());
        for (EnvelopeDraft draft : List.of(ofBefore, ofBefore.readAs(format.label()))) {
            serve(sealed(device, draft));
            String search = search(SCOPE);
            assertThat(read(search).get("rows").asInt()).isEqualTo(lines.size());
            for (int i = 0; i < lines.size(); i++) {
                JsonNode index = read(search + "/rows/" + i).get("index");
                assertThat(outcome(index)).as("%s", index).isEqualTo("complete");
                assertThat(index.get("reasons")).isEmpty();
            }
        }
        JsonNode counts = ofSender(name);
        assertThat(counts.get("checked").asInt()).isEqualTo(2 * lines.size());
        assertThat(counts.get("lacking").asInt()).isZero();
        assertThat(counts.get("counted").asInt()).isZero();
    }

    @Test
    void aDeviceThatIndexesLessThanItSealsIsFoundOnceForARecord(CapturedOutput output) throws Exception {
        byte[] envelope = sealed(newDevice("hides-a-word"), LINE, without("secretword"));
        for (int i = 0; i < 2; i++) {
            JsonNode index = opened(envelope);
            assertThat(outcome(index)).isEqualTo("lacking");
            assertThat(index.get("lacking").asInt()).isEqualTo(1);
            assertThat(texts(index.get("keywords"))).containsExactly("word:secretword");
        }
        JsonNode counts = ofSender("hides-a-word");
        assertThat(counts.get("lacking").asInt()).isEqualTo(1);
        assertThat(counts.get("counted").asInt())
                .as("once, however often it is opened")
                .isEqualTo(1);
        assertThat(counts.has("lastFinding")).isTrue();
        assertThat(output.getAll()).doesNotContain("secretword");
    }

    /** The index state of a line whose sender leaves out the field of the user alone, and reads it in a format. */
    private JsonNode openedWithoutUser(String device, LogFormat format, String said) throws Exception {
        List<String> lines = List.of("{\"level\": \"error\", \"msg\": \"it overheated\", \"user\": \"secretword\"}");
        Predicate<Keyword> others = keyword -> !keyword.equals(Keyword.text("user", "secretword"));
        EnvelopeDraft draft = draft(lines, postings(lines, format, others)).indexedBy(used().rules());
        return opened(sealed(newDevice(device), said.isEmpty() ? draft : draft.readAs(said)));
    }

    @Test
    void aFieldThatIsLeftOutIsFoundWhereTheSenderSaysInWhichFormatItReads() throws Exception {
        for (LogFormat format : List.of(LogFormat.JSON, LogFormat.AUTO)) {
            JsonNode index = openedWithoutUser("hides-a-field-" + format, format, format.label());
            assertThat(outcome(index)).as("%s", index).isEqualTo("lacking");
            assertThat(texts(index.get("keywords"))).containsExactly("user:secretword");
        }
        JsonNode ofBefore = openedWithoutUser("does-not-say", LogFormat.JSON, "");
        assertThat(outcome(ofBefore)).as("not every format has the field").isEqualTo("complete");
        JsonNode plain = openedWithoutUser("reads-plainly", LogFormat.PLAIN, "plain");
        assertThat(outcome(plain)).as("plain text has no such field").isEqualTo("complete");
    }

    @Test
    void aFormatOfLaterSoftwareIsNotCheckedAndCounted() throws Exception {
        JsonNode index = openedWithoutUser("reads-later", LogFormat.JSON, "of-later-software");
        assertThat(outcome(index)).isEqualTo("not-checked");
        assertThat(texts(index.get("reasons"))).containsExactly("unknown-format");
        JsonNode counts = ofSender("reads-later");
        assertThat(counts.get("notChecked").asInt()).isEqualTo(1);
        assertThat(counts.get("lacking").asInt()).isZero();
    }

    @Test
    void whatNobodyAnswersForIsNotChecked() throws Exception {
        SigningKey stranger = newSender("a-stranger"); // not registered
        JsonNode index = opened(sealed(stranger, LINE, without("secretword")));
        assertThat(outcome(index)).isEqualTo("not-checked");
        assertThat(texts(index.get("reasons"))).containsExactly("not-signed");
        assertThat(index.get("lacking").asInt()).isZero();
        assertThat(ofSender("").get("notChecked").asInt()).isPositive();
    }

    @Test
    void anEnvelopeThatNamesNoRulesIsCounted() throws Exception {
        List<String> lines = List.of(LINE);
        SigningKey device = newDevice("of-before");
        JsonNode index = opened(sealed(device, draft(lines, postings(lines, LogFormat.AUTO, ALL))));
        assertThat(outcome(index)).isEqualTo("not-checked");
        assertThat(texts(index.get("reasons"))).containsExactly("no-rules");
        JsonNode counts = ofSender("of-before");
        assertThat(counts.get("notChecked").asInt()).isEqualTo(1);
        assertThat(counts.get("reasons").get(0).get("reason").asString()).isEqualTo("no-rules");
    }

    @Test
    void aProfileThatTheTenantNeverHadIsAFinding() throws Exception {
        List<String> lines = List.of(LINE);
        IndexRules never =
                IndexRules.of(1, ExtractorProfile.defaults().withFields("never").encode());
        byte[] envelope = sealed(
                newDevice("own-rules"),
                draft(lines, postings(lines, LogFormat.AUTO, ALL)).indexedBy(never));
        JsonNode index = opened(envelope);
        assertThat(outcome(index)).isEqualTo("lacking");
        assertThat(texts(index.get("reasons"))).containsExactly("unknown-rules");
        assertThat(ofSender("own-rules").get("lacking").asInt()).isEqualTo(1);
    }

    @Test
    void aFormerProfileIsFollowed() throws Exception {
        SigningKey device = newDevice("slow-to-learn");
        byte[] first = custody.use(keys -> keys.profiles().first());
        byte[] before = sealed(device, LINE, ALL);
        try {
            custody.change(keys -> {
                keys.setProfiles(keys.profiles()
                        .withFirst(ExtractorProfile.defaults()
                                .withWordPrefixes(new ExtractorProfile.WordPrefixes(3, 5))
                                .encode()));
                return keys;
            });
            assertThat(outcome(opened(before))).isEqualTo("complete");
        } finally {
            custody.change(keys -> {
                keys.setProfiles(keys.profiles().withFirst(first));
                return keys;
            });
        }
    }

    @Test
    void keywordsOfACallerAreExcusedForSendersThatMayGiveThem() throws Exception {
        List<String> lines = List.of(LINE);
        List<Posting> own = List.of(Posting.of(Keyword.text("word", "overheated"), 0));
        byte[] envelope = sealed(newDevice("own-words"), draft(lines, own).indexedBy(IndexRules.OF_CALLER));
        JsonNode index = opened(envelope);
        assertThat(outcome(index)).isEqualTo("lacking");
        assertThat(texts(index.get("reasons"))).containsExactly("keywords-of-caller");

        assertThat(tell("/callers", "{\"name\": \"own-words\", \"allowed\": true}"))
                .isEqualTo(204);
        byte[] next = sealed(newDevice("own-words"), draft(lines, own).indexedBy(IndexRules.OF_CALLER));
        assertThat(outcome(opened(next))).isEqualTo("excused");
        JsonNode counts = ofSender("own-words");
        assertThat(counts.get("caller").asBoolean()).isTrue();
        assertThat(counts.get("excused").asInt()).isEqualTo(1);
        assertThat(counts.get("lacking").asInt()).isEqualTo(1);
        assertThat(tell("/callers", "{\"name\": \"nobody-here\", \"allowed\": true}"))
                .isEqualTo(404);
    }

    @Test
    void aSenderWithManyFindingsIsStoppedUntilAKeeperSaysSo() throws Exception {
        SigningKey device = newDevice("hides-many");
        String line = "it overheated "
                + String.join(
                        " ", IntStream.range(0, 40).mapToObj(i -> "hidden" + i).toList());
        JsonNode index = opened(sealed(device, line, keyword -> !keyword.value().startsWith("hidden")));
        assertThat(outcome(index)).isEqualTo("lacking");
        assertThat(index.get("lacking").asInt()).isEqualTo(16);
        assertThat(texts(index.get("reasons"))).containsExactly("too-many-findings");
        assertThat(ofSender("hides-many").get("stopped").asBoolean()).isTrue();

        JsonNode next = opened(sealed(device, LINE, without("secretword")));
        assertThat(outcome(next)).isEqualTo("not-checked");
        assertThat(texts(next.get("reasons"))).containsExactly("too-many-findings");
        assertThat(next.get("keywords")).isEmpty();

        assertThat(tell("/allow", "{\"name\": \"hides-many\"}")).isEqualTo(204);
        assertThat(tell("/allow", "{\"name\": \"hides-many\"}")).isEqualTo(404);
        assertThat(tell("/allow-day", "")).as("it was no such day").isEqualTo(409);
        assertThat(ofSender("hides-many").get("stopped").asBoolean()).isFalse();
        assertThat(outcome(opened(sealed(device, LINE, without("secretword"))))).isEqualTo("lacking");
        String log = http.perform(get("/api/log?kind=sender-change&limit=50").with(login("scripted-keeper", "keeper")))
                .andReturn()
                .getResponse()
                .getContentAsString();
        assertThat(log).contains("index checked again", "hides-many");
    }

    @Test
    void whoOpenARecordAtTheSameTimeSeeOneFinding() throws Exception {
        Envelope envelope = Envelope.decode(sealed(newDevice("seen-by-many"), LINE, without("secretword")));
        byte[] record = LINE.getBytes(StandardCharsets.UTF_8);
        int readers = 8;
        CyclicBarrier together = new CyclicBarrier(readers);
        try (ExecutorService threads = Executors.newFixedThreadPool(readers)) {
            List<Future<IndexState>> all = threads.invokeAll(Collections.nCopies(readers, () -> {
                together.await();
                return findings.ofRecord(envelope, SCOPE, 0, record, DeviceSample.ORIGIN, "");
            }));
            for (Future<IndexState> each : all) {
                assertThat(each.get().outcome()).isEqualTo(Outcome.LACKING);
                assertThat(each.get().keywords()).containsExactly("word:secretword");
            }
        }
        assertThat(ofSender("seen-by-many").get("counted").asInt()).isEqualTo(1);
    }

    @Test
    void aFindingStaysOneWhenTheSenderIsStoppedAndTheConsoleStartsAnew() throws Exception {
        SigningKey device = newDevice("found-before");
        byte[] envelope = sealed(device, LINE, without("secretword"));
        assertThat(outcome(opened(envelope))).isEqualTo("lacking");
        String line = "it overheated "
                + String.join(
                        " ", IntStream.range(0, 40).mapToObj(i -> "hidden" + i).toList());
        opened(sealed(device, line, keyword -> !keyword.value().startsWith("hidden")));
        assertThat(ofSender("found-before").get("stopped").asBoolean()).isTrue();

        custody.lock(); // what was found is not remembered
        custody.unlock(TestConsole.PASSPHRASE.getBytes(StandardCharsets.UTF_8));
        JsonNode again = opened(envelope);
        assertThat(outcome(again)).as("%s", again).isEqualTo("lacking");
        assertThat(again.get("lacking").asInt()).isEqualTo(1);
        assertThat(texts(again.get("reasons"))).containsExactly("too-many-findings");
        assertThat(again.get("keywords")).as("they are kept nowhere").isEmpty();
    }

    /** A mail whose index is as an edge makes it, but for what it leaves out. */
    private byte[] mail(@Nullable MailSigner signer, Predicate<Keyword> taken) throws Exception {
        return mail(signer, null, taken);
    }

    /** The same of an edge that says whether it read the attachments. */
    private byte[] mail(@Nullable MailSigner signer, @Nullable AttachmentReading reading, Predicate<Keyword> taken)
            throws Exception {
        String message = AttachedPdf.mail(
                "From: eve@example.org\r\nDate: Sat, 21 Nov 2026 12:00:00 +0000\r\nSubject: press 4\r\n",
                "it overheated, says secretword",
                AttachedPdf.ofText("deeply attached"));
        IndexProfiles.Used used = used();
        PostingCollector collector = new PostingCollector();
        try (MailExtractor extractor = new MailExtractor(used.profile())) {
            List<Keyword> all =
                    extractor.extract(message.getBytes(StandardCharsets.UTF_8)).keywords();
            assertThat(all).contains(Keyword.text("word", "attached"));
            collector.add(0, all.stream().filter(taken).toList());
        }
        EnvelopeDraft draft = draft(List.of(), List.of()).indexedBy(used.rules());
        MailBinding binding = signer == null ? null : new MailBinding(List.of("Subject: sealed"), signer);
        return sealMail(
                message,
                (sealer, digest, key) -> sealer.sealDetached(
                        reading == null ? draft : draft.withAttachments(reading),
                        List.of(SCOPE),
                        collector.finish(),
                        digest,
                        key,
                        ChainPosition.first(),
                        binding));
    }

    private JsonNode openedMail(byte[] envelope) throws Exception {
        serve(envelope);
        String search = start(query("overheated", SCOPE).replace("\"mail\": false", "\"mail\": true"));
        awaitEnd(search);
        return read(search + "/rows/0").get("index");
    }

    @Test
    void mailIsOfTheKeyThatAnswersForItInWhateverNameItIsSigned() throws Exception {
        MailSigner signer = custody.change(keys -> {
            keys.rotateMailSigner(List.of("example.org"), RANDOM, now());
            return keys.mailSigner().orElseThrow();
        });
        JsonNode honest = openedMail(mail(signer.ofSender("eve@example.org"), ALL));
        assertThat(outcome(honest)).as("%s", honest).isEqualTo("complete");
        assertThat(texts(honest.get("reasons"))).containsExactly("attachments");
        assertThat(honest.get("unasked").asInt()).isPositive();

        JsonNode lacking = openedMail(mail(signer.ofTenant(), without("secretword")));
        assertThat(outcome(lacking)).isEqualTo("lacking");
        assertThat(texts(lacking.get("keywords"))).containsExactly("word:secretword");

        String name = "mail/" + signer.fingerprint();
        assertThat(ofSender(name).get("checked").asInt()).isEqualTo(2);
        assertThat(ofSender(name).get("lacking").asInt()).isEqualTo(1);

        JsonNode unsigned = openedMail(mail(null, without("secretword")));
        assertThat(texts(unsigned.get("reasons"))).containsExactly("not-signed");
    }

    @Test
    void wordsOfAttachmentsAreAskedForIfTheSenderSaysThatItReadThem() throws Exception {
        MailSigner signer = custody.change(keys -> {
            keys.rotateMailSigner(List.of("example.com"), RANDOM, now());
            return keys.mailSigner().orElseThrow();
        });
        JsonNode honest = openedMail(mail(signer.ofTenant(), AttachmentReading.WHOLE, ALL));
        assertThat(outcome(honest)).as("%s", honest).isEqualTo("complete");
        assertThat(honest.get("reasons")).isEmpty();
        assertThat(honest.get("unasked").asInt()).isZero();

        JsonNode lacking = openedMail(mail(signer.ofTenant(), AttachmentReading.WHOLE, without("attached")));
        assertThat(outcome(lacking)).isEqualTo("lacking");
        assertThat(texts(lacking.get("keywords"))).containsExactly("word:attached");

        JsonNode cut = openedMail(mail(signer.ofTenant(), AttachmentReading.CUT_SHORT, without("attached")));
        assertThat(outcome(cut)).isEqualTo("complete");
        assertThat(texts(cut.get("reasons"))).containsExactly("attachments-cut-short");
        JsonNode text = openedMail(mail(signer.ofTenant(), AttachmentReading.CUT_SHORT, without("secretword")));
        assertThat(outcome(text))
                .as("a deadline excuses words of attachments alone")
                .isEqualTo("lacking");

        JsonNode counts = ofSender("mail/" + signer.fingerprint());
        assertThat(counts.get("reasons").get(0).get("reason").asString()).isEqualTo("attachments-cut-short");
        assertThat(counts.get("reasons").get(0).get("count").asInt()).isEqualTo(2);
        assertThat(counts.get("lacking").asInt()).isEqualTo(2);
    }
}
