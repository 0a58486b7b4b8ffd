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
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.PublicBundle;
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
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What it needs: envelopes of one id. */
@ConsoleTest
abstract class LyingGateway {
    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    private static final String USER = "lied-to";

    @Autowired
    private MockMvc http;

    @Autowired
    private Custody custody;

    @Autowired
    private JsonMapper json;

    private PublicBundle bundle;
    private byte[] served = new byte[0];

    /** Its ids are all the same. */
    private static final class SameBytes extends SecureRandom {
        private static final long serialVersionUID = 1L;

        @Override
        public void nextBytes(byte[] bytes) {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    @BeforeEach
    void begin() throws Exception {
        byte[] signed = http.perform(get("/bundle")).andReturn().getResponse().getContentAsByteArray();
        String fingerprint = custody.use(keys -> keys.authority().fingerprint());
        bundle = PublicBundle.verify(signed, fingerprint, NOW);
        StubGateway.SEARCHING.set(this::answer);
    }

    @AfterEach
    void end() {
        StubGateway.SEARCHING.set(StubGateway::nothing);
    }

    final byte[] seal(String scope, String line) {
        Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
        try (EnvelopeSealer sealer = new EnvelopeSealer(bundle, null, clock, new SameBytes())) {
            EnvelopeDraft draft = new EnvelopeDraft(
                    scope,
                    EpochPolicy.MONTHLY.at(NOW).name(),
                    NOW,
                    NOW,
                    "text/plain",
                    List.of(line.getBytes(StandardCharsets.UTF_8)),
                    List.of(Posting.of(Keyword.text("word", "overheated"), 0)),
                    List.of(),
                    0);
            return sealer.seal(draft, ChainPosition.first()).bytes();
        }
    }

    final void serve(byte[] envelope) {
        served = envelope;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        exchange.getRequestBody().readAllBytes();
        if (path.endsWith("/searches")) {
            send(exchange, 201, "application/json", "{\"id\": \"1\"}".getBytes(StandardCharsets.UTF_8));
        } else if (path.endsWith("/events")) {
            send(exchange, 200, "text/event-stream", events().getBytes(StandardCharsets.UTF_8));
        } else if (path.contains("/envelopes/")) {
            send(exchange, 200, "application/vnd.veilgate.envelope+cbor", served);
        } else {
            StubGateway.nothing(exchange);
        }
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String events() throws IOException {
        try {
            String progress =
                    "\"envelopes\": 1, \"envelopesDone\": 1, \"blocksTested\": 1, \"blocksRemembered\": 0, \"hits\": 1, \"records\": 1";
            return "id: 1\nevent: hit\ndata: {\"envelope\": \""
                    + Envelope.decode(served).id()
                    + "\", \"sender\": \"\", \"sequence\": 0, \"first\": \"" + NOW + "\", \"last\": \"" + NOW
                    + "\", \"detached\": false, \"records\": [0]}\n\nevent: end\ndata: {" + progress
                    + ", \"outcome\": \"complete\", \"millis\": 1}\n\n";
        } catch (dev.veilgate.encoding.MalformedEncodingException e) {
            throw new IOException(e);
        }
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
        long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (json.readTree(send(search).getContentAsString())
                .get("state")
                .asString()
                .equals(SearchJob.RUNNING)) {
            assertThat(System.nanoTime()).as("the search ends").isLessThan(until);
            Thread.onSpinWait();
        }
        return search;
    }

    final JsonNode rows(String search) throws Exception {
        return json.readTree(send(search + "/rows?from=0&count=10").getContentAsString());
    }

    final MockHttpServletResponse send(String path) throws Exception {
        return http.perform(get(path).with(login(USER, "auditor"))).andReturn().getResponse();
    }
}
