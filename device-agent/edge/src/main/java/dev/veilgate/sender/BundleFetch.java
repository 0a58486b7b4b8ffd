package dev.veilgate.sender;

import dev.veilgate.transport.TlsContext;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Fetches what is at a console's address of the bundle. It believes nothing of it: whoever takes the bytes verifies them. */
final class BundleFetch {
    private static final Duration TO_CONNECT = Duration.ofSeconds(10);
    private static final Duration IN_ALL = Duration.ofSeconds(60);
    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;
    private static final int LOCKED = 423;

    private final URI url;
    private final @Nullable Path authorities;

    /** @param authorities PEM of those to trust instead of the machine's */
    BundleFetch(URI url, @Nullable Path authorities) {
        this.url = url;
        this.authorities = authorities;
    }

    /**
     * What was answered.
     *
     * @param bytes null if it is still what was known
     * @param tag   by which the server knows it; empty if it says none
     */
    record Answer(byte @Nullable [] bytes, String tag) {}

    /**
     * Asks once. Follows no other address.
     *
     * @param known    tag of what is known; empty for nothing
     * @param maxBytes most that is taken
     * @throws IOException saying what is wrong, for people
     */
    Answer get(String known, int maxBytes) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(url).timeout(IN_ALL);
        if (!known.isEmpty()) {
            request.header("If-None-Match", known);
        }
        HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(TO_CONNECT)
                .sslContext(TlsContext.client(authorities))
                .build();
        try {
            return answer(send(http, request.build(), maxBytes), known);
        } finally {
            http.shutdownNow(); // no thread between one look and the next
        }
    }

    private HttpResponse<byte[]> send(HttpClient http, HttpRequest request, int maxBytes)
            throws IOException, InterruptedException {
        Future<HttpResponse<byte[]>> sent =
                http.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), maxBytes));
        try {
            return sent.get(IN_ALL.toSeconds(), TimeUnit.SECONDS); // with the body, however slowly it drips
        } catch (TimeoutException e) {
            sent.cancel(true);
            throw new IOException(url + " does not answer in time", e);
        } catch (ExecutionException e) {
            throw because(Objects.requireNonNullElse(e.getCause(), e));
        }
    }

    private IOException because(Throwable cause) {
        return new IOException(
                switch (cause) {
                    case SSLException tls ->
                        url
                                + ": its certificate is not trusted, or it speaks no TLS (--bundle-ca names who signed it): "
                                + tls.getMessage();
                    case HttpTimeoutException _ -> url + " does not answer in time";
                    case ConnectException _ -> url + ": nobody answers there";
                    default ->
                        url + ": "
                                + Objects.requireNonNullElse(
                                        cause.getMessage(), cause.getClass().getSimpleName());
                },
                cause);
    }

    private Answer answer(HttpResponse<byte[]> response, String known) throws IOException {
        int status = response.statusCode();
        if (status == NOT_MODIFIED && !known.isEmpty()) {
            return new Answer(null, "");
        }
        return switch (status) {
            case OK ->
                new Answer(
                        response.body(), response.headers().firstValue("ETag").orElse(""));
            case LOCKED -> throw new IOException(url + ": the console's keys are locked and it has no bundle yet");
            default -> throw new IOException(url + " answered " + status + " instead of a bundle");
        };
    }
}
