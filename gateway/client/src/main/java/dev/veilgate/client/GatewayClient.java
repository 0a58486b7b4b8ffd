package dev.veilgate.client;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.TransformAnswer;
import dev.veilgate.envelope.TransformRequest;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.transport.Backoff;
import dev.veilgate.transport.TlsContext;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** One tenant's part of a gateway's HTTP interface. Safe for use by several threads. */
public final class GatewayClient implements AutoCloseable {
    /** Largest sealed mail that is fetched. */
    static final int MAX_CONTENT_BYTES = 256 << 20;

    private static final int MAX_ANSWER_BYTES = 64 << 20;
    private static final Duration TO_CONNECT = Duration.ofSeconds(10);
    private static final Duration TO_ANSWER = Duration.ofSeconds(60);
    /** For pairings, which whoever waits could do itself meanwhile. */
    private static final Duration TO_TRANSFORM = Duration.ofSeconds(20);
    /** For the largest mail on a slow line. */
    private static final Duration TO_READ = Duration.ofMinutes(5);

    private static final int TRIES = 4;
    private static final Backoff BACKOFF =
            Backoff.doubling(Duration.ofMillis(500), Duration.ofSeconds(2), Backoff.Spread.NONE);
    private static final int UNAUTHORIZED = 401;
    private static final Set<Integer> PASSING = Set.of(429, 502, 503, 504);

    private final URI base;
    private final String root;
    private final Token token;
    private final HttpClient http;
    private volatile @Nullable Instant certificateEnds;

    /** What the gateway is asked with. */
    @FunctionalInterface
    public interface Token {
        /**
         * The bearer token to use now.
         *
         * @throws IOException saying why there is none
         */
        String now() throws IOException;

        /** The gateway did not take what this gave last. */
        default void refused() {}
    }

    /**
     * @param base   of the gateway, such as https://gateway.example.org
     * @param tenant whose searches
     * @param token  bearer token
     * @param tls    null for the trust of this machine
     */
    public GatewayClient(URI base, String tenant, String token, @Nullable SSLContext tls) {
        this(base, tenant, () -> token, tls);
    }

    /**
     * As {@link #GatewayClient(URI, String, String, SSLContext)}, for tokens that end.
     *
     * @param token asked for with every request
     */
    public GatewayClient(URI base, String tenant, Token token, @Nullable SSLContext tls) {
        this.base = base;
        this.root = base.toString().replaceAll("(?<!/)/+$", "") + "/v1/tenants/" + encoded(tenant) + "/";
        this.token = token;
        this.http = HttpClient.newBuilder()
                .connectTimeout(TO_CONNECT)
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(tls == null ? TlsContext.machine() : tls)
                .build();
    }

    /** Starts a search; its id. */
    public String search(SearchRequest request) throws IOException, GatewayException, InterruptedException {
        HttpRequest.Builder post = request("searches")
                .header("Content-Type", SearchRequest.MEDIA_TYPE)
                .POST(BodyPublishers.ofByteArray(request.encode()));
        return JsonObject.parse(answer(post, MAX_ANSWER_BYTES)).text("id");
    }

    /**
     * Hands on the events of a search until its end, which is the last. A connection that breaks is taken up again behind the last hit; while there
     * is no progress, for about half a minute.
     */
    public void follow(String search, SearchEvent.Sink sink)
            throws IOException, GatewayException, InterruptedException {
        new SearchFollower(this, search, sink).run();
    }

    /** The stream of a search's events behind a hit. */
    InputStream events(String search, long after) throws IOException, GatewayException, InterruptedException {
        HttpRequest.Builder get =
                request("searches/" + encoded(search) + "/events").header("Accept", "text/event-stream");
        if (after > 0) {
            get.header("Last-Event-ID", Long.toString(after));
        }
        HttpResponse<InputStream> response = send(get);
        requireSuccess(response);
        return response.body();
    }

    /** Ends a search if it still runs; the gateway forgets it and what it found. */
    public void remove(String search) throws IOException, GatewayException, InterruptedException {
        answer(request("searches/" + encoded(search)).DELETE(), MAX_ANSWER_BYTES);
    }

    /** The bytes of a stored envelope. */
    public byte[] envelope(EnvelopeRef which) throws IOException, GatewayException, InterruptedException {
        return fetch(which.path(""), "application/vnd.veilgate.envelope+cbor", Envelope.MAX_BYTES);
    }

    /**
     * Envelopes that stand beside a place in a sender's chain, nearest first.
     *
     * @param sequence the place
     * @param later    behind it, not before it
     * @param limit    1 to 100
     */
    public List<EnvelopeRef> beside(String sender, long sequence, boolean later, int limit)
            throws IOException, GatewayException, InterruptedException {
        String query = "sender=" + encoded(sender) + (later ? "&after=" : "&before=") + sequence + "&limit=" + limit;
        return envelopes(query);
    }

    /**
     * Envelopes that the gateway says have a number of a sender's chain: one, or several if it was signed more than
     * once.
     *
     * @param number from 1
     * @param most   1 to 100
     */
    public List<EnvelopeRef> numbered(String sender, long number, int most)
            throws IOException, GatewayException, InterruptedException {
        String query = "sender=" + encoded(sender) + "&after=" + (number - 1) + "&limit=" + most;
        return envelopes(query, number);
    }

    /**
     * Envelopes of a sender that the gateway says it drew evenly; a gateway of before refuses this as malformed.
     *
     * @param sender the empty name is that of whoever has no chain, as mail
     * @param most   1 to 100
     */
    public List<EnvelopeRef> drawn(String sender, int most) throws IOException, GatewayException, InterruptedException {
        return envelopes("sender=" + encoded(sender) + "&draw=" + most);
    }

    private List<EnvelopeRef> envelopes(String query) throws IOException, GatewayException, InterruptedException {
        return envelopes(query, 0);
    }

    /** @param number of the only ones that are wanted; 0 for all */
    private List<EnvelopeRef> envelopes(String query, long number)
            throws IOException, GatewayException, InterruptedException {
        List<EnvelopeRef> named = new ArrayList<>();
        for (JsonObject placed :
                JsonObject.parseList(fetch("envelopes?" + query, "application/json", MAX_ANSWER_BYTES))) {
            try {
                if (number == 0 || placed.number("sequence") == number) {
                    named.add(EnvelopeRef.of("id", placed));
                }
            } catch (IllegalArgumentException e) {
                throw new IOException("the gateway names an envelope by no id", e);
            }
        }
        return named;
    }

    /** The sealed mail beside an envelope. */
    public byte[] content(EnvelopeRef which) throws IOException, GatewayException, InterruptedException {
        return fetch(which.path("/content"), "message/rfc822", MAX_CONTENT_BYTES);
    }

    /**
     * Has the gateway do the pairings of some wraps. What it answers is to be checked by whoever finishes it. Asked again only while the gateway is busy.
     *
     * @throws GatewayException also where the gateway is older and has no such thing (404)
     */
    public List<TransformAnswer> transform(TransformRequest request)
            throws IOException, GatewayException, InterruptedException {
        byte[] body = request.encode();
        byte[] answer = retried(
                () -> request("transforms")
                        .timeout(TO_TRANSFORM)
                        .header("Content-Type", TransformRequest.MEDIA_TYPE)
                        .header("Accept", TransformAnswer.MEDIA_TYPE)
                        .POST(BodyPublishers.ofByteArray(body)),
                TransformAnswer.MAX_BYTES,
                1);
        try {
            List<TransformAnswer> answers = TransformAnswer.decode(answer);
            if (answers.size() == request.places().size()) {
                return answers;
            }
        } catch (MalformedEncodingException e) {
            throw new IOException("the gateway's answer is none: " + e.getMessage(), e);
        }
        throw new IOException("the gateway answers for other wraps than it was asked for");
    }

    /**
     * Installs a route, or replaces the one of its name.
     *
     * @param json as docs/operations.md says
     */
    public JsonObject putRoute(String name, String json) throws IOException, GatewayException, InterruptedException {
        BodyPublisher body = BodyPublishers.ofString(json, StandardCharsets.UTF_8);
        HttpRequest.Builder put = request("routes/" + encoded(name))
                .header("Content-Type", "application/json")
                .PUT(body);
        return JsonObject.parse(answer(put, MAX_ANSWER_BYTES));
    }

    /** Removes a route. */
    public void removeRoute(String name) throws IOException, GatewayException, InterruptedException {
        answer(request("routes/" + encoded(name)).DELETE(), MAX_ANSWER_BYTES);
    }

    /** All routes. */
    public List<JsonObject> routes() throws IOException, GatewayException, InterruptedException {
        return JsonObject.parseList(fetch("routes", "application/json", MAX_ANSWER_BYTES));
    }

    /** All senders and the state of their chains. */
    public List<JsonObject> senders() throws IOException, GatewayException, InterruptedException {
        return JsonObject.parseList(fetch("senders", "application/json", MAX_ANSWER_BYTES));
    }

    /** By which rules senders make keywords, and when each last did. */
    public List<JsonObject> rules() throws IOException, GatewayException, InterruptedException {
        return JsonObject.parseList(fetch("rules", "application/json", MAX_ANSWER_BYTES));
    }

    /** Who has access to the tenant, as the gateway's access file says. */
    public List<JsonObject> access() throws IOException, GatewayException, InterruptedException {
        return JsonObject.parseList(fetch("access", "application/json", MAX_ANSWER_BYTES));
    }

    /**
     * Lets somebody send, in place of what the name had. Asked once: if the answer is lost, so is the secret, and asking again makes another.
     *
     * @param kind device, mail or token
     * @return the secret
     */
    public String grantAccess(String kind, String name) throws IOException, GatewayException, InterruptedException {
        String body = "{\"kind\":" + quoted(kind) + ",\"name\":" + quoted(name) + "}";
        HttpRequest.Builder post = request("access")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body, StandardCharsets.UTF_8));
        return JsonObject.parse(answer(post, MAX_ANSWER_BYTES)).text("secret");
    }

    private static String quoted(String text) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }

    /** Takes the right to send away. */
    public void revokeAccess(String kind, String name) throws IOException, GatewayException, InterruptedException {
        answer(
                request("access?kind=" + encoded(kind) + "&name=" + encoded(name))
                        .DELETE(),
                MAX_ANSWER_BYTES);
    }

    /** What the gateway holds of the tenant, and how it is. */
    public JsonObject status() throws IOException, GatewayException, InterruptedException {
        return JsonObject.parse(fetch("status", "application/json", MAX_ANSWER_BYTES));
    }

    /**
     * Figures of the tenant over time.
     *
     * @param step  minute, hour or day
     * @param count steps up to the present one
     * @throws GatewayException also where the gateway is older and has no such thing (404)
     */
    public JsonObject figures(String step, int count) throws IOException, GatewayException, InterruptedException {
        return JsonObject.parse(
                fetch("figures?step=" + encoded(step) + "&count=" + count, "application/json", MAX_ANSWER_BYTES));
    }

    /** End of the certificate that the gateway showed last; empty before an answer by TLS. */
    public Optional<Instant> certificateEnds() {
        return Optional.ofNullable(certificateEnds);
    }

    /** What can be asked again without harm is, when the gateway is busy for a moment. */
    private byte[] fetch(String path, String type, int max) throws IOException, GatewayException, InterruptedException {
        return retried(() -> request(path).header("Accept", type), max, TRIES);
    }

    /** A request that is made anew for each try, since tokens end. */
    @FunctionalInterface
    private interface Asked {
        HttpRequest.Builder request() throws IOException;
    }

    /** @param tries where there is no answer; a gateway that is busy is asked as often as ever */
    private byte[] retried(Asked asked, int max, int tries) throws IOException, GatewayException, InterruptedException {
        for (int tried = 1; ; tried++) {
            try {
                return answer(asked.request(), max);
            } catch (IOException e) {
                if (tried >= tries) {
                    throw e;
                }
            } catch (GatewayException e) {
                if (tried == TRIES || !PASSING.contains(e.status())) {
                    throw e;
                }
            }
            Thread.sleep(BACKOFF.pause(tried));
        }
    }

    private HttpRequest.Builder request(String path) throws IOException {
        return HttpRequest.newBuilder(URI.create(root + path))
                .timeout(TO_ANSWER)
                .header("Authorization", "Bearer " + token.now());
    }

    private byte[] answer(HttpRequest.Builder request, int max)
            throws IOException, GatewayException, InterruptedException {
        HttpResponse<InputStream> response = send(request);
        requireSuccess(response);
        try (InputStream in = response.body()) {
            byte[] bytes = readInTime(in, max + 1);
            if (bytes.length > max) {
                throw new IOException("the gateway's answer has more than " + max + " bytes");
            }
            return bytes;
        }
    }

    /** The request's own limit of time ends with the headers of its answer. */
    private static byte[] readInTime(InputStream in, int most) throws IOException, InterruptedException {
        FutureTask<byte[]> reading = new FutureTask<>(() -> in.readNBytes(most));
        Thread.ofVirtual().name("gateway-answer").start(reading);
        try {
            return reading.get(TO_READ.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("the gateway's answer has no end", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IOException(e.getCause());
        }
    }

    private HttpResponse<InputStream> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        try {
            HttpResponse<InputStream> response = http.send(request.build(), BodyHandlers.ofInputStream());
            response.sslSession().ifPresent(this::noteCertificate);
            return response;
        } catch (SSLException e) {
            throw new IOException(
                    "the gateway's certificate is not trusted, or it speaks no TLS (--gateway-ca names who signed it): "
                            + e.getMessage(),
                    e);
        } catch (HttpTimeoutException e) {
            throw new IOException("the gateway at " + base + " does not answer", e);
        } catch (ConnectException e) {
            throw new IOException("there is no gateway at " + base, e);
        }
    }

    private void noteCertificate(SSLSession session) {
        try {
            if (session.getPeerCertificates()[0] instanceof X509Certificate shown) {
                certificateEnds = shown.getNotAfter().toInstant();
            }
        } catch (SSLPeerUnverifiedException e) {
            certificateEnds = null; // it showed none
        }
    }

    private void requireSuccess(HttpResponse<InputStream> response) throws IOException, GatewayException {
        if (response.statusCode() / 100 == 2) {
            return;
        }
        if (response.statusCode() == UNAUTHORIZED) {
            token.refused();
        }
        byte[] body;
        try (InputStream in = response.body()) {
            body = in.readNBytes(1 << 16);
        }
        String type = response.headers().firstValue("Content-Type").orElse("");
        String said = "";
        if (type.startsWith("application/problem+json")) {
            JsonObject problem = JsonObject.parse(body);
            said = problem.optionalText("detail").orElse("");
        }
        throw new GatewayException(
                response.statusCode(),
                said.isEmpty() ? "the gateway answered " + response.statusCode() : "the gateway refused: " + said);
    }

    private static String encoded(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
