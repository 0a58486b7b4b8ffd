package dev.veilgate.console.search;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import com.sun.net.httpserver.HttpExchange;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.StubGateway;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.envelope.SenderKeyText;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A console in front of a gateway whose every search finds what a test serves first. */
@ConsoleTest
abstract class ScriptedGateway {
    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String USER = "scripted-auditor";

    @Autowired
    private MockMvc http;

    @Autowired
    private Custody custody;

    @Autowired
    private JsonMapper json;

    private List<Envelope> served = List.of();

    /** What is made with it has the same id. */
    private static final class SameBytes extends SecureRandom {
        private static final long serialVersionUID = 1L;

        @Override
        public void nextBytes(byte[] bytes) {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    @BeforeEach
    void begin() {
        StubGateway.SEARCHING.set(this::answer);
    }

    @AfterEach
    void end() {
        StubGateway.SEARCHING.set(StubGateway::nothing);
    }

    private PublicBundle bundle() throws Exception {
        byte[] signed = http.perform(get("/bundle")).andReturn().getResponse().getContentAsByteArray();
        String fingerprint = custody.use(keys -> keys.authority().fingerprint());
        return PublicBundle.verify(signed, fingerprint, NOW);
    }

    /** By nobody in particular, always with the same id. */
    final byte[] seal(String scope, String line) throws Exception {
        try (EnvelopeSealer sealer = new EnvelopeSealer(bundle(), null, CLOCK, new SameBytes())) {
            return sealer.seal(draft(scope, line), ChainPosition.first()).bytes();
        }
    }

    final SigningKey newSender(String name) {
        return SigningKey.generate(name, RANDOM);
    }

    final void register(SigningKey sender) throws Exception {
        String key = json.writeValueAsString(SenderKeyText.write(sender.publicKey()));
        MockHttpServletResponse response = http.perform(post("/api/senders")
                        .with(login(USER, "keeper"))
                        .with(csrf())
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{\"publicKey\": " + key + ", \"replace\": true}"))
                .andReturn()
                .getResponse();
        assertThat(response.getStatus()).as(response.getContentAsString()).isEqualTo(201);
    }

    /** Envelopes of a text each, a record to a line, in the order of the sender's chain; an empty one is a sign of life. */
    final List<byte[]> chain(SigningKey sender, List<String> scopes, List<String> lines) throws Exception {
        List<byte[]> sealed = new ArrayList<>();
        ChainPosition position = ChainPosition.first();
        try (EnvelopeSealer sealer = new EnvelopeSealer(bundle(), sender, CLOCK, RANDOM)) {
            for (int i = 0; i < lines.size(); i++) {
                SealedEnvelope next = sealer.seal(draft(scopes.get(i), lines.get(i)), position);
                position = next.next();
                sealed.add(next.bytes());
            }
        }
        return sealed;
    }

    private static EnvelopeDraft draft(String scope, String line) {
        boolean isSignOfLife = line.isEmpty();
        return new EnvelopeDraft(
                scope,
                EpochPolicy.MONTHLY.at(NOW).name(),
                NOW,
                NOW,
                "text/plain",
                isSignOfLife
                        ? List.of()
                        : line.lines()
                                .map(each -> each.getBytes(StandardCharsets.UTF_8))
                                .toList(),
                isSignOfLife ? List.of() : List.of(Posting.of(Keyword.text("word", "overheated"), 0)),
                List.of(),
                0);
    }

    /** An envelope whose first record can be opened and whose second, the last, cannot. */
    final byte[] withoutSecond(byte[] sealed) throws Exception {
        byte[] altered = sealed.clone();
        for (int i = altered.length - 1; i > 0; i -= 8) { // its tag alone has 16
            altered[i] ^= 1;
            if (opens(altered, 0) && !opens(altered, 1)) {
                return altered;
            }
            altered[i] ^= 1;
        }
        throw new AssertionError("no byte of the second record");
    }

    private boolean opens(byte[] sealed, int record) throws Exception {
        return custody.use(keys -> {
            try {
                keys.opener().openRecord(Envelope.decode(sealed), record);
                return true;
            } catch (MalformedEncodingException | UnopenableEnvelopeException e) {
                return false;
            }
        });
    }

    /** What the gateway has; the first is found by every search, with all of its records. */
    final void serve(byte[]... envelopes) throws MalformedEncodingException {
        List<Envelope> decoded = new ArrayList<>();
        for (byte[] envelope : envelopes) {
            decoded.add(Envelope.decode(envelope));
        }
        served = List.copyOf(decoded);
    }

    static UUID id(byte[] envelope) throws MalformedEncodingException {
        return Envelope.decode(envelope).id();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String last = path.substring(path.lastIndexOf('/') + 1);
        exchange.getRequestBody().readAllBytes();
        if (path.contains("/envelopes/")) {
            Envelope envelope = served.stream()
                    .filter(each -> each.id().toString().equals(last))
                    .findFirst()
                    .orElseThrow();
            send(exchange, 200, "application/vnd.veilgate.envelope+cbor", envelope.bytes());
            return;
        }
        switch (last) {
            case "searches" -> text(exchange, 201, "application/json", "{\"id\": \"1\"}");
            case "events" -> text(exchange, 200, "text/event-stream", events());
            case "envelopes" ->
                text(
                        exchange,
                        200,
                        "application/json",
                        beside(exchange.getRequestURI().getQuery()));
            default -> StubGateway.nothing(exchange);
        }
    }

    private static void text(HttpExchange exchange, int status, String type, String text) throws IOException {
        send(exchange, status, type, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** As the real one, of all scopes. */
    private String beside(String query) {
        Map<String, String> asked = Arrays.stream(query.split("&"))
                .map(part -> part.split("="))
                .collect(Collectors.toMap(part -> part[0], part -> part[1]));
        boolean later = asked.containsKey("after");
        long place = Long.parseLong(String.valueOf(asked.get(later ? "after" : "before")));
        return served.stream()
                .filter(each -> each.sender().equals(asked.get("sender")))
                .filter(each -> later ? each.sequence() > place : each.sequence() < place)
                .min(Comparator.comparingLong(each -> Math.abs(each.sequence() - place)))
                .map(each -> "[{\"id\": \"" + each.id() + "\", \"sequence\": " + each.sequence() + "}]")
                .orElse("[]");
    }

    private String events() {
        Envelope found = served.getFirst();
        return """
                id: 1
                event: hit
                data: {"envelope": "%s", "sender": "%s", "sequence": %d, "first": "%s", "last": "%s", "detached": false, "records": [%s]}

                event: end
                data: {"envelopes": 1, "envelopesDone": 1, "blocksTested": 1, "blocksRemembered": 0, "hits": 1, "records": 1, "outcome": "complete", "millis": 1}

                """.formatted(
                        found.id(),
                        found.sender(),
                        found.sequence(),
                        NOW,
                        NOW,
                        IntStream.range(0, found.recordCount())
                                .mapToObj(Integer::toString)
                                .collect(Collectors.joining(", ")));
    }

    /** Path of a search that has ended. */
    final String search(String scope) throws Exception {
        String started = http.perform(post("/api/searches")
                        .with(login(USER, "auditor"))
                        .with(csrf())
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{\"query\": \"overheated\", \"scope\": \"" + scope + "\", \"mail\": false}"))
                .andReturn()
                .getResponse()
                .getContentAsString();
        String search = "/api/searches/" + json.readTree(started).get("id").asString();
        long until = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (read(search).get("state").asString().equals(SearchJob.RUNNING)) {
            assertThat(System.nanoTime()).as("the search ends").isLessThan(until);
            Thread.onSpinWait();
        }
        return search;
    }

    final JsonNode rows(String search) throws Exception {
        return read(search + "/rows?from=0&count=10");
    }

    /** Entries of what was opened, newest first. */
    final List<String> decryptions() throws Exception {
        List<String> entries = new ArrayList<>();
        read("/api/log?kind=decryption&limit=200").get("entries").forEach(entry -> entries.add(entry.toString()));
        return entries;
    }

    final JsonNode read(String path) throws Exception {
        return json.readTree(send(path).getContentAsString());
    }

    final MockHttpServletResponse send(String path) throws Exception {
        return http.perform(get(path).with(login(USER, "auditor"))).andReturn().getResponse();
    }
}
