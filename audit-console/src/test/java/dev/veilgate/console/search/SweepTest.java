package dev.veilgate.console.search;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import com.sun.net.httpserver.HttpHandler;
import dev.veilgate.abe.Label;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.console.StubGateway;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.sweep.Sweep;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.MailBinding;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.extract.IndexProfiles;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.extract.template.TemplateCatalogue;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Records that no search finds are drawn and checked, and what was not is said of each sender. */
class SweepTest extends ScriptedGateway {
    /** The sender of whom {@link dev.veilgate.console.StubGateway} knows a chain, up to this number. */
    private static final String SENDER = "press-4";

    private static final int HIGHEST = 12;
    private static final int DRAWN = 250;
    private static final String SCOPE = "plant-swept";
    private static final Predicate<Keyword> ALL = _ -> true;

    @Autowired
    private MockMvc http;

    @Autowired
    private Custody custody;

    @Autowired
    private JsonMapper json;

    @Autowired
    private Sweep sweep;

    @Autowired
    private JdbcClient jdbc;

    private EnvelopeDraft draft(int number) throws Exception {
        IndexProfiles.Used used = DeviceSample.used(bundle(), now());
        List<String> lines = List.of("it overheated " + number + " times", "and says secretword");
        Predicate<Keyword> taken = number == 4 ? keyword -> !keyword.value().equals("secretword") : ALL;
        List<Posting> postings =
                number == 5 ? List.of() : DeviceSample.postings(used.profile(), lines, LogFormat.AUTO, taken);
        EnvelopeDraft draft = DeviceSample.draft(SCOPE, now(), lines, postings).indexedBy(used.rules());
        return switch (number) {
            case 6 -> draft.forReaders(List.of(Label.policy("role:somebody-else")));
            case 7 -> DeviceSample.draft(SCOPE, now(), lines, postings); // names no rules
            case 8 -> DeviceSample.draft(SCOPE, now(), List.of(), List.of()); // a sign of life
            default -> draft;
        };
    }

    /** Number 3 is not there, and 9 is signed by nobody who is registered. */
    private byte[][] chain(SigningKey device, SigningKey stranger) throws Exception {
        List<byte[]> chain = new ArrayList<>();
        ChainPosition position = ChainPosition.first();
        try (EnvelopeSealer sealer = new EnvelopeSealer(bundle(), device, clock(), new SecureRandom());
                EnvelopeSealer other = new EnvelopeSealer(bundle(), stranger, clock(), new SecureRandom())) {
            for (int number = 1; number <= HIGHEST; number++) {
                SealedEnvelope next = (number == 9 ? other : sealer).seal(draft(number), position);
                position = next.next();
                if (number != 3) {
                    chain.add(next.bytes());
                }
            }
        }
        return chain.toArray(byte[][]::new);
    }

    private byte[] mail(@Nullable MailSigner signer, String words, Predicate<Keyword> taken) throws Exception {
        String message = "From: eve@example.org\r\nSubject: press 4\r\n\r\n" + words + "\r\n";
        IndexProfiles.Used used = DeviceSample.used(bundle(), now());
        List<Posting> postings;
        try (MailExtractor extractor = new MailExtractor(used.profile())) {
            postings = extractor.extract(message.getBytes(StandardCharsets.UTF_8)).keywords().stream()
                    .filter(taken)
                    .map(keyword -> Posting.of(keyword, 0))
                    .toList();
        }
        MailBinding binding = signer == null ? null : new MailBinding(List.of("Subject: sealed"), signer);
        return sealMail(
                message,
                (sealer, digest, key) -> sealer.sealDetached(
                        DeviceSample.draft(SCOPE, now(), List.of(), List.of()).indexedBy(used.rules()),
                        List.of(SCOPE),
                        postings,
                        digest,
                        key,
                        ChainPosition.first(),
                        binding));
    }

    @Test
    void mailIsDrawnByTheGatewayAndThatIsSaid() throws Exception {
        MailSigner signer = custody.change(keys -> {
            keys.rotateMailSigner(List.of("example.net"), new SecureRandom(), now());
            return keys.mailSigner().orElseThrow();
        });
        serve(
                mail(signer.ofTenant(), "it overheated", ALL),
                mail(
                        signer.ofTenant(),
                        "it says secretword",
                        keyword -> !keyword.value().equals("secretword")),
                mail(null, "it says secretword", ALL),
                seal(SCOPE, "a line of nobody, which is no mail"));
        sweep.round(40);
        JsonNode senders = asKeeper("/api/senders/sweep").get("senders");
        JsonNode swept = named(senders, "mail/" + signer.fingerprint());
        assertThat(swept.get("listed").asBoolean()).isTrue();
        assertThat(swept.get("highest").asInt()).isZero();
        assertThat(swept.get("drawn").asInt()).isEqualTo(2);
        assertThat(swept.get("checked").asInt()).isEqualTo(2);
        assertThat(swept.get("notGivenNumbers")).isEmpty();
        JsonNode nobody = named(senders, "");
        assertThat(nobody.get("listed").asBoolean()).isTrue();
        assertThat(nobody.get("notChecked").asInt()).as("unsigned mail").isEqualTo(1);
        assertThat(nobody.get("notGiven").asInt()).as("no mail").isEqualTo(1);
        JsonNode indexes = named(asKeeper("/api/senders/indexes").get("senders"), "mail/" + signer.fingerprint());
        assertThat(indexes.get("lacking").asInt()).isEqualTo(1);
        JsonNode entry = asKeeper("/api/log?kind=decryption&actor=sweep&limit=1")
                .get("entries")
                .get(0);
        assertThat(detail(entry, "action")).contains("mails that the gateway drew");
        assertThat(entry.toString()).doesNotContain("secretword");
    }

    private JsonNode asKeeper(String path) throws Exception {
        return json.readTree(http.perform(get(path).with(login("scripted-keeper", "keeper")))
                .andReturn()
                .getResponse()
                .getContentAsString());
    }

    private static JsonNode named(JsonNode senders, String name) {
        return senders.valueStream()
                .filter(one -> one.get("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private JsonNode swept() throws Exception {
        return named(asKeeper("/api/senders/sweep").get("senders"), SENDER);
    }

    @Test
    void believesNoGatewayThatClaimsMoreThanItShows() throws Exception {
        SigningKey device = newSender(SENDER);
        register(device);
        try {
            byte[][] chain = chain(device, newSender(SENDER));
            serve(Arrays.copyOf(chain, 2)); // the gateway claims 12
            jdbc.sql("DELETE FROM index_sweep").update();
            sweep.round(60);
        } finally {
            custody.change(keys -> keys.removeSender(SENDER));
        }
        assertThat(swept().get("drawn").asInt()).isEqualTo(60);
        assertThat(swept().get("highest").asInt())
                .as("the highest that the sender signed")
                .isBetween(1, 2);
    }

    @Test
    void aGatewayThatFailsWhereThereIsSomethingToFindHasNotGivenIt() throws Exception {
        SigningKey device = newSender(SENDER);
        register(device);
        HttpHandler whole = StubGateway.SEARCHING.get();
        try {
            byte[][] chain = chain(device, newSender(SENDER));
            serve(Arrays.copyOf(chain, 2));
            UUID hidden = id(chain[1]);
            StubGateway.SEARCHING.set(exchange -> {
                if (exchange.getRequestURI().getPath().contains(hidden.toString())) {
                    exchange.sendResponseHeaders(500, -1);
                    exchange.close();
                } else {
                    whole.handle(exchange);
                }
            });
            jdbc.sql("DELETE FROM index_sweep").update();
            jdbc.sql("DELETE FROM index_sweep_missing").update();
            assertThatThrownBy(() -> sweep.round(300)).isInstanceOf(ProblemException.class);
        } finally {
            custody.change(keys -> keys.removeSender(SENDER));
        }
        assertThat(swept().get("notGivenNumbers").valueStream().map(JsonNode::asInt))
                .contains(2);
    }

    @Test
    void aSenderOfWhomAGatewayIsSilentIsSweptAllTheSame() throws Exception {
        String other = "press-of-before"; // StubGateway lists one alone
        register(newSender(other));
        try {
            jdbc.sql("DELETE FROM index_sweep").update();
            jdbc.sql("INSERT INTO index_sweep (sender, highest, last_round) VALUES (?, 7, CURRENT_TIMESTAMP)")
                    .param(other)
                    .update();
            sweep.round(3);
        } finally {
            custody.change(keys -> keys.removeSender(other));
        }
        JsonNode counts = named(asKeeper("/api/senders/sweep").get("senders"), other);
        assertThat(counts.get("notGiven").asInt()).isEqualTo(3);
    }

    @Test
    void whatOnlySaysThatItIsACatalogueIsNotChecked() throws Exception {
        SigningKey device = newSender(SENDER);
        register(device);
        try (EnvelopeSealer sealer = new EnvelopeSealer(bundle(), device, clock(), new SecureRandom())) {
            EnvelopeDraft line = new EnvelopeDraft(
                    SCOPE,
                    EpochPolicy.MONTHLY.at(now()).name(),
                    now(),
                    now(),
                    TemplateCatalogue.MEDIA_TYPE,
                    List.of("a line that nobody is to find".getBytes(StandardCharsets.UTF_8)),
                    List.of(),
                    List.of(),
                    0);
            byte[][] chain = new byte[HIGHEST][];
            ChainPosition position = ChainPosition.first();
            for (int i = 0; i < HIGHEST; i++) {
                SealedEnvelope next = sealer.seal(line, position);
                position = next.next();
                chain[i] = next.bytes();
            }
            serve(chain);
            jdbc.sql("DELETE FROM index_sweep").update();
            sweep.round(5);
        } finally {
            custody.change(keys -> keys.removeSender(SENDER));
        }
        assertThat(swept().get("empty").asInt()).isZero();
        assertThat(swept().get("notChecked").asInt()).isEqualTo(5);
    }

    @Test
    void drawsOfWholeChainsAndSaysOfEachSenderWhatWasNotChecked() throws Exception {
        SigningKey device = newSender(SENDER);
        register(device);
        try {
            serve(chain(device, newSender(SENDER)));
            jdbc.sql("DELETE FROM index_sweep").update(); // of the other tests
            jdbc.sql("DELETE FROM index_sweep_missing").update();
            sweep.round(DRAWN);
        } finally {
            custody.change(keys -> keys.removeSender(SENDER));
        }
        JsonNode swept = named(asKeeper("/api/senders/sweep").get("senders"), SENDER);
        assertThat(swept.get("highest").asInt()).isEqualTo(HIGHEST);
        assertThat(swept.get("listed").asBoolean()).isFalse();
        assertThat(swept.get("drawn").asInt()).isEqualTo(DRAWN);
        long checked = swept.get("checked").asLong();
        long rest = 0;
        for (String not : List.of("empty", "notChecked", "notOpenable", "notGiven")) {
            assertThat(swept.get(not).asLong()).as(not).isPositive();
            rest += swept.get(not).asLong();
        }
        assertThat(checked + rest).isEqualTo(DRAWN);
        assertThat(checked).as("7 of 12").isBetween(DRAWN * 7 / 12 - 60L, DRAWN * 7 / 12 + 60L);
        assertThat(swept.get("notGivenNumbers").valueStream().map(JsonNode::asInt))
                .containsExactly(3, 9);
        assertThat(swept.get("seenOneInTen").asDouble()).isCloseTo(1 - Math.pow(0.9, checked), within(1e-9));
        assertThat(swept.get("seenOneInHundred").asDouble()).isCloseTo(1 - Math.pow(0.99, checked), within(1e-9));

        JsonNode indexes = named(asKeeper("/api/senders/indexes").get("senders"), SENDER);
        assertThat(indexes.get("lacking").asInt())
                .as("one record without a word and two without an index")
                .isEqualTo(3);
        assertThat(indexes.get("reasons").get(0).get("reason").asString()).isEqualTo("no-rules");
        assertThat(indexes.get("counted").asInt())
                .as("what has no index gives nothing away")
                .isEqualTo(1);

        JsonNode entry = asKeeper("/api/log?kind=decryption&actor=sweep&limit=1")
                .get("entries")
                .get(0);
        assertThat(detail(entry, "count")).isEqualTo(Integer.toString(DRAWN));
        assertThat(detail(entry, "name")).isEqualTo(SENDER);
        assertThat(entry.toString()).doesNotContain("secretword");
    }
}
