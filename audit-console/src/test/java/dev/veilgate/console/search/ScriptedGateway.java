package dev.veilgate.console.search;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import com.sun.net.httpserver.HttpExchange;
import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.application.TestClock;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.StubGateway;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
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
import dev.veilgate.envelope.smime.CmsSealer;
import dev.veilgate.envelope.smime.Encryption;
import dev.veilgate.envelope.smime.MailKey;
import dev.veilgate.envelope.smime.RecipientCertificate;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import dev.veilgate.query.SearchRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.OidcLoginRequestPostProcessor;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A console in front of a gateway whose every search finds what a test serves first. */
@ConsoleTest
abstract class ScriptedGateway {
    private static final SecureRandom RANDOM = new SecureRandom();
    /** For {@code ada@acme.example}, until 2126; nobody has its key. */
    private static final String CERTIFICATE =
            "MIIBkDCCATagAwIBAgIUVZLcdr39Vu8bI1+/vJRXfgYkTUAwCgYIKoZIzj0EAwIwDjEMMAoGA1UEAwwDYWRhMCAXDTI2MTEyMjE3"
                    + "MTE1NVoYDzIxMjYxMDI5MTcxMTU1WjAOMQwwCgYDVQQDDANhZGEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQYr0MibBkgTG8k"
                    + "TWvLiL5VRwz3D8VNqhe+7ADjVm0zNiyFFCmlzCAUOCgFpH5+JMtmViFugr0lNyTMAF/p43cNo3AwbjAdBgNVHQ4EFgQU0+5+D4Bt"
                    + "y2O/sN/msZKi633qU90wHwYDVR0jBBgwFoAU0+5+D4Bty2O/sN/msZKi633qU90wDwYDVR0TAQH/BAUwAwEB/zAbBgNVHREEFDAS"
                    + "gRBhZGFAYWNtZS5leGFtcGxlMAoGCCqGSM49BAMCA0gAMEUCIELDhBm5OgGw4QAi/ag7RDp/8DZUMxD9T6dOuTmqkTcoAiEAipS6"
                    + "a0jpG8d10FltqowrAzj6W9Bs1GOZbKs9Y9w8Cls=";

    /** For what takes a moment. */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    @Autowired
    private MockMvc http;

    @Autowired
    private Custody custody;

    @Autowired
    private JsonMapper json;

    /** Of the console, which other tests may have moved by days: what is sealed here is of its present. */
    @Autowired
    private TestClock clock;

    /** Nobody else's: what the issuing log says of it is of this test. */
    User user = auditor(Optional.empty());

    private final List<SearchRequest> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private List<Envelope> served = List.of();

    /** How often the gateway was asked what stands beside an envelope. */
    volatile int chainsAsked;

    private volatile @Nullable List<Envelope> next;
    /** Sealed mails that this gateway stores, by the ids of their envelopes. */
    private final Map<UUID, byte[]> contents = new ConcurrentHashMap<>();

    private int hits = 1;
    private boolean isWaiting;
    private boolean isFiltering;
    private Runnable beforeHits = () -> {};
    private String told = "";

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
        over.countDown();
        StubGateway.SEARCHING.set(StubGateway::nothing);
    }

    private static User auditor(Optional<AttributeSet> attributes) {
        return new User("scripted-" + UUID.randomUUID(), "Sue", Set.of(Role.AUDITOR), attributes);
    }

    /** From now on the user has these. */
    final void haveAttributes(String attributes) throws PolicySyntaxException {
        user = auditor(Optional.of(AttributeSet.parse(attributes)));
    }

    final PublicBundle bundle() throws Exception {
        byte[] signed = http.perform(get("/bundle")).andReturn().getResponse().getContentAsByteArray();
        String fingerprint = custody.use(keys -> keys.authority().fingerprint());
        return PublicBundle.verify(signed, fingerprint, clock.instant());
    }

    /** By nobody in particular, always with the same id. */
    final byte[] seal(String scope, String line, Label... readers) throws Exception {
        try (EnvelopeSealer sealer = new EnvelopeSealer(bundle(), null, clock, new SameBytes())) {
            return sealer.seal(draft(scope, line).forReaders(List.of(readers)), ChainPosition.first())
                    .bytes();
        }
    }

    final SigningKey newSender(String name) {
        return SigningKey.generate(name, RANDOM);
    }

    final void register(SigningKey sender) throws Exception {
        String key = json.writeValueAsString(SenderKeyText.write(sender.publicKey()));
        MockHttpServletResponse response = http.perform(post("/api/senders")
                        .with(login("scripted-keeper", "keeper"))
                        .with(csrf())
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{\"publicKey\": " + key + ", \"replace\": true}"))
                .andReturn()
                .getResponse();
        assertThat(response.getStatus()).as(response.getContentAsString()).isEqualTo(201);
    }

    /**
     * Envelopes of a text each, a record to a line, in the order of the sender's chain; an empty one is a sign of
     * life.
     */
    final List<byte[]> chain(SigningKey sender, List<String> scopes, List<String> lines) throws Exception {
        List<byte[]> sealed = new ArrayList<>();
        ChainPosition position = ChainPosition.first();
        try (EnvelopeSealer sealer = new EnvelopeSealer(bundle(), sender, clock, RANDOM)) {
            for (int i = 0; i < lines.size(); i++) {
                SealedEnvelope next = sealer.seal(draft(scopes.get(i), lines.get(i)), position);
                position = next.next();
                sealed.add(next.bytes());
            }
        }
        return sealed;
    }

    /** By nobody in particular, in the present epoch. */
    final byte[] sealRead(String scope, Instant first, Instant last, List<String> lines) throws Exception {
        try (EnvelopeSealer sealer = new EnvelopeSealer(bundle(), null, clock, RANDOM)) {
            return sealer.seal(draft(scope, String.join("\n", lines), first, last), ChainPosition.first())
                    .bytes();
        }
    }

    /** By which what is sealed here is of the console's present. */
    final TestClock clock() {
        return clock;
    }

    /** The console's present. */
    final Instant now() {
        return clock.instant();
    }

    private EnvelopeDraft draft(String scope, String line) {
        return draft(scope, line, clock.instant(), clock.instant());
    }

    private EnvelopeDraft draft(String scope, String line, Instant first, Instant last) {
        boolean isSignOfLife = line.isEmpty();
        return new EnvelopeDraft(
                scope,
                EpochPolicy.MONTHLY.at(clock.instant()).name(),
                first,
                last,
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

    /** A mail to a mailbox; what the gateway has beside its envelope from now on, which has the same id always. */
    final byte[] sealMail(String scope, String message) throws Exception {
        return sealMail(scope, message, "");
    }

    /** @param outside fields of the header outside, each with CR LF */
    final byte[] sealMail(String scope, String message, String outside) throws Exception {
        return sealMail(scope, message, outside, Encryption.AUTHENTICATED);
    }

    final byte[] sealMail(String scope, String message, String outside, Encryption encryption) throws Exception {
        return sealMail(scope, message, outside, encryption, new SameBytes());
    }

    /** A mail to a mailbox with an id of its own. */
    final byte[] sealAnotherMail(String scope, String message) throws Exception {
        return sealMail(scope, message, "", Encryption.AUTHENTICATED, RANDOM);
    }

    private byte[] sealMail(String scope, String message, String outside, Encryption encryption, SecureRandom random)
            throws Exception {
        List<Posting> words = List.of(Posting.of(Keyword.text("word", "overheated"), 0));
        return sealMail(
                message,
                outside,
                encryption,
                random,
                (sealer, digest, key) ->
                        sealer.sealDetached(draft(scope, ""), words, digest, key, ChainPosition.first()));
    }

    /** Makes the envelope of a mail. */
    interface MailIndexer {
        SealedEnvelope seal(EnvelopeSealer sealer, byte[] digest, byte[] key) throws Exception;
    }

    /** A mail to a mailbox with an id and an index of its own. */
    final byte[] sealMail(String message, MailIndexer indexer) throws Exception {
        return sealMail(message, "", Encryption.AUTHENTICATED, RANDOM, indexer);
    }

    private byte[] sealMail(
            String message, String outside, Encryption encryption, SecureRandom random, MailIndexer indexer)
            throws Exception {
        ByteArrayOutputStream cms = new ByteArrayOutputStream();
        RecipientCertificate recipient =
                RecipientCertificate.check(Base64.getDecoder().decode(CERTIFICATE), "ada@acme.example", Instant.now());
        CmsSealer.Sealed sealed = new CmsSealer(RANDOM)
                .seal(
                        target -> target.write(message.getBytes(StandardCharsets.UTF_8)),
                        cms,
                        List.of(recipient),
                        encryption);
        byte[] content = (outside + "Content-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                        + Base64.getMimeEncoder().encodeToString(cms.toByteArray()))
                .getBytes(StandardCharsets.US_ASCII);
        try (MailKey key = sealed.key();
                EnvelopeSealer sealer = new EnvelopeSealer(bundle(), null, clock, random)) {
            byte[] envelope =
                    indexer.seal(sealer, sealed.digest(), key.toBytes()).bytes();
            contents.put(id(envelope), content);
            return envelope;
        }
    }

    /** What the gateway has; the first is found by every search, with all of its records. */
    final void serve(byte[]... envelopes) throws MalformedEncodingException {
        List<Envelope> decoded = new ArrayList<>();
        for (byte[] envelope : envelopes) {
            decoded.add(Envelope.decode(envelope));
        }
        served = List.copyOf(decoded);
    }

    /** What it has once it has given an envelope. */
    final void serveNext(byte[] envelope) throws MalformedEncodingException {
        next = List.of(Envelope.decode(envelope));
    }

    /** How many of what it has are found, and whether the search then goes on until the test ends. */
    final void find(int found, boolean waits) {
        hits = found;
        isWaiting = waits;
    }

    /** All of what it has and was asked for is found: by scope, epoch, time and senders, as the real one does it. */
    final void findAsAsked() {
        isFiltering = true;
    }

    /** What the end of its searches has beside the rest from now on; nothing before, as older gateways. */
    final void tell(String fields) {
        told = ", " + fields;
    }

    /** What happens when a search has begun and nothing was found yet. */
    final void beforeHits(Runnable happens) {
        beforeHits = happens;
    }

    /** What it was asked. */
    final List<SearchRequest> asked() {
        return List.copyOf(asked);
    }

    static UUID id(byte[] envelope) throws MalformedEncodingException {
        return Envelope.decode(envelope).id();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String last = path.substring(path.lastIndexOf('/') + 1);
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (last.equals("content")) {
            String[] parts = path.split("/");
            send(exchange, 200, "message/rfc822", contents.get(UUID.fromString(parts[parts.length - 2])));
            return;
        }
        if (path.contains("/envelopes/")) {
            Envelope envelope = served.stream()
                    .filter(each -> each.id().toString().equals(last))
                    .findFirst()
                    .orElseThrow();
            send(exchange, 200, "application/vnd.veilgate.envelope+cbor", envelope.bytes());
            served = next == null ? served : next;
            return;
        }
        switch (last) {
            case "searches" -> {
                asked.add(decoded(body));
                text(exchange, 201, "application/json", "{\"id\": \"1\"}");
            }
            case "events" -> events(exchange);
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
                .map(part -> part.split("=", 2))
                .collect(Collectors.toMap(part -> part[0], part -> part[1]));
        if (asked.containsKey("draw")) {
            return named(served.stream()
                    .filter(each -> each.sender().equals(asked.get("sender")))
                    .limit(Long.parseLong(asked.get("draw"))));
        }
        boolean later = asked.containsKey("after");
        chainsAsked++;
        long place = Long.parseLong(String.valueOf(asked.get(later ? "after" : "before")));
        return named(served.stream()
                .filter(each -> each.sender().equals(asked.get("sender")))
                .filter(each -> later ? each.sequence() > place : each.sequence() < place)
                .sorted(Comparator.comparingLong(each -> Math.abs(each.sequence() - place)))
                .limit(Long.parseLong(asked.getOrDefault("limit", "1"))));
    }

    private static String named(Stream<Envelope> envelopes) {
        return envelopes
                .map(each -> "{\"id\": \"" + each.id() + "\", \"sequence\": " + each.sequence() + "}")
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static SearchRequest decoded(byte[] body) throws IOException {
        try {
            return SearchRequest.decode(body);
        } catch (MalformedEncodingException e) {
            throw new IOException(e);
        }
    }

    private void events(HttpExchange exchange) throws IOException {
        beforeHits.run();
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            List<Envelope> all = isFiltering
                    ? served.stream().filter(asked.getLast()::admits).toList()
                    : served.subList(0, hits);
            for (int number = 1; number <= all.size(); number++) {
                Envelope found = all.get(number - 1);
                out.write("""
                        id: %d
                        event: hit
                        data: {"envelope": "%s", "sender": "%s", "sequence": %d, "first": "%s", "last": "%s", "detached": %s, "records": [%s]}

                        """.formatted(
                                number,
                                found.id(),
                                found.sender(),
                                found.sequence(),
                                found.first(),
                                found.last(),
                                found.detachedDigest().isPresent(),
                                IntStream.range(0, found.recordCount())
                                        .mapToObj(Integer::toString)
                                        .collect(Collectors.joining(", ")))
                        .getBytes(StandardCharsets.UTF_8));
            }
            out.flush();
            if (isWaiting) {
                over.await();
            }
            out.write("""
                    event: end
                    data: {"envelopes": 1, "envelopesDone": 1, "blocksTested": 1, "blocksRemembered": 0, "hits": 1, "records": 1, "outcome": "complete", "millis": 1%s}

                    """.formatted(told).getBytes(StandardCharsets.UTF_8));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Path of a search that has ended. */
    final String search(String scope) throws Exception {
        String search = start(query("overheated", scope));
        awaitEnd(search);
        return search;
    }

    /** A search for logs as it is asked of the console, with more members if need be. */
    static String query(String query, String scope, String... more) {
        return "{\"query\": \"" + query + "\", \"scope\": \"" + scope + "\", \"mail\": false"
                + Arrays.stream(more).map(member -> ", " + member).collect(Collectors.joining()) + "}";
    }

    /** Path of a search that has been accepted. */
    final String start(String body) throws Exception {
        MockHttpServletResponse started = send("/api/searches", body);
        assertThat(started.getStatus()).as(started.getContentAsString()).isEqualTo(201);
        return "/api/searches/"
                + json.readTree(started.getContentAsString()).get("id").asString();
    }

    /** Its last state. */
    final JsonNode awaitEnd(String search) throws Exception {
        return await(
                search,
                state -> !List.of(SearchJob.ISSUING, SearchJob.RUNNING)
                        .contains(state.get("state").asString()));
    }

    /** The first state that is so. */
    final JsonNode await(String search, Predicate<JsonNode> wanted) throws Exception {
        return await(search, "auditor", wanted);
    }

    /** The first answer that is so. */
    final JsonNode await(String path, String role, Predicate<JsonNode> wanted) throws Exception {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            JsonNode state = json.readTree(http.perform(get(path).with(login(user.id(), role)))
                    .andReturn()
                    .getResponse()
                    .getContentAsString());
            if (wanted.test(state)) {
                return state;
            }
            assertThat(System.nanoTime()).as("it stays " + state).isLessThan(until);
            Thread.sleep(10);
        }
    }

    /** Entries of the issuing log of a kind, of this test's user, oldest first. */
    final List<JsonNode> logged(String kind) throws Exception {
        List<JsonNode> entries = new ArrayList<>();
        for (long before = Long.MAX_VALUE; before > 0; ) {
            JsonNode page = json.readTree(
                    http.perform(get("/api/log?limit=200&kind=" + kind + "&actor=" + user.id() + "&before=" + before)
                                    .with(login("scripted-keeper", "keeper")))
                            .andReturn()
                            .getResponse()
                            .getContentAsString());
            page.get("entries").forEach(entry -> entries.addFirst(entry));
            before = page.has("next") ? page.get("next").asLong() : 0;
        }
        return entries;
    }

    /** A detail of an entry. */
    static String detail(JsonNode entry, String name) {
        for (JsonNode each : entry.get("details")) {
            if (each.get("name").asString().equals(name)) {
                return each.get("value").asString();
            }
        }
        throw new AssertionError(entry + " has no " + name);
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

    /** The answer to an order without a body. */
    final JsonNode order(String path) throws Exception {
        return json.readTree(send(path, "").getContentAsString());
    }

    final JsonNode read(String path) throws Exception {
        return json.readTree(send(path).getContentAsString());
    }

    final MockHttpServletResponse send(String path) throws Exception {
        return http.perform(get(path).with(auditor())).andReturn().getResponse();
    }

    final MockHttpServletResponse send(String path, String body) throws Exception {
        return http.perform(post(path)
                        .with(auditor())
                        .with(csrf())
                        .contentType(MediaType.APPLICATION_JSON)
                        .content(body))
                .andReturn()
                .getResponse();
    }

    private OidcLoginRequestPostProcessor auditor() {
        return login(user.id(), List.of("auditor"), user.attributeTexts());
    }
}
